import assert from 'node:assert/strict'
import { Database, sql } from '@vidimus/database'
import type { LedgerMessage, UnsignedLedgerMessage } from '@vidimus/ledger'
import { migratedDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { EmbeddedLedger, migrations } from '../index.js'
import { create, didDoc, newDid, newKey, signed, update, type Key } from './signing.js'

/** Transactions meet in most of them. */
const RINGS = 12

interface Party {
  did: string
  key: Key
}

for (const place of PLACES) {
  describe(`DIDs that control each other (${place})`, () => {
    const opened: Database[] = []
    let ledgers: EmbeddedLedger[]
    let url: string

    const open = async (url: string) => {
      const database = new Database({ url, migrations: [migrations] })
      await database.lifecycle.start()
      return database
    }
    before(async () => {
      url = await migratedDatabase(place, { migrations: [migrations] })
      if (place === 'PostgreSQL') await noticeDeadlocksSoon(await open(url))
      opened.push(await open(url), await open(url))
      ledgers = opened.map((database) => new EmbeddedLedger({ network: 'testnet', database }))
    })
    after(() => Promise.all(opened.map(({ lifecycle }) => lifecycle.stop())))

    const signedBy = (message: UnsignedLedgerMessage, parties: readonly Party[]): LedgerMessage => ({
      ...message,
      signatures: parties.flatMap(({ did, key }) => signed(did, message, key).signatures),
    })
    const controlledBy = ({ did }: Party, controller: Party, keys: Party['key'][]) =>
      update(didDoc(did, keys, { controller: [controller.did] }))
    /** DIDs that each control the one before, the first one the last. */
    const ring = async (size: number): Promise<[Party, Party][]> => {
      const parties = Array.from({ length: size }, (): Party => ({ did: newDid(), key: newKey() }))
      const ledger = ledgers[0]!
      for (const { did, key } of parties) await ledger.submit(signed(did, create(didDoc(did, [key])), key))
      const pairs = parties.map((one, n): [Party, Party] => [one, parties[(n + 1) % size]!])
      for (const [one, controller] of pairs)
        await ledger.submit(signedBy(controlledBy(one, controller, [one.key]), [one, controller]))
      return pairs
    }
    /** Replaces the key of the first, which both must allow. */
    const replaceKey = ([one, controller]: [Party, Party], ledger: EmbeddedLedger) => {
      const key = newKey()
      const parties = [one, controller, { did: one.did, key }]
      return ledger.submit(signedBy(controlledBy(one, controller, [key]), parties))
    }

    for (const size of [2, 3])
      it(`change as if one came after the other: a signature with a replaced key is refused (${size} in a ring)`, async () => {
        for (let n = 0; n < RINGS; n += 1) {
          const pairs = await ring(size)
          const outcomes = await Promise.allSettled(
            pairs.map((pair, place) => replaceKey(pair, ledgers[place % ledgers.length]!)),
          )
          const refused = outcomes.filter(({ status }) => status === 'rejected')
          assert.equal(refused.length, 1, `ring ${n}: ${JSON.stringify(outcomes)}`)
          assert.match(String((refused[0] as PromiseRejectedResult).reason), /valid signature/)
        }
      })

    if (place === 'PostgreSQL')
      it('never wait for each other: their locks are taken in one order', async () => {
        // The server counts what a session has met when that ends.
        await Promise.all(opened.splice(0).map(({ lifecycle }) => lifecycle.stop()))
        const database = await open(url)
        opened.push(database)
        const [row] = await database.query<{ deadlocks: string }>(
          sql`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`,
        )
        assert.equal(Number(row?.deadlocks), 0)
      })
  })
}

/** Two transactions that wait for each other are the very case; the server looks for such after a second. */
async function noticeDeadlocksSoon(database: Database): Promise<void> {
  await database.query(sql`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = 20', current_database()); END $$`)
  await database.lifecycle.stop()
}
