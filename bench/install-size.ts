import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { servePackages, type PackedPackage } from '../test/support/package-registry.js'
import { root } from '../test/support/repository.js'

const run = promisify(execFile)

/** What `npm install vidimus` puts into an empty folder. */
export interface InstallSize {
  packages: number
  /** without what SQLite leaves behind where it is compiled */
  bytes: number
}

/** Installs the packages as they would be published, without running the scripts of others. */
export async function measureInstall(): Promise<InstallSize> {
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-install-'))
  try {
    const files = join(folder, 'files')
    await run(process.execPath, [join(root, 'scripts/release/packages.mjs'), files], { cwd: root })
    const packed = JSON.parse(await readFile(join(files, 'packages.json'), 'utf8')) as PackedPackage[]
    const registry = await servePackages(files, packed)
    const empty = join(folder, 'empty')
    await mkdir(empty)
    const own = packed.find(({ name }) => name === 'vidimus')?.filename ?? ''
    await run(
      'npm',
      [
        ...['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'],
        `--@vidimus:registry=${registry.url}`,
        `${registry.url}/${own}`,
      ],
      { cwd: empty },
    )
    registry.close()
    return await sizeOf(join(empty, 'node_modules'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function sizeOf(modules: string): Promise<InstallSize> {
  const text = await readFile(join(modules, '.package-lock.json'), 'utf8')
  const { packages } = JSON.parse(text) as { packages: Record<string, unknown> }
  const entries = await readdir(modules, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map((file) => stat(join(file.parentPath, file.name))))
  // As `du` counts: whole blocks.
  const bytes = sizes.reduce((total, { blocks }) => total + blocks * 512, 0)
  return { packages: Object.keys(packages).length, bytes }
}
