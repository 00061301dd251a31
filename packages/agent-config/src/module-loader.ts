import { existsSync, readdirSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, isAbsolute, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { nearest } from './near-miss.js'
import {
  installedPackages,
  packageVersion,
  resolvePackage,
  splitSpecifier,
  unfitPeers,
} from './package-resolution.js'

export type ModuleNamespace = Readonly<Record<string, unknown>>

export type LoadedModule =
  | { namespace: ModuleNamespace }
  | { namespace?: undefined; message: string; advice?: string; cause?: unknown }

type Located = { url: string } | { url?: undefined; message: string; advice?: string }

/** Finds and loads the modules that a configuration file names, each once. */
export class ModuleLoader {
  readonly #loaded = new Map<string, Promise<LoadedModule>>()
  readonly #folder: string
  readonly #packageFolders: readonly string[]

  /**
   * @param file - the configuration file: relative modules are relative to it, packages are looked for there first
   * @param resolveFrom - file URLs of modules to look for packages from after that, in this order
   */
  constructor(file: string, resolveFrom: readonly string[]) {
    this.#folder = dirname(file)
    this.#packageFolders = [this.#folder, ...resolveFrom.map((url) => dirname(fileURLToPath(url)))]
  }

  load(module: string): Promise<LoadedModule> {
    let loading = this.#loaded.get(module)
    if (!loading) {
      loading = this.#load(module)
      this.#loaded.set(module, loading)
    }
    return loading
  }

  /** The version of the package that a module belongs to; `undefined` if it is not in a package. */
  versionOf(module: string): string | undefined {
    const { url } = this.#locate(module)
    return url?.startsWith('file:') && splitSpecifier(module)
      ? packageVersion(dirname(fileURLToPath(url)))
      : undefined
  }

  async #load(module: string): Promise<LoadedModule> {
    const located = this.#locate(module)
    if (located.url === undefined) return located
    try {
      return { namespace: (await import(located.url)) as ModuleNamespace }
    } catch (error) {
      return notLoadable(module, error)
    }
  }

  #locate(module: string): Located {
    if (isBuiltin(module)) return { url: module.startsWith('node:') ? module : `node:${module}` }
    if (/^\.{1,2}([\\/]|$)/.test(module) || isAbsolute(module))
      return fileModule(resolve(this.#folder, module), module)
    if (module.startsWith('file:') && URL.canParse(module)) return fileModule(fileURLToPath(module), module)
    const parts = splitSpecifier(module)
    if (!parts) {
      return {
        message: `"${module}" is neither a package nor a path`,
        advice: 'paths begin with "./", "../" or "/", packages with their name',
      }
    }
    return this.#packageModule(parts.name, parts.subpath)
  }

  #packageModule(name: string, subpath: string): Located {
    for (const folder of this.#packageFolders) {
      const resolution = resolvePackage(name, subpath, folder)
      if (resolution.kind === 'file') return this.#fitting(name, resolution.url)
      if (resolution.kind === 'unusable') {
        return { message: `the package "${name}" cannot be used: ${resolution.reason}` }
      }
    }
    const scope = name.startsWith('@') ? name.slice(0, name.indexOf('/')) : undefined
    const near = nearest(
      name,
      this.#packageFolders.flatMap((folder) => installedPackages(folder, scope)),
    )
    return {
      message: `the package "${name}" is not installed`,
      advice: `${near ? `did you mean "${near}"? ` : ''}to install it: npm install ${name}`,
    }
  }

  #fitting(name: string, url: string): Located {
    const [unfit] = unfitPeers(fileURLToPath(url), this.#packageFolders)
    if (!unfit) return { url }
    const { peer, wanted, installed } = unfit
    return {
      message: `the package "${name}" was made for ${peer} ${wanted}, and ${installed} is installed`,
      advice: `install a version of "${name}" for ${installed}, or the version of Vidimus that it needs`,
    }
  }
}

/** A package that is there without something that it needs was installed by halves. */
function notLoadable(module: string, cause: unknown): LoadedModule {
  const missing = missingPackage(cause)
  const parts = splitSpecifier(module)
  if (missing !== undefined && parts) {
    return {
      message: `"${module}" cannot be loaded: its dependency "${missing}" is not installed`,
      advice: `to install it with its dependencies: npm install ${parts.name}`,
      cause,
    }
  }
  const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  return { message: `"${module}" cannot be loaded: ${reason}`, cause }
}

/** @see https://nodejs.org/api/errors.html#err_module_not_found */
function missingPackage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return undefined
  const [, name] = /^Cannot find (?:package|module) '([^']+)'/.exec(error.message) ?? []
  return name === undefined ? undefined : splitSpecifier(name)?.name
}

function fileModule(file: string, module: string): Located {
  if (existsSync(file)) return { url: pathToFileURL(file).href }
  const folder = dirname(file)
  const names = existsSync(folder) ? readdirSync(folder) : []
  const near = names.find((name) => name.startsWith(`${basename(file)}.`)) ?? nearest(basename(file), names)
  const advice = near
    ? `did you mean "${near}" there?`
    : 'relative paths are relative to the folder of the configuration file'
  return { message: `there is no module "${module}" at ${file}`, advice }
}
