import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/**
 * The files of a folder that its `.dockerignore` lets through, as the builder gets them.
 *
 * @returns paths relative to the folder, with slashes
 */
export function buildContext(folder: string): string[] {
  const isIgnored = ignoring(readFileSync(join(folder, '.dockerignore'), 'utf8'))
  return walk(folder, '').filter((path) => !isIgnored(path))
}

/**
 * Reads a `.dockerignore`: the last line decides that matches the path or a folder above it.
 *
 * @see https://docs.docker.com/build/concepts/context/#dockerignore-files
 */
export function ignoring(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ excludes: !line.startsWith('!'), pattern: pattern(line.replace(/^!?\/?/, '')) }))
  return (path) => rules.findLast((rule) => rule.pattern.test(path))?.excludes ?? false
}

function pattern(glob: string): RegExp {
  const source = glob
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/\*\*\/|\*|\?/g, (wild) => ({ '**/': '(?:.*/)?', '*': '[^/]*', '?': '[^/]' })[wild] ?? wild)
  return new RegExp(`^${source}(?:/.*)?$`)
}

// What no build ever gets is not even looked into: there can be hundreds of thousands of files.
const NEVER = new Set(['node_modules', '.git'])

function walk(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return NEVER.has(entry.name) ? [] : walk(root, path)
    return [path.split(sep).join('/')]
  })
}
