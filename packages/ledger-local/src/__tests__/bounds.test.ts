import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { BOUNDS } from '@vidimus/core-types'
import { Database } from '@vidimus/database'
import { LedgerError, toAgentError, type LedgerDidDoc } from '@vidimus/ledger'
import { EmbeddedLedger, migrations } from '../index.js'
import { create, didDoc, newDid, newKey, publish, signed, update, type Key } from './signing.js'
import { freshDatabase } from '../../../../test/support/fresh-database.js'

describe('limits of the embedded ledger', () => {
  let database: Database
  let ledger: EmbeddedLedger
  let key: Key
  let did: string
  before(async () => {
    database = new Database({ url: await freshDatabase('SQLite'), migrations: [migrations] })
    await database.lifecycle.start()
    ledger = new EmbeddedLedger({ network: 'testnet', database })
    key = newKey()
    did = newDid()
    await ledger.submit(signed(did, create(didDoc(did, [key])), key))
  })
  after(() => database.lifecycle.stop())

  const uris = (length: number) => Array.from({ length }, (_, n) => `https://${n}.example/`)
  const refusedAt = (path: string) => (error: unknown) => {
    assert.ok(error instanceof LedgerError, String(error))
    const { code, details } = toAgentError(error)
    assert.deepEqual([code, details.map((detail) => detail.path)], ['ledger_rule', [path]])
    return true
  }

  for (const member of ['context', 'alsoKnownAs'] as const) {
    it(`apply to ${member} of a document, new or changed`, async () => {
      const many: Partial<LedgerDidDoc> = { [member]: uris(BOUNDS.documentEntries + 1) }
      const other = newDid()
      const created = ledger.submit(signed(other, create(didDoc(other, [key], many)), key))
      await assert.rejects(created, refusedAt(member))
      const updated = ledger.submit(signed(did, update(didDoc(did, [key], many)), key))
      await assert.rejects(updated, refusedAt(member))
    })
  }

  it('apply to the size of a document in bytes', async () => {
    const alsoKnownAs = uris(40).map((uri) => uri.padEnd(BOUNDS.text, 'x'))
    const long = didDoc(did, [key], { alsoKnownAs })
    await assert.rejects(ledger.submit(signed(did, update(long, randomUUID()), key)), refusedAt(''))
  })

  it('apply to each text that a document did not have', async () => {
    const alsoKnownAs = ['x'.repeat(BOUNDS.text + 1)]
    const other = newDid()
    const created = ledger.submit(signed(other, create(didDoc(other, [key], { alsoKnownAs })), key))
    await assert.rejects(created, refusedAt('alsoKnownAs'))
  })

  it('apply to the alternative names of a resource', async () => {
    const alsoKnownAs = uris(BOUNDS.alternatives + 1).map((uri) => ({ uri, description: '' }))
    await assert.rejects(
      ledger.submit(signed(did, publish(did, { alsoKnownAs }), key)),
      refusedAt('alsoKnownAs'),
    )
    await ledger.submit(signed(did, publish(did, { alsoKnownAs: alsoKnownAs.slice(1) }), key))
  })
})
