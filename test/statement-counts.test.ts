import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import type { Client } from './support/client.js'
import { emptyInstallation, PLACES, type Place } from './support/fresh-database.js'
import { ServiceHere } from './support/service-here.js'
import { StatementCounter, type StatementCounts } from './support/statement-counter.js'

/**
 * Calls of the driver for one operation of a lone caller, at most: on SQLite each is a trip to another thread, on PostgreSQL
 * many of them go to the server together.
 */
const MOST: Record<string, Record<Place, number>> = {
  'a new did:cheqd': { SQLite: 6, PostgreSQL: 22 },
  'a new did:key': { SQLite: 5, PostgreSQL: 17 },
  'a new key': { SQLite: 6, PostgreSQL: 15 },
  'an imported key': { SQLite: 8, PostgreSQL: 17 },
  'a new list': { SQLite: 16, PostgreSQL: 31 },
  'a new version of a list': { SQLite: 9, PostgreSQL: 23 },
  'a new resource': { SQLite: 6, PostgreSQL: 16 },
}

/** One, but for a new list: its https address is noted before. */
const commitsOf = (name: string): number => (name === 'a new list' ? 2 : 1)

/** The service has work of its own as well, which comes between now and then. */
const RUNS = 6

for (const place of PLACES) {
  describe(`database statements (${place})`, function () {
    let service: ServiceHere
    let client: Client
    let did: string
    let counter: StatementCounter
    before(async () => {
      service = await ServiceHere.start({ url: await emptyInstallation(place), listen: true })
      client = await service.clientOf('counted')
      const answer = await client.post('/did/create', { json: { network: 'testnet' } })
      did = (answer.body as { did: string }).did
      counter = new StatementCounter()
    })
    after(async () => {
      counter.end()
      await service.stop()
    })

    let n = 0
    const list = { listType: 'BitstringStatusList' }
    const create = (statusListName: string) =>
      client.post('/credential-status/create/unencrypted', {
        query: { ...list, statusPurpose: 'revocation' },
        json: { did, statusListName },
      })
    const operations: Record<string, () => Promise<{ status: number }>> = {
      'a new did:cheqd': () => client.post('/did/create', { json: { network: 'testnet' } }),
      'a new did:key': () => client.post('/did/create', { json: { providerId: 'did:key' } }),
      'a new key': () => client.post('/key/create', { json: {} }),
      'an imported key': () =>
        client.post('/key/import', { json: { type: 'Ed25519', privateKeyHex: newSeed() } }),
      'a new list': () => create(`list ${n++}`),
      'a new version of a list': () =>
        client.post('/credential-status/update/unencrypted', {
          query: { ...list, statusAction: 'revoke' },
          json: { did, statusListName: 'list 0', indices: [n++] },
        }),
      'a new resource': () =>
        client.post(`/resource/create/${did}`, {
          json: { data: 'eA', encoding: 'base64url', name: `resource ${n++}`, type: 'Thing' },
        }),
    }

    for (const [name, operation] of Object.entries(operations)) {
      it(`are few, in few transactions: ${name}`, async () => {
        let least: StatementCounts | undefined
        for (let run = 0; run < RUNS; run += 1) {
          counter.take()
          const { status } = await operation()
          assert.ok(status < 300, String(status))
          const counts = counter.take()
          if (!least || counts.calls < least.calls) least = counts
        }
        assert.equal(least?.commits, commitsOf(name), least?.texts.join('\n'))
        assert.ok(least.calls <= (MOST[name]?.[place] ?? 0), `${least.calls}:\n${least.texts.join('\n')}`)
      })
    }
  })
}

function newSeed(): string {
  const { privateKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  return privateKey.subarray(-32).toString('hex')
}
