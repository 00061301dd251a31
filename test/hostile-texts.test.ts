import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BOUNDS } from '@vidimus/core-types'
import { LEFT_OUT } from '../packages/remote-server/src/rpc/method-list.js'
import { hostileTextSample } from './behaviour/hostile-texts.js'
import type { Client } from './support/client.js'
import { newPrivateKey } from './support/isolation-table.js'
import { withArgument } from './support/naming-arguments.js'
import { ServiceHere } from './support/service-here.js'
import { overWidths } from './support/stored-widths.js'

/** All of them through all operations on PostgreSQL: see `service-on-postgresql.slow.test.ts`. */
describe('hostile texts (SQLite, in this process)', () => {
  let folder: string
  let service: ServiceHere
  let client: Client
  let operator: Client

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-texts-'))
    service = await ServiceHere.start({
      url: `sqlite:${join(folder, 'agent.sqlite')}`,
      configure: (text) => text.replace('[default]', `[default, ${Object.keys(LEFT_OUT).join(', ')}]`),
      listen: true,
    })
    client = await service.clientOf('default')
    await service.accounts.create('operations')
    const key = await service.accounts.createApiKey({ account: 'operations', scopes: ['operator'] })
    operator = client.as(key.apiKey)
  })
  after(async () => {
    await service?.stop()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  hostileTextSample(
    () => client,
    () => operator,
  )

  it('are refused with 400 naming the field: text beyond its limit, in every operation that stores it', async () => {
    const { did } = (await client.ok('POST', '/did/create', { json: { network: 'testnet' } })) as {
      did: string
    }
    for (const [path, json, name] of beyondBounds(did)) {
      const { status, body } = await client.post(path, {
        json,
        ...(path.includes('status') && { query: LIST }),
      })
      assert.equal(status, 400, `${path} ${name}: ${status}`)
      assert.ok(JSON.stringify(body).includes(name), `${path} ${name}: ${JSON.stringify(body).slice(0, 300)}`)
    }
  })

  it('leave nothing in the database beyond the limit of its column', async () => {
    const { over, filled } = await overWidths(service.database)
    assert.deepEqual(over, [])
    assert.ok(filled > 80, String(filled))
  })

  it('that only look alike are different names', async () => {
    // None of the texts above, which are aliases by now.
    const aliases = ['na\u00efve', 'nai\u0308ve']
    for (const alias of aliases) {
      await client.ok('POST', '/key/import', { json: { privateKeyHex: newPrivateKey(), alias } })
    }
    for (const alias of aliases) {
      const { keys } = (await client.ok('GET', '/key/list', { query: { alias } })) as { keys: object[] }
      assert.deepEqual(
        keys.map((key) => (key as { alias: string }).alias),
        [alias],
      )
    }
  })

  it('are refused with 400, never as a server error: encrypted messages and public keys that nobody created', async () => {
    const { kid } = (await client.ok('POST', '/agent/keyManagerCreate', {
      json: { kms: 'local', type: 'X25519' },
    })) as { kid: string }
    const statusOf = async (method: string, args: object) =>
      (await client.post(`/agent/${method}`, { json: args })).status
    const to = { kid, type: 'X25519', publicKeyHex: kid }
    const jwe = String(
      await client.ok('POST', '/agent/keyManagerEncryptJWE', { json: { kid, to, data: 'hello' } }),
    )
    assert.equal(await statusOf('keyManagerDecryptJWE', { kid, data: jwe }), 200)
    for (const data of changedMessages(jwe)) {
      const status = await statusOf('keyManagerDecryptJWE', { kid, data })
      // Fields that nobody reads may contain anything.
      assert.ok(status === 400 || status === 200, `${status}: ${data.slice(0, 900)}`)
    }
    for (const publicKey of NOBODYS_KEYS) {
      assert.equal(await statusOf('keyManagerSharedSecret', { secretKeyRef: kid, publicKey }), 400)
      assert.equal(await statusOf('keyManagerEncryptJWE', { kid, to: { ...publicKey, kid }, data: 'a' }), 400)
    }
  })
})

const LIST = { listType: 'BitstringStatusList', statusPurpose: 'revocation' }

/** A path, arguments of which one is over its bound by one, and its name. */
function beyondBounds(did: string): [path: string, json: object, name: string][] {
  const over = (most: number) => 'x'.repeat(most + 1)
  const many = (most: number, entry: unknown) => Array.from({ length: most + 1 }, () => entry)
  const alias = over(BOUNDS.indexedText)
  const key = { kms: 'local', type: 'Ed25519' }
  const service = { id: '#s', type: 'Hub', serviceEndpoint: 'https://hub.example' }
  const document = { service: [{ ...service, description: over(BOUNDS.documentBytes) }] }
  const name = over(BOUNDS.resourceNameBytes)
  return [
    ['/agent/didManagerCreate', { provider: 'did:key', alias, options: {} }, 'alias'],
    ['/agent/didManagerGetOrCreate', { provider: 'did:key', alias }, 'alias'],
    ['/agent/didManagerSetAlias', { did, alias }, 'alias'],
    ['/agent/keyManagerCreate', { ...key, meta: { note: over(BOUNDS.keyMetaBytes) } }, 'meta'],
    ['/agent/keyManagerImport', { ...key, kid: over(BOUNDS.name), privateKeyHex: newPrivateKey() }, 'kid'],
    ['/agent/didManagerAddService', { did, service: document.service[0] }, 'service'],
    ['/agent/didManagerUpdate', { did, document }, 'service'],
    [
      '/did/create',
      { network: 'testnet', service: many(BOUNDS.documentEntries, { ...service, idFragment: 's' }) },
      'service',
    ],
    ['/key/import', { privateKeyHex: newPrivateKey(), alias: over(BOUNDS.name) }, 'alias'],
    ['/account/webhooks', { url: `https://a.example/${over(BOUNDS.url)}` }, 'url'],
    [
      '/account/webhooks',
      { url: 'https://a.example/', types: many(BOUNDS.eventTypes, 'did.created') },
      'types',
    ],
    ['/account/api-keys', { name: over(BOUNDS.name) }, 'name'],
    ['/credential-status/create/unencrypted', { did, statusListName: name }, 'statusListName'],
    [
      '/credential-status/create/unencrypted',
      { did, statusListName: 'a', statusListVersion: name },
      'statusListVersion',
    ],
    [`/resource/create/${did}`, { name, type: 'Text', data: 'aGk', encoding: 'base64url' }, 'name'],
  ]
}

/** The last one is not on its curve. */
const NOBODYS_KEYS = [
  { type: 'X25519', publicKeyHex: 'constructor' },
  { type: 'X25519', publicKeyHex: 'ab' },
  { type: 'X25519', publicKeyHex: '00'.repeat(32) },
  { type: 'Secp256k1', publicKeyHex: '02'.repeat(33) },
  { type: 'Ed25519', publicKeyHex: '02'.repeat(32) },
]

/** A message with something else, or nothing, in place of each of its members, however deep. */
function changedMessages(jwe: string): string[] {
  const message = JSON.parse(jwe) as { recipients: unknown[] }
  const changed = placesOf(message).flatMap((place) =>
    [undefined, null, 1, 'é', '', {}, []].map((other) => JSON.stringify(withArgument(message, place, other))),
  )
  // Each would have to be tried.
  const many = { ...message, recipients: Array.from({ length: 1000 }, () => message.recipients[0]) }
  return ['', 'null', '[]', '['.repeat(100_000), ...changed, JSON.stringify(many)].filter(
    (text) => text !== jwe,
  )
}

function placesOf(value: unknown, place: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [place]
  const inside = Object.entries(value).flatMap(([name, member]) => placesOf(member, [...place, name]))
  return place.length === 0 ? inside : [place, ...inside]
}
