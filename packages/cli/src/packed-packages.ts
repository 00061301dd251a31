import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { AgentError } from '@vidimus/core-types'

/** The folder of a new package in which those of this installation lie as files. */
export const PACKED = 'packages'

const SCOPE = '@vidimus/'

interface Manifest {
  name: string
  version: string
  dependencies?: Record<string, string>
}

interface FoundPackage {
  folder: string
  manifest: Manifest
}

/**
 * Packs packages of this installation with all of ours that they need, so that a new package fits this installation and
 * can be installed without any of them being in a registry.
 *
 * @param names - such as `@vidimus/core-types`
 * @param directory - of the new package
 * @returns what its manifest must name, by package: `file:packages/...tgz`
 * @throws AgentError `unavailable` if npm cannot be run
 */
export async function packPackages(
  names: readonly string[],
  directory: string,
): Promise<Record<string, string>> {
  if (names.length === 0) return {}
  const found = await withNeeded(names)
  await mkdir(join(directory, PACKED), { recursive: true })
  const folders = [...found.values()].map(({ folder }) => folder)
  const packed = await npm(directory, [
    'pack',
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    PACKED,
    ...folders,
  ])
  const files = JSON.parse(packed) as { name: string; filename: string }[]
  return Object.fromEntries(files.map(({ name, filename }) => [name, `file:${PACKED}/${filename}`]))
}

async function withNeeded(names: readonly string[]): Promise<Map<string, FoundPackage>> {
  const found = new Map<string, FoundPackage>()
  const visit = async (name: string, from: string) => {
    if (found.has(name)) return
    const one = await findPackage(name, from)
    found.set(name, one)
    for (const needed of Object.keys(one.manifest.dependencies ?? {}))
      if (needed.startsWith(SCOPE)) await visit(needed, one.folder)
  }
  for (const name of names) await visit(name, fileURLToPath(new URL('.', import.meta.url)))
  return found
}

/** As Node.js finds packages; `exports` of ours do not include their manifests. */
async function findPackage(name: string, from: string): Promise<FoundPackage> {
  const folder = join(from, 'node_modules', name)
  if (existsSync(join(folder, 'package.json'))) {
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
    return { folder: await realpath(folder), manifest }
  }
  const parent = dirname(from)
  if (parent === from) throw new Error(`${name} is missing in this installation`)
  return findPackage(name, parent)
}

async function npm(cwd: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('npm', args, { cwd, maxBuffer: 1e8 })
    return stdout
  } catch (cause) {
    throw new AgentError(
      'unavailable',
      'npm, which packs what the new package needs, failed or is not installed',
      {
        cause,
      },
    )
  }
}
