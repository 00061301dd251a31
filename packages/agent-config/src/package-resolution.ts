import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { resolveExports } from './exports-map.js'

/** Where a package was looked for and what came of it. */
export type PackageResolution =
  | { kind: 'file'; file: string }
  | { kind: 'not-installed' }
  /** the package is there, but not what was asked of it */
  | { kind: 'unusable'; reason: string }

interface Manifest {
  name?: unknown
  version?: unknown
  main?: unknown
  exports?: unknown
}

/**
 * The conditions under which `import` reads `exports`. `createRequire` would read them as `require` does, and so
 * load other files than the rest of the agent does, or none at all.
 */
const conditions = (): ReadonlySet<string> =>
  new Set([
    'node',
    'import',
    'node-addons',
    ...('require_module' in process.features && process.features.require_module ? ['module-sync'] : []),
  ])

/** Splits `@scope/name/sub/path`; `undefined` where it is no name of a package. */
export function splitSpecifier(specifier: string): { name: string; subpath: string } | undefined {
  const match = /^((?:@[^/\\%]+\/)?[^./\\%@][^/\\%]*)(\/.*)?$/.exec(specifier)
  const [, name, rest = ''] = match ?? []
  return name === undefined || rest === '/' ? undefined : { name, subpath: `.${rest}` }
}

/**
 * Finds the file that `import` of a package would load from a folder.
 *
 * @param folder - absolute
 * @see Node.js, "ECMAScript modules", PACKAGE_RESOLVE
 */
export function resolvePackage(name: string, subpath: string, folder: string): PackageResolution {
  try {
    const itself = selfReference(name, folder)
    if (itself) return fromExports(itself.folder, subpath, itself.exports)
    for (const parent of ancestorsOf(folder)) {
      const candidate = join(parent, 'node_modules', name)
      if (isDirectory(candidate)) return fromPackage(candidate, subpath)
    }
  } catch (error) {
    return { kind: 'unusable', reason: error instanceof Error ? error.message : String(error) }
  }
  return { kind: 'not-installed' }
}

/** The packages that can be imported from a folder, for suggestions. */
export function installedPackages(folder: string, scope: string | undefined): string[] {
  return ancestorsOf(folder).flatMap((parent) => {
    const packages = join(parent, 'node_modules', scope ?? '')
    if (!isDirectory(packages)) return []
    const names = readdirSync(packages).filter((name) => !/^[.@]/.test(name))
    return scope === undefined ? names : names.map((name) => `${scope}/${name}`)
  })
}

/** The version that the nearest manifest with one names. @param folder - absolute */
export function packageVersion(folder: string): string | undefined {
  return ancestorsOf(folder)
    .map((parent) => readManifest(parent).version)
    .find((version) => typeof version === 'string')
}

function selfReference(name: string, folder: string): { folder: string; exports: unknown } | undefined {
  for (const parent of ancestorsOf(folder)) {
    if (!existsSync(join(parent, 'package.json'))) continue
    const manifest = readManifest(parent)
    const { exports } = manifest
    return manifest.name === name && exports !== undefined && exports !== null
      ? { folder: parent, exports }
      : undefined
  }
  return undefined
}

function fromPackage(folder: string, subpath: string): PackageResolution {
  const manifest = readManifest(folder)
  if (manifest.exports !== undefined && manifest.exports !== null) {
    return fromExports(folder, subpath, manifest.exports)
  }
  if (subpath !== '.') return existingFile(join(folder, subpath), `it has no file ${subpath}`)
  const main = typeof manifest.main === 'string' ? manifest.main : undefined
  const named =
    main === undefined ? [] : ['', '.js', '.json', '.node', '/index.js', '/index.json', '/index.node']
  const candidates = [...named.map((end) => `${main}${end}`), 'index.js', 'index.json', 'index.node']
  const file = candidates.map((candidate) => join(folder, candidate)).find(isFile)
  return file ? { kind: 'file', file } : { kind: 'unusable', reason: 'it has no main module' }
}

function fromExports(folder: string, subpath: string, exports: unknown): PackageResolution {
  const file = resolveExports(folder, subpath, exports, conditions())
  if (file !== undefined) return existingFile(file, `its file ${file} is missing`)
  return {
    kind: 'unusable',
    reason: subpath === '.' ? 'it exports no main module' : `its package.json does not export "${subpath}"`,
  }
}

const existingFile = (file: string, reason: string): PackageResolution =>
  isFile(file) ? { kind: 'file', file } : { kind: 'unusable', reason }

function readManifest(folder: string): Manifest {
  const file = join(folder, 'package.json')
  if (!isFile(file)) return {}
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof manifest === 'object' && manifest !== null ? manifest : {}
  } catch (error) {
    throw new Error(`${file} is no valid JSON`, { cause: error })
  }
}

function ancestorsOf(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)]
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
