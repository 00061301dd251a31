import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AgentError } from '@vidimus/core-types'
import { packPackages } from './packed-packages.js'
import { version } from './version.js'

/** The kinds of packages for `agent.yml`. */
export type PluginKind = 'list-type' | 'did-method' | 'credential-format'

const TEMPLATES = fileURLToPath(new URL('../templates/', import.meta.url))

/** Placeholders for the name in the files of a template and in their paths. */
interface Words {
  kebab: string
  pascal: string
  plain: string
}

/** Of a DID method: lower-case letters and digits (DID Core 3.1). */
const METHOD_NAME = /^[a-z][a-z0-9]{0,31}$/
const KEBAB_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const LONGEST_NAME = 64

/** @returns why the name cannot be used for this kind; `undefined` if it can */
export function nameProblem(kind: PluginKind, name: string): string | undefined {
  if (kind === 'did-method') {
    if (METHOD_NAME.test(name)) return undefined
    return 'the name of a DID method must start with a letter and contain only lower-case letters and digits'
  }
  if (KEBAB_NAME.test(name) && name.length <= LONGEST_NAME) return undefined
  return `the name must consist of lower-case letters and digits, with hyphens between words, such as my-own; at most ${LONGEST_NAME} characters`
}

/** The name of the package that {@link writePlugin} writes. */
export const packageName = (kind: PluginKind, name: string): string =>
  kind === 'did-method' ? `did-method-${name}` : name

/**
 * Writes a package that passes its own tests: manifest, source, tests and README, and the packages of this installation
 * that it needs.
 *
 * @param directory - must be empty, or not to be there
 * @returns the paths of the files, relative to the directory
 * @throws AgentError `invalid_input`
 */
export async function writePlugin(kind: PluginKind, name: string, directory: string): Promise<string[]> {
  const problem = nameProblem(kind, name)
  if (problem !== undefined) throw new AgentError('invalid_input', `"${name}": ${problem}`)
  await demandEmpty(directory)
  const words = nameWords(name)
  const written: string[] = []
  for (const file of await listFiles(join(TEMPLATES, kind))) {
    const path = withName(file, words)
    const text = withName(await readFile(join(TEMPLATES, kind, file), 'utf8'), words)
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), text, { flag: 'wx' })
    written.push(path)
  }
  return [...written, ...(await writeDependencies(join(directory, 'package.json'), directory))]
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort()
}

async function demandEmpty(directory: string): Promise<void> {
  try {
    if ((await readdir(directory)).length === 0) return
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw new AgentError('invalid_input', `${directory} is not writable`, { cause: error })
  }
  throw new AgentError('invalid_input', `${directory} is not empty; choose another folder with --directory`)
}

function nameWords(kebab: string): Words {
  const words = kebab.split('-')
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return { kebab, pascal, plain: words.join('') }
}

const withName = (text: string, { kebab, pascal, plain }: Words): string =>
  text.replaceAll('template-name', kebab).replaceAll('TemplateName', pascal).replaceAll('templatename', plain)

/** In a template this stands for whatever this installation has. */
const THIS_VERSION = '0.0.0'

type Dependencies = Record<string, string>

/**
 * A plugin shares the packages of the installation it runs in (peers of a range of versions), and is tested against those
 * of the one that wrote it.
 *
 * @returns the files that were written
 */
async function writeDependencies(file: string, directory: string): Promise<string[]> {
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown> & {
    peerDependencies?: Dependencies
    devDependencies: Dependencies
  }
  const isOurs = ([, version]: [string, string]) => version === THIS_VERSION
  const peers = Object.keys(manifest.peerDependencies ?? {})
  const wanted = Object.entries(manifest.devDependencies).filter(isOurs)
  const packed = await packPackages(
    wanted.map(([name]) => name),
    directory,
  )
  if (peers.length > 0)
    manifest.peerDependencies = Object.fromEntries(peers.map((name) => [name, `^${version()}`]))
  manifest.devDependencies = { ...manifest.devDependencies, ...packed }
  await writeFile(file, `${JSON.stringify(manifest, undefined, 2)}\n`)
  return Object.values(packed).map((path) => path.slice('file:'.length))
}
