import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './repository.js'

/** A source file of a package, tests excluded. */
export interface Source {
  /** relative to the repository */
  file: string
  package: string
  text: string
}

export const packages = readdirSync(join(root, 'packages'))

export const sources: Source[] = packages.flatMap((name) =>
  readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('__tests__'))
    .map((file) => join('packages', name, 'src', file))
    .map((file) => ({ file, package: name, text: readFileSync(join(root, file), 'utf8') })),
)

export const importsOf = (text: string) =>
  [
    ...text.matchAll(/^(?:import|export)\s[^'"]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gms),
  ].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '')

/** Every source of ours, including tests and scripts, with its relative imports. */
export function relativeImports(): Map<string, string[]> {
  const files = ['packages', 'test', 'scripts', 'bench', 'examples', 'deploy']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => /\.(tsx?|mjs)$/.test(file) && !/\/(node_modules|build)\//.test(file))
  const known = new Set(files)
  const sourceOf = (from: string, specifier: string) => {
    const path = join(dirname(from), specifier)
    return [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].find((one) => known.has(one))
  }
  return new Map(
    files.map((file) => [
      file,
      importsOf(readFileSync(join(root, file), 'utf8'))
        .filter((specifier) => specifier.startsWith('.'))
        .flatMap((specifier) => sourceOf(file, specifier) ?? []),
    ]),
  )
}
