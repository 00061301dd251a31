// The Node.js that the scripts of a clone run on. Where the machine's own is older than our packages support, the pinned one is
// fetched from npm, once, into .node/, and the script goes on with it; VIDIMUS_NODE=system keeps the machine's own.
// Uses nothing but Node.js, as it runs before anything is installed.
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { isBefore, leastNode } from '../packages/cli/bin/require-node.js'

const scripts = dirname(fileURLToPath(import.meta.url))
const folder = join(dirname(scripts), '.node')
const program = process.platform === 'win32' ? 'node.exe' : 'node'
const say = (line) => process.stderr.write(`${line}\n`)

/** Returns where this process may go on; otherwise the same script runs on the other Node.js and ends this process. */
export async function useNodeRuntime() {
  const least = leastNode(join(dirname(scripts), 'packages', 'cli', 'package.json'))
  if (!isBefore(least) || process.env.VIDIMUS_NODE === 'system') return
  try {
    const pin = pinOf(JSON.parse(readFileSync(join(scripts, 'node-runtime.json'), 'utf8')))
    const bin = provide(pin)
    say(`Using Node.js ${pin.version} from npm (.node/); VIDIMUS_NODE=system uses the machine's own`)
    // What the script starts by name is the same one, and looks for no other.
    const PATH = `${bin}${delimiter}${process.env.PATH ?? ''}`
    const env = { ...process.env, PATH, VIDIMUS_NODE: 'system' }
    await runInstead(join(bin, program), [...process.execArgv, ...process.argv.slice(1)], { env })
  } catch (error) {
    say(`Going on with Node.js ${process.versions.node} of this machine: ${error.message.split('\n')[0]}`)
  }
}

function pinOf(pins) {
  // Packages for Linux need glibc, which other C libraries do not report.
  const isOtherLinux = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
  const platform = `${process.platform} ${process.arch}${isOtherLinux ? ' without glibc' : ''}`
  if (pins[platform]) return pins[platform]
  throw new Error(`no Node.js is pinned for ${platform}`)
}

/** @returns the folder of the program, which is fetched if it is not there */
function provide(pin) {
  const home = join(folder, `${pin.package}-${pin.version}`)
  const bin = join(home, 'bin')
  if (existsSync(join(bin, program))) return bin
  mkdirSync(folder, { recursive: true })
  // Beside its place, so that it appears there whole, whoever else fetches it at the same time.
  const temporary = mkdtempSync(join(folder, 'fetching-'))
  try {
    mkdirSync(join(temporary, 'home', 'bin'), { recursive: true })
    const file = join(temporary, 'home', 'bin', program)
    writeFileSync(file, programIn(fetchPackage(pin, temporary)), { mode: 0o755 })
    const version = execFileSync(file, ['--version'], { encoding: 'utf8' }).trim()
    if (version !== `v${pin.version}`) throw new Error(`${nameOf(pin)} has Node.js ${version}`)
    try {
      renameSync(join(temporary, 'home'), home)
    } catch (error) {
      if (!existsSync(join(bin, program))) throw error
    }
    removeOthers(pin)
    return bin
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

const nameOf = (pin) => `${pin.package}@${pin.version}`

/** By npm, which knows the registry, proxy and certificates of this machine. */
function fetchPackage(pin, temporary) {
  say(`Fetching Node.js ${pin.version} (about 50 MB, once) ...`)
  const [command, ...first] = npmCommand()
  const options = ['--ignore-scripts', '--prefer-offline', '--fetch-retries=0', '--loglevel=error']
  try {
    execFileSync(command, [...first, 'pack', nameOf(pin), '--pack-destination', temporary, ...options], {
      cwd: dirname(scripts),
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    })
  } catch (error) {
    const code = /code (E\w+)/.exec(error.stderr ?? '')?.[1] ?? error.code ?? 'failed'
    throw new Error(`npm could not fetch ${nameOf(pin)} (${code})`, { cause: error })
  }
  const packed = readFileSync(
    join(
      temporary,
      readdirSync(temporary).find((name) => name.endsWith('.tgz')),
    ),
  )
  const integrity = `sha512-${createHash('sha512').update(packed).digest('base64')}`
  if (integrity !== pin.integrity) throw new Error(`${nameOf(pin)} does not match its pinned integrity`)
  return packed
}

/** The one file that is needed, of a package as npm packs it: a tar archive whose entries begin with a header of 512 bytes. */
function programIn(packed) {
  const archive = gunzipSync(packed)
  for (let at = 0; at + 512 <= archive.length;) {
    const field = (from, to) => archive.toString('latin1', at + from, at + to).split('\0')[0]
    const size = parseInt(field(124, 136), 8) || 0
    if (field(0, 100) === `package/bin/${program}`) return archive.subarray(at + 512, at + 512 + size)
    at += 512 + Math.ceil(size / 512) * 512
  }
  throw new Error(`the package has no bin/${program}`)
}

/** Other versions for the same platform; a clone may be shared by several platforms. */
function removeOthers(pin) {
  const isOther = (name) => name.startsWith(`${pin.package}-`) && name !== `${pin.package}-${pin.version}`
  for (const name of readdirSync(folder).filter(isOther)) rmSync(join(folder, name), { recursive: true })
}

/** npm as it was called, or as it is in PATH. */
export const npmCommand = () =>
  process.env.npm_execpath
    ? [process.execPath, process.env.npm_execpath]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm']

/** Runs a program in place of this process, which passes on signals and ends as it ends. Settles only if it cannot be started. */
export function runInstead(command, args, options) {
  return new Promise((_, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    child.on('error', reject)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      // A terminal sends its own to both, and a second one would end the program at once.
      process.on(signal, () => (signal === 'SIGINT' && isatty(0)) || child.kill(signal))
    }
    child.on('exit', (code, signal) => {
      if (signal === null) process.exit(code)
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
    })
  })
}
