import assert from 'node:assert/strict'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ConfigurationError, loadConfiguration, type Configuration, type LoadOptions } from '../../index.js'

/** Objects for configurations to build, which remember their arguments. */
const OBJECTS_MODULE = `
export class Recorder { constructor(...args) { this.args = args } }
export class Empty {}
export class Failing { constructor(message) { throw new Error(message) } }
export const record = (...args) => ({ args })
export const later = async (...args) => ({ part: { args }, kept: true })
export const nothing = () => undefined
export const zero = 0
export const list = [1, 2]
export const promised = Promise.resolve('kept promise')
`

/** A fresh folder with files, deleted by `remove`. */
export class ConfigurationFolder {
  private constructor(readonly path: string) {}

  static async create(files: Record<string, string> = {}): Promise<ConfigurationFolder> {
    // The real path, as Node.js names modules by theirs.
    const folder = new ConfigurationFolder(await realpath(await mkdtemp(join(tmpdir(), 'agent-config-'))))
    for (const [name, text] of Object.entries({ 'objects.mjs': OBJECTS_MODULE, ...files })) {
      await folder.write(name, text)
    }
    return folder
  }

  async write(name: string, text: string): Promise<string> {
    const file = join(this.path, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    return file
  }

  /** @param sections - what follows `version: 3` */
  async load(sections: string, options: LoadOptions = {}): Promise<Configuration> {
    const file = await this.write('agent.yml', `version: 3\n${sections}`)
    return loadConfiguration(file, { environment: {}, ...options })
  }

  async build(sections: string, pointer: string, options: LoadOptions = {}): Promise<unknown> {
    const [value] = await (await this.load(sections, options)).build(pointer)
    return value
  }

  /** The error that loading and building gives. */
  async fail(sections: string, pointer: string, options: LoadOptions = {}): Promise<ConfigurationError> {
    return configurationError(this.build(sections, pointer, options))
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true })
  }
}

export async function configurationError(work: Promise<unknown>): Promise<ConfigurationError> {
  let found: unknown
  try {
    await work
  } catch (error) {
    found = error
  }
  assert.ok(found instanceof ConfigurationError, `expected a ConfigurationError, got ${String(found)}`)
  return found
}

/** `line:column path: message` of every problem. */
export const places = (error: ConfigurationError): string[] =>
  error.problems.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`)
