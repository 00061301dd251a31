import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LEFT_OUT } from '../packages/remote-server/src/rpc/method-list.js'
import { hostileTextSample } from './shared/hostile-texts.js'
import type { Client } from './support/client.js'
import { newPrivateKey } from './support/isolation-table.js'
import { withArgument } from './support/naming-arguments.js'
import { ServiceHere } from './support/service-here.js'

/** All of them through all doors, on PostgreSQL, see `hostile-texts.slow.test.ts`. */
describe('hostile texts (SQLite, in this process)', () => {
  let folder: string
  let service: ServiceHere
  let client: Client

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-texts-'))
    service = await ServiceHere.start({
      url: `sqlite:${join(folder, 'agent.sqlite')}`,
      configure: (text) => text.replace('[default]', `[default, ${Object.keys(LEFT_OUT).join(', ')}]`),
      listen: true,
    })
    client = await service.clientOf('default')
  })
  after(async () => {
    await service?.stop()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  hostileTextSample(() => client)

  it('takes what only looks alike for two names', async () => {
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

  it('is a 400, never a failure: encrypted messages and public keys that nobody made', async () => {
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
      // What nobody looks at may be anything.
      assert.ok(status === 400 || status === 200, `${status}: ${data.slice(0, 900)}`)
    }
    for (const publicKey of NOBODYS_KEYS) {
      assert.equal(await statusOf('keyManagerSharedSecret', { secretKeyRef: kid, publicKey }), 400)
      assert.equal(await statusOf('keyManagerEncryptJWE', { kid, to: { ...publicKey, kid }, data: 'a' }), 400)
    }
  })
})

/** The last is no point of its curve. */
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
