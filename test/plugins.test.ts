import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

interface Listing {
  parts: { role: string; name?: string; module: string; version?: string; methods?: string[] }[]
  problems: { line: number; column: number; message: string }[]
}

describe('vidimus plugins', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-plugins-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [join(root, 'packages/cli/bin/vidimus.js'), 'plugins', ...args], {
      cwd: root,
      env: { PATH: process.env.PATH, VIDIMUS_DATA_DIR: join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    let complained = ''
    child.stdout.on('data', (text: Buffer) => (printed += text.toString()))
    child.stderr.on('data', (text: Buffer) => (complained += text.toString()))
    const [code] = (await once(child, 'close')) as [number]
    return { code, printed, complained }
  }
  const configured = async (...changes: [from: string, to: string][]) => {
    let text = await readFile(join(root, 'agent.yml'), 'utf8')
    for (const [from, to] of changes) {
      assert.ok(text.includes(from), `agent.yml has no ${from} any more`)
      text = text.replace(from, () => to)
    }
    const file = join(folder, 'agent.yml')
    await writeFile(file, text)
    await writeFile(
      join(folder, 'broken.mjs'),
      `export class Throwing { constructor() { throw new Error('no such device') } }
      export class Twice { methods = { presentationVerify: async () => 1 } }
      export class Reserved { methods = { emit: async () => 1 } }
      export const listType = { type: 'Acme', entryType: 'AcmeEntry' }
      export class HalfLedger { network = 'mainnet'; submit() {} }
      export class HalfKms { sign() {} }`,
    )
    return file
  }
  const names = ({ parts }: Listing, role: string) =>
    parts.filter((part) => part.role === role).map(({ name }) => name)

  it('lists the parts of agent.yml without opening anything', async () => {
    const { code, printed, complained } = await run('--json')
    assert.equal(code, 0, complained)
    const listing = JSON.parse(printed) as Listing
    assert.deepEqual(listing.problems, [])
    assert.deepEqual(names(listing, 'provider'), ['did:cheqd', 'did:key', 'did:jwk', 'did:web'])
    assert.deepEqual(names(listing, 'resolver'), ['cheqd', 'key', 'jwk', 'web', 'webvh'])
    assert.deepEqual(names(listing, 'kms'), ['local'])
    assert.deepEqual(names(listing, 'ledger'), ['testnet', 'mainnet'])
    assert.ok(names(listing, 'list type').includes('BitstringStatusList'))
    const plugins = listing.parts.filter(({ role }) => role === 'plugin')
    const keyManager = plugins.find(({ module }) => module === '@veramo/key-manager')
    assert.ok(keyManager?.methods?.includes('keyManagerSign'))
    assert.ok(plugins.every(({ version, methods }) => version !== undefined && methods?.length))
    const text = await run()
    assert.match(text.printed, /^@veramo\/key-manager#KeyManager {2}\d+\.\d+\.\d+ {2}agent\.yml:\d+:\d+$/m)
    assert.match(text.printed, /^did:key +@vidimus\/did-methods#KeyDIDProvider +\d/m)
    assert.deepEqual(await readdir(folder), [])
  })

  it('reports every broken plugin at once with its location, and exits with 2', async () => {
    const plugin = (name: string) => `        - { $require: './broken.mjs#${name}' }\n`
    const file = await configured(
      [
        '        - { $ref: /didResolver }\n',
        `        - { $ref: /didResolver }\n${['Throwing', 'Twice', 'Reserved'].map(plugin).join('')}`,
      ],
      [
        "{ $require: '@vidimus/status-list?t=object#StatusList2021' }",
        "{ $require: './broken.mjs?t=object#listType' }",
      ],
      ["  - $require: '@vidimus/ledger-local#EmbeddedLedger'", "  - $require: './broken.mjs#HalfLedger'"],
      ["'@vidimus/kms-node#NodeKeyManagementSystem'", "'./broken.mjs#HalfKms'"],
      ["'@vidimus/credentials#DIDJwtPlugin'", "'acme-not-installed#Plugin'"],
    )
    const { code, printed, complained } = await run('--config', file, '--json')
    assert.equal(code, 2)
    for (const says of [
      /#Throwing" could not be built: no such device/,
      /#PresentationPlugin" \(line \d+\) has a method that "\.\/broken\.mjs#Twice" .*: "presentationVerify"/,
      /has a method "emit", which would replace/,
      /is not a status list type: it lacks resourceTypes, /,
      /must be a ledger, .* it lacks getDidDoc, /,
      /is not a key management system .*: it lacks createKey, importKey/,
      /the package "acme-not-installed" is not installed/,
    ]) {
      const line = complained.split('\n').find((each) => says.test(each))
      assert.ok(line, `${complained}\nmust say ${String(says)}`)
      assert.match(line, /agent\.yml:\d+:\d+ {2}/)
      assert.equal(complained.split('\n').filter((each) => says.test(each)).length, 1, line)
    }
    const { problems } = JSON.parse(printed) as Listing
    assert.ok(problems.length >= 7 && problems.every(({ line, column }) => line > 0 && column > 0))
  })
})
