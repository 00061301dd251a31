import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { budgets } from './support/budgets.js'
import { endOfVidimus, runVidimus, Service } from './support/service.js'

const PROBE = join(import.meta.dirname, 'support/loaded-modules.mjs')

/** TypeORM and its dependencies. */
const OF_MIGRATIONS = ['typeorm', '@veramo/data-store', '@sqltools/formatter']
/** What another database, a terminal or a request for it needs. */
const OF_OTHERS = [
  'pg',
  'pino-pretty',
  '@opentelemetry/api',
  'didwebvh-ts',
  '@digitalbazaar/data-integrity',
  '@peculiar/asn1-x509',
]
/** What Veramo imports and no usual request needs; the bundles of our own build have the parts that are used. */
const OF_VERAMO = ['ethers', 'multiformats', 'validator', 'ws', 'z-schema']
/** The agent and its dependencies. */
const OF_THE_AGENT = ['@veramo/core', '@veramo/key-manager', 'z-schema', 'ethers', 'express']

// Files instead of milliseconds, which depend on the machine: loading is most of a start.
describe('modules loaded by a process', () => {
  let dataDirectory: string
  before(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-loads-'))
    // The database is created here: only processes that migrate load the migrations.
    await runVidimus(['account', 'list'], { dataDirectory })
  })
  after(() => rm(dataDirectory, { recursive: true, force: true }))

  const options = (name: string) => ({
    dataDirectory,
    environment: { NODE_OPTIONS: `--import=${PROBE}`, LOADED_MODULES: join(dataDirectory, name) },
  })
  const loaded = async (name: string) => {
    const files = (await readFile(join(dataDirectory, name), 'utf8')).trim().split('\n')
    const packages = files.map((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1])
    return { files: files.length, packages: new Set(packages) }
  }
  const none = (packages: ReadonlySet<string | undefined>, of: readonly string[]) =>
    assert.deepEqual(
      of.filter((each) => packages.has(each)),
      [],
    )

  it('exclude migrations if the service starts on an up-to-date database', async () => {
    const service = await Service.start(options('start'))
    assert.equal(await service.stop(), 0)
    const { files, packages } = await loaded('start')
    none(packages, [...OF_MIGRATIONS, ...OF_OTHERS])
    assert.ok(packages.has('express') && files > 300, 'the probe sees what is loaded')
    // An older Node.js loads the originals.
    if (!('registerHooks' in module)) return
    none(packages, OF_VERAMO)
    assert.ok(files <= budgets.modules.start, `${files} files`)
  })

  it('exclude the agent if a command needs accounts only', async () => {
    const { code, complained } = await endOfVidimus(['key', 'list'], options('key-list'))
    assert.equal(code, 0, complained)
    const { files, packages } = await loaded('key-list')
    none(packages, [...OF_MIGRATIONS, ...OF_THE_AGENT])
    assert.ok(packages.has('sqlite3'), 'the probe sees what is loaded')
    assert.ok(files <= budgets.modules.command, `${files} files`)
  })

  it('are only the command line if help is requested', async () => {
    const { code } = await endOfVidimus(['key', '--help'], options('help'))
    assert.equal(code, 0)
    const { files, packages } = await loaded('help')
    none(packages, [...OF_MIGRATIONS, ...OF_THE_AGENT, 'sqlite3', 'yaml'])
    assert.ok(files <= budgets.modules.help, `${files} files`)
  })
})
