import { readFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL('../build/libraries/', import.meta.url)

/**
 * Loads libraries of hundreds of small files from the bundles of our own build, which takes a third off a start. Whoever
 * imports one gets the same copy: the service, and any plugin beside it. Only where exactly the bundled versions are
 * installed: an update of a library, or of one within it, is used at once. Before Node.js 22.15 the originals are loaded.
 */
export function useBundledLibraries() {
  const bundles = module.registerHooks && bundlesByUrl()
  if (!bundles) return
  module.registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      const url = bundles.get(resolved.url)
      return url === undefined ? resolved : { url, format: 'module', shortCircuit: true }
    },
  })
}

/**
 * Keeps what V8 has compiled beside the build, whose owner alone can write it; where the process cannot, it does without.
 * In a folder for temporary files another user could place code.
 */
export function keepCompiledCode() {
  module.enableCompileCache?.(fileURLToPath(new URL('../build/.compiled', import.meta.url)))
}

/** By the URL of the original. */
function bundlesByUrl() {
  try {
    const { files, versions } = JSON.parse(readFileSync(new URL('libraries.json', FOLDER), 'utf8'))
    const [first] = Object.keys(files)
    const home = homeOf(first)
    for (const [folder, version] of Object.entries(versions)) {
      const manifest = JSON.parse(readFileSync(join(home, folder, 'package.json'), 'utf8'))
      if (manifest.version !== version) return undefined
    }
    const entries = Object.entries(files).map(([name, file]) => [
      import.meta.resolve(name),
      new URL(`${file}.js`, FOLDER).href,
    ])
    return new Map(entries)
  } catch {
    // Another layout of folders, or something is missing, which the import of the original reports.
    return undefined
  }
}

/** The folder `node_modules` in which a package is. */
function homeOf(name) {
  const path = fileURLToPath(import.meta.resolve(name))
  return path.slice(0, path.indexOf(join('node_modules', name)) + 'node_modules'.length)
}
