import assert from 'node:assert/strict'
import { Database, sql } from '@vidimus/database'
import type { LedgerMessage, UnsignedLedgerMessage } from '@vidimus/ledger'
import { migratedDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { EmbeddedLedger, migrations } from '../index.js'
import { create, didDoc, newDid, newKey, signed, update, type Key } from './signing.js'

/** Transactions meet in most of them. */
const PAIRS = 12

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
    const pair = async (): Promise<[Party, Party]> => {
      const [one, other] = [newDid(), newDid()].map((did): Party => ({ did, key: newKey() }))
      assert.ok(one && other)
      const ledger = ledgers[0]!
      for (const { did, key } of [one, other])
        await ledger.submit(signed(did, create(didDoc(did, [key])), key))
      await ledger.submit(
        signedBy(update(didDoc(one.did, [one.key], { controller: [other.did] })), [one, other]),
      )
      await ledger.submit(
        signedBy(update(didDoc(other.did, [other.key], { controller: [one.did] })), [one, other]),
      )
      return [one, other]
    }
    /** Replaces the key of the first, which both must allow. */
    const replaceKey = ({ did }: Party, controller: Party, ledger: EmbeddedLedger, parties: Party[]) => {
      const key = newKey()
      const changed = update(didDoc(did, [key], { controller: [controller.did] }))
      return ledger.submit(signedBy(changed, [...parties, { did, key }]))
    }

    it('change as if one came after the other: a signature with a replaced key is refused', async () => {
      for (let n = 0; n < PAIRS; n += 1) {
        const [one, other] = await pair()
        const outcomes = await Promise.allSettled([
          replaceKey(one, other, ledgers[0]!, [one, other]),
          replaceKey(other, one, ledgers[1]!, [one, other]),
        ])
        const refused = outcomes.filter(({ status }) => status === 'rejected')
        assert.equal(refused.length, 1, `pair ${n}: ${JSON.stringify(outcomes)}`)
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
