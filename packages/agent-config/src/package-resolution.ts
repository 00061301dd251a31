import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { moduleResolve } from 'import-meta-resolve'
import type Satisfies from 'semver/functions/satisfies.js'

/** Where a package was searched, and the result. */
export type PackageResolution =
  | { kind: 'file'; url: string }
  | { kind: 'not-installed' }
  /** the package exists, but not the requested part */
  | { kind: 'unusable'; reason: string }

/**
 * The conditions under which `import` reads `exports`. `createRequire` would read them as `require` does, and so
 * load other files than the rest of the agent does, or none at all.
 */
const conditions = (): Set<string> =>
  new Set([
    'node',
    'import',
    'node-addons',
    ...('require_module' in process.features && process.features.require_module ? ['module-sync'] : []),
  ])

/** Splits `@scope/name/sub/path`; `undefined` if it is not a package name. */
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
    const url = moduleResolve(`${name}${subpath.slice(1)}`, pathToFileURL(`${folder}${sep}`), conditions())
    // A name such as `data:text` reads as the scheme of a URL.
    return url.protocol === 'file:' ? { kind: 'file', url: url.href } : { kind: 'not-installed' }
  } catch (error) {
    return fromMistake(error as MistakeOfNode, name, subpath)
  }
}

/** @see https://nodejs.org/api/errors.html#nodejs-error-codes */
type MistakeOfNode = Error & { code?: string; url?: string }

function fromMistake(
  { code, message, url }: MistakeOfNode,
  name: string,
  subpath: string,
): PackageResolution {
  const unusable = (reason: string): PackageResolution => ({ kind: 'unusable', reason })
  if (code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') {
    const isMain = subpath === '.'
    return unusable(isMain ? 'it exports no main module' : `its package.json does not export "${subpath}"`)
  }
  if (code !== 'ERR_MODULE_NOT_FOUND') return unusable(message)
  if (message.startsWith(`Cannot find package '${name}'`)) return { kind: 'not-installed' }
  return unusable(url === undefined ? 'it has no main module' : `its file ${fileURLToPath(url)} is missing`)
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
export const packageVersion = (folder: string): string | undefined => nearestManifest(folder)?.version

/** A package that another was made for, in another version than the installed one. */
export interface UnfitPeer {
  peer: string
  wanted: string
  installed: string
}

/**
 * Finds packages of ours that a plugin was made for in other versions than the installed ones. npm only warns of them, or
 * installs a second copy.
 *
 * @param file - the module of the plugin that is loaded
 * @param folders - where an installation looks for packages, in this order
 */
export function unfitPeers(file: string, folders: readonly string[]): UnfitPeer[] {
  const { peerDependencies = {} } = nearestManifest(dirname(file)) ?? {}
  return Object.entries(peerDependencies)
    .filter(([peer]) => peer.startsWith('@vidimus/'))
    .flatMap(([peer, wanted]) => {
      const installed = installedVersion(peer, folders)
      return installed === undefined || loadSatisfies()(installed, wanted)
        ? []
        : [{ peer, wanted, installed }]
    })
}

/** Only where a plugin has such peers: few installations do, and each start would load its modules. */
const loadSatisfies = () =>
  createRequire(import.meta.url)('semver/functions/satisfies.js') as typeof Satisfies

function installedVersion(name: string, folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const found = resolvePackage(name, '.', folder)
    if (found.kind === 'file') return packageVersion(dirname(fileURLToPath(found.url)))
  }
  return undefined
}

interface Manifest {
  version: string
  peerDependencies?: Record<string, string>
}

/** The nearest manifest that has a version: those of folders within a package have none. */
function nearestManifest(folder: string): Manifest | undefined {
  return ancestorsOf(folder)
    .map(manifestIn)
    .find((manifest): manifest is Manifest => typeof manifest?.version === 'string')
}

function manifestIn(folder: string): Partial<Manifest> | undefined {
  const file = join(folder, 'package.json')
  if (!isFile(file)) return undefined
  return (JSON.parse(readFileSync(file, 'utf8')) as Partial<Manifest> | null) ?? undefined
}

function ancestorsOf(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)]
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
