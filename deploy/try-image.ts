// npm run try:image: carries out deploy/Dockerfile without a container engine, and tries what comes out of it.
//
// The root of this machine takes the place of the base image: each stage gets a copy-on-write view of it, in which the
// commands run at the paths of the Dockerfile. The service then runs as it does in a container: as the first process of
// its own space, as the user of the image, without any capability and with a root file system that it cannot write to.
// What cannot be seen this way is the base image itself.
//
// Needs Linux, root, and what the base image of the build has: g++, make and python3.
//
// --node <folder>  another Node.js than the present one, with bin/node and include/node below the folder
// --with <package> builds with this package of the repository beside, as --build-arg WITH=<package>
// --keep           keeps the stages for a look
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildStages } from './try-image/build-stages.js'
import { tryService } from './try-image/service-trial.js'

const { values: options } = parseArgs({
  options: {
    node: { type: 'string' },
    with: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
    inside: { type: 'string' },
  },
})

if (options.inside === undefined) outside()
else await inside(options.inside)

// In a mount space of its own, whose mounts end with it.
function outside(): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    console.error('This needs Linux and root, as it mounts the stages of the build.')
    process.exit(2)
  }
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-image-'))
  const { status } = spawnSync(
    'unshare',
    [
      '--mount',
      '--propagation',
      'private',
      process.execPath,
      ...process.execArgv,
      ...process.argv.slice(1),
      '--inside',
      folder,
    ],
    { stdio: 'inherit' },
  )
  if (options.keep) console.log(`kept: ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
  process.exit(status ?? 1)
}

async function inside(folder: string): Promise<void> {
  const image = buildStages(join(import.meta.dirname, '..'), folder, options.node, { WITH: options.with })
  assert.ok(image.entryPoint.length > 0, 'the image has an entry point')
  if (options.with !== '') assertLoads(image.root, options.with)
  await tryService(image)
  console.log('The image does what it must.')
}

/** As agent.yml would have it loaded. */
function assertLoads(root: string, name: string): void {
  const program = `await import('@vidimus/${name}')`
  const args = [root, 'env', '--chdir=/app/packages/cli', 'node', '--input-type=module', '--eval', program]
  const { status, stderr } = spawnSync('chroot', args, { encoding: 'utf8' })
  assert.equal(status, 0, `@vidimus/${name} loads: ${stderr}`)
}
