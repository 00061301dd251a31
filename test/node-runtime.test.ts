import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { read, root } from './support/repository.js'

const PLATFORM = `${process.platform} ${process.arch}`
const PIN = { package: 'node-of-tests', version: '99.1.0' }

/** Replaces npm: "packs" what lies beside it. */
const NPM = `
  import { appendFileSync, copyFileSync } from 'node:fs'
  import { join } from 'node:path'
  const at = process.argv.indexOf('--pack-destination')
  appendFileSync('npm.log', process.argv[3] + '\\n')
  if (process.env.OFFLINE) { console.error('npm error code ENOTFOUND'); process.exit(1) }
  copyFileSync('packed.tgz', join(process.argv[at + 1], 'packed.tgz'))
`
/** Shows what it runs on, and ends as it is asked to. */
const SCRIPT = `
  import { execFileSync } from 'node:child_process'
  import { useNodeRuntime } from './node-runtime.mjs'
  await useNodeRuntime()
  const [end] = process.argv.slice(2)
  const inPath = execFileSync('sh', ['-c', 'command -v node'], { encoding: 'utf8' }).trim()
  if (end === 'wait') {
    setInterval(() => {}, 1000)
    process.on('SIGTERM', () => process.exit(5))
  }
  console.log(JSON.stringify({ fetched: process.env.FETCHED === 'yes', inPath, end }))
  if (end === 'crash') process.kill(process.pid, 'SIGKILL')
  else if (end !== 'wait') process.exit(Number(end))
`

describe('the Node.js of the scripts', () => {
  let clone: string
  beforeEach(async () => {
    clone = await mkdtemp(join(tmpdir(), 'vidimus-node-'))
    for (const file of ['scripts/node-runtime.mjs', 'packages/cli/bin/require-node.js'])
      await cp(join(root, file), join(clone, file))
    await supported('99.0')
    await writeFile(join(clone, 'scripts/script.mjs'), SCRIPT)
    await writeFile(join(clone, 'npm.mjs'), NPM)
    await pack('v99.1.0')
    await pin({})
  })
  afterEach(() => rm(clone, { recursive: true }))

  /** @param least - the oldest version that the packages support */
  const supported = (least: string) =>
    writeFile(
      join(clone, 'packages/cli/package.json'),
      JSON.stringify({ type: 'module', engines: { node: `>=${least}` } }),
    )
  /** @param version - what the packed program reports */
  async function pack(version: string): Promise<void> {
    await mkdir(join(clone, 'package/bin'), { recursive: true })
    const program = `#!/bin/sh
      case "$1" in --version) echo ${version};; *) FETCHED=yes exec '${process.execPath}' "$@";; esac`
    await writeFile(join(clone, 'package/bin/node'), program, { mode: 0o755 })
    await writeFile(
      join(clone, 'package/package.json'),
      JSON.stringify({ name: PIN.package, version: PIN.version }),
    )
    execFileSync('tar', ['czf', 'packed.tgz', 'package'], { cwd: clone })
  }
  async function integrity(): Promise<string> {
    const packed = await readFile(join(clone, 'packed.tgz'))
    return `sha512-${createHash('sha512').update(packed).digest('base64')}`
  }
  const pin = async (given: object, platform = PLATFORM) =>
    writeFile(
      join(clone, 'scripts/node-runtime.json'),
      JSON.stringify({ [platform]: { ...PIN, integrity: await integrity(), ...given } }),
    )

  function start(end: string, environment: NodeJS.ProcessEnv = {}) {
    const env = { PATH: process.env.PATH, npm_execpath: join(clone, 'npm.mjs'), ...environment }
    return spawn(process.execPath, ['scripts/script.mjs', end], { cwd: clone, env })
  }
  async function run(end = '0', environment?: NodeJS.ProcessEnv) {
    const child = start(end, environment)
    const [stdout, stderr, [code, signal]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null, string | null]>,
    ])
    const shown = JSON.parse(stdout) as { fetched: boolean; inPath: string }
    return { ...shown, said: stderr.trim().split('\n').at(-1), code, signal }
  }
  const fetches = async () => (await readFile(join(clone, 'npm.log'), 'utf8')).trim().split('\n').length
  const goesOn = (outcome: Awaited<ReturnType<typeof run>>, reason: string) => {
    const says = `Going on with Node.js ${process.versions.node} of this machine: ${reason}`
    assert.deepEqual([outcome.said, outcome.fetched, outcome.code], [says, false, 0])
  }

  it('is fetched once, also for what the script starts', async () => {
    const first = await run()
    const says = "Using Node.js 99.1.0 from npm (.node/); VIDIMUS_NODE=system uses the machine's own"
    assert.deepEqual([first.said, first.fetched], [says, true])
    assert.equal(first.inPath, join(clone, '.node/node-of-tests-99.1.0/bin/node'))
    assert.deepEqual((await run()).said, says)
    assert.equal(await fetches(), 1)
    assert.deepEqual(await readdir(join(clone, '.node')), ['node-of-tests-99.1.0'])
  })

  it('comes from the registry that npm uses', async () => {
    const packed = await readFile(join(clone, 'packed.tgz'))
    const server = createServer((req, res) => {
      if (req.url?.endsWith('.tgz')) return res.end(packed)
      const dist = { tarball: `http://${req.headers.host}/packed.tgz` }
      const versions = { [PIN.version]: { name: PIN.package, version: PIN.version, dist } }
      return res.end(JSON.stringify({ name: PIN.package, versions }))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const environment = { npm_config_registry: registry, npm_config_cache: join(clone, 'cache') }
    const { said, fetched } = await run('0', { ...environment, npm_execpath: '' }).finally(() =>
      server.close(),
    )
    assert.ok(fetched, said)
  })

  it('is replaced by the next pinned version', async () => {
    await run()
    await pack('v99.2.0')
    await pin({ version: '99.2.0' })
    assert.ok((await run()).fetched)
    assert.deepEqual(await readdir(join(clone, '.node')), ['node-of-tests-99.2.0'])
  })

  it('is never unpacked if its integrity is not the pinned one', async () => {
    await appendFile(join(clone, 'packed.tgz'), 'more')
    goesOn(await run(), 'node-of-tests@99.1.0 does not match its pinned integrity')
    assert.deepEqual(await readdir(join(clone, '.node')), [])
  })

  it('is that of the machine if the package has another version than it says', async () => {
    await pack('v98.0.0')
    await pin({})
    goesOn(await run(), 'node-of-tests@99.1.0 has Node.js v98.0.0')
    assert.deepEqual(await readdir(join(clone, '.node')), [])
  })

  it('is that of the machine without a network, and fetched later', async () => {
    goesOn(await run('0', { OFFLINE: 'yes' }), 'npm could not fetch node-of-tests@99.1.0 (ENOTFOUND)')
    assert.ok((await run()).fetched)
  })

  it('is that of the machine on a platform without a pin', async () => {
    await pin({}, 'plan9 x64')
    goesOn(await run(), `no Node.js is pinned for ${PLATFORM}`)
  })

  it('is that of the machine, silently, if the packages support it or VIDIMUS_NODE says so', async () => {
    assert.deepEqual((await run('0', { VIDIMUS_NODE: 'system' })).said, '')
    await supported(process.versions.node)
    const { said, fetched } = await run()
    assert.deepEqual([said, fetched], ['', false])
    await assert.rejects(readdir(join(clone, '.node')), { code: 'ENOENT' })
  })

  it('passes on exit codes and signals', async () => {
    assert.equal((await run('3')).code, 3)
    assert.equal((await run('crash')).signal, 'SIGKILL')
    const waiting = start('wait')
    await once(waiting.stdout, 'data')
    waiting.kill('SIGTERM')
    assert.deepEqual(await once(waiting, 'close'), [5, null])
  })

  it('is pinned to one line, with a digest for each platform', () => {
    const pins = Object.entries(
      JSON.parse(read('scripts/node-runtime.json')) as Record<string, Record<string, string>>,
    )
    assert.deepEqual(
      pins.map(([platform]) => platform),
      ['linux x64', 'linux arm64', 'darwin x64', 'win32 x64'],
    )
    for (const [platform, { package: name, version = '', integrity = '' }] of pins) {
      assert.equal(name, `node-${platform.replace('win32', 'win').replace(' ', '-')}`)
      assert.match(version, /^24\.\d+\.\d+$/)
      assert.equal(Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').length, 64)
    }
  })
})

describe('a published package on an older Node.js', () => {
  it('says in one sentence what it needs, and ends with 1', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-old-node-'))
    try {
      const home = join(folder, 'node_modules/vidimus')
      await cp(join(root, 'packages/cli/bin'), join(home, 'bin'), { recursive: true })
      const manifest = {
        ...(JSON.parse(read('packages/cli/package.json')) as object),
        engines: { node: '>=99.12' },
      }
      await writeFile(join(home, 'package.json'), JSON.stringify(manifest))
      const child = spawn(process.execPath, [join(home, 'bin/vidimus.js'), 'start'])
      const [said, [code]] = await Promise.all([
        text(child.stderr),
        once(child, 'close') as Promise<[number | null]>,
      ])
      const needs = `Vidimus needs Node.js 99.12 or later; this is ${process.versions.node}. See https://nodejs.org/\n`
      assert.deepEqual([said, code], [needs, 1])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
