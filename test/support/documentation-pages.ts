import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './repository.js'

/** Every page that readers are given, as a path from the root of the project. */
export const documentationPages = (): string[] => [
  ...readdirSync(root).filter((file) => file.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
  'deploy/README.md',
  ...readdirSync(join(root, 'examples')).map((name) => join('examples', name, 'README.md')),
]
