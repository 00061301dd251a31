// Brings a clone to the point where its code can run: the right Node.js, the locked packages, the built sources.
// Uses nothing but Node.js, as it runs before anything is installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requireNode } from '../packages/cli/bin/require-node.js'
import { npmCommand, useNodeRuntime } from './node-runtime.mjs'
import { linkOwnPackages } from './own-packages.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

export async function readyToRun() {
  requireNode()
  await useNodeRuntime()
  await install()
  await build()
}

// The stamp tells which lock file was installed for which platform. Without it, what npm has noted decides. Packages that are not
// where npm has put them mean that node_modules is stale, however complete it may look.
export async function install() {
  const stampFile = join(root, 'node_modules', '.vidimus-installed')
  const stamp = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex')
  linkOwnPackages(root)
  const isStamped = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp
  if ((isStamped || (await isInstalled())) && allInPlace())
    return isStamped || writeFileSync(stampFile, stamp)
  await step('Installing packages (a few minutes where SQLite must be compiled)', () =>
    npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']),
  )
  writeFileSync(stampFile, stamp)
}

// npm ci or npm install that somebody ran, or a lock file in which only our own packages changed: npm notes what it has put
// where, and SQLite loads where it was compiled for this machine.
async function isInstalled() {
  const [locked, installed] = ['package-lock.json', join('node_modules', '.package-lock.json')].map(
    packagesIn,
  )
  // What else is noted, such as whether only tests need a package, changes nothing on the disk.
  const isSame = (location) =>
    locked[location].link
      ? existsSync(join(root, location))
      : ['version', 'integrity'].every((name) => locked[location][name] === installed[location]?.[name])
  const isThere = (location) =>
    !location.includes('node_modules') || locked[location].optional || isSame(location)
  if (!Object.keys(locked).every(isThere)) return false
  return (await run(process.execPath, ['-e', 'require("sqlite3")'])).code === 0
}

const packagesIn = (file) =>
  existsSync(join(root, file)) ? (JSON.parse(readFileSync(join(root, file), 'utf8')).packages ?? {}) : {}

// Some lie beside the package that needs them, where a copy of the folder node_modules alone does not have them.
function allInPlace() {
  const locations = Object.keys(packagesIn(join('node_modules', '.package-lock.json')))
  return locations.length > 0 && locations.every((location) => existsSync(join(root, location)))
}

async function build() {
  const tsc = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc')
  const { code: failed, output: upToDate } = await run(process.execPath, [tsc, '-b', '--dry'])
  // A compiler that cannot run says so where it is asked to build.
  if (failed || /would build|would update/i.test(upToDate)) {
    await step('Building', () => run(process.execPath, [tsc, '-b']))
  }
  // They look by themselves whether there is anything to do, in less time than it takes to say so.
  for (const bundler of ['scripts/bundle-packages.mjs', 'packages/console/bundle.mjs']) {
    const { code, output } = await run(process.execPath, [join(root, bundler)])
    if (code !== 0) stop(`${bundler} failed:\n${output.trim()}`)
  }
}

function npm(args) {
  const [command, ...first] = npmCommand()
  return run(command, [...first, ...args])
}

function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (text) => (output += text))
    child.stderr.on('data', (text) => (output += text))
    child.on('error', (error) => resolve({ code: 1, output: String(error) }))
    child.on('close', (code) => resolve({ code, output }))
  })
}

// One line per step: with a running clock on a terminal, plain elsewhere. Output is shown only where it failed.
async function step(title, work) {
  const started = Date.now()
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`
  const terminal = process.stderr.isTTY
  const show = (text) => process.stderr.write(terminal ? `\r\u001b[2K${text}` : `${text}\n`)
  show(`${title} ...`)
  const clock = terminal ? setInterval(() => show(`${title} ... ${seconds()}`), 1000) : undefined
  const { code, output } = await work()
  clearInterval(clock)
  if (code !== 0) {
    show(`${title}: failed after ${seconds()}`)
    stop(`\n${output.trim()}`)
  }
  show(`${title}: done in ${seconds()}`)
  if (terminal) process.stderr.write('\n')
}

function stop(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
