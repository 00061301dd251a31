import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Accounts, correctTallies, Quotas, type QuotasOptions } from '@vidimus/accounts'
import { IdempotencyRecords } from '@vidimus/idempotency'
import { runInAccountScope, type Account } from '@vidimus/core-types'
import { Database, homeOfDid, sql, tally, type CountsStored } from '@vidimus/database'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import type { ResourceKind } from '@vidimus/ledger'
import { EmbeddedLedger } from '@vidimus/ledger-local'
import {
  create,
  deactivate,
  didDoc,
  newDid,
  newKey,
  publish,
  signed,
  update,
} from '../packages/ledger-local/src/__tests__/signing.js'
import { migratedDatabase, PLACES } from './support/fresh-database.js'
import { recount, TABLES } from './support/recount.js'
import { StatementCounter } from './support/statement-counter.js'

const REFUSED = { code: 'quota_exceeded' }

/** One account's rows and bytes end where its quotas say, and are counted exactly. */
for (const place of PLACES) {
  describe(`storage quotas (${place})`, () => {
    let now = new Date('2026-11-01T00:00:00Z')
    let database: Database
    let accounts: Accounts
    let account: Account
    let neighbour: Account

    before(async () => {
      database = new Database({ url: await migratedDatabase(place, TABLES), ...TABLES })
      await database.lifecycle.start()
      accounts = new Accounts(database)
    })
    after(() => database.lifecycle.stop())
    beforeEach(async () => {
      const name = randomBytes(4).toString('hex')
      account = await accounts.create(`a${name}`)
      neighbour = await accounts.create(`b${name}`)
    })

    const ledgerWith = (options: QuotasOptions = {}) =>
      new EmbeddedLedger({ network: 'testnet', database, quotas: new Quotas(database, options) })
    const as = <T>(who: Account, work: () => Promise<T>) => runInAccountScope(who, work)
    const usage = (options: QuotasOptions = {}) => new Quotas(database, options).usage(account.id)

    /** A DID on the ledger, and its publications. */
    async function publisher(ledger: EmbeddedLedger, who = account) {
      const did = newDid()
      const key = newKey()
      await as(who, () => ledger.submit(signed(did, create(didDoc(did, [key])), key)))
      const resource = (name: string, data: Uint8Array = randomBytes(100), resourceKind?: ResourceKind) =>
        as(who, () =>
          ledger.submit(signed(did, publish(did, { name, data }), key), resourceKind ? { resourceKind } : {}),
        )
      return { did, key, resource }
    }

    it('count actual storage: documents, versions as deltas, lists once', async () => {
      const ledger = ledgerWith()
      const { did, key, resource } = await publisher(ledger)
      const content = randomBytes(20_000)
      for (let n = 0; n < 4; n++) {
        content[n] = n
        await resource('list', content, 'statusList')
      }
      await resource('one')
      await resource('one')
      const doc = didDoc(did, [key])
      await as(account, () => ledger.submit(signed(did, update(doc), key)))
      await as(neighbour, () => publisher(ledger, neighbour))
      const { statusLists, resources, bytes } = await usage()
      assert.deepEqual([statusLists.used, resources.used], [1, 2])
      // three versions of the list are deltas
      assert.ok(bytes.used > 20_000 && bytes.used < 30_000, String(bytes.used))
      const { counted, tallied } = await recount(database)
      assert.deepEqual(tallied, counted)
    })

    it('are counted in the home of each DID, and the sum is not read by each change far from a limit', async () => {
      const ledger = ledgerWith()
      const [one, other] = [await publisher(ledger), await publisher(ledger)]
      const counter = new StatementCounter()
      try {
        await one.resource('one')
        for (let n = 0; n < 11; n += 1) await other.resource(`${n}`)
        const { texts } = counter.take()
        assert.ok(texts.filter((text) => text.includes('SUM(n) AS n FROM account_tally')).length < 12)
      } finally {
        counter.end()
      }
      const rows = await database.query<{ home: number; n: number | string }>(
        sql`SELECT home, n FROM account_tally WHERE account_id = ${account.id} AND kind = 'resources' ORDER BY n`,
      )
      assert.deepEqual(
        rows.map(({ home, n }) => [home, Number(n)]),
        [
          [homeOfDid(one.did), 1],
          [homeOfDid(other.did), 11],
        ],
      )
      assert.equal((await usage()).resources.used, 12)
    })

    it('include what other processes have added in other homes', async () => {
      const limits = { resources: 1003 }
      const { resource } = await publisher(ledgerWith(limits))
      await resource('far from the limit')
      await database.write((connection) => tally(connection, account.id, 'resources', 1000, 7))
      const there = await publisher(ledgerWith(limits))
      await there.resource('near it')
      await there.resource('the last one')
      await assert.rejects(there.resource('one too many'), REFUSED)
      await accounts.update(account.name, { resources: 1004 })
      await there.resource('no longer')
      assert.equal((await usage()).resources.used, 1004)
      await database.write((connection) => tally(connection, account.id, 'resources', -1000, 7))
    })

    it('are exact during concurrent writes, including refusals and conflicts', async () => {
      const limits = { resources: 5 }
      const { resource } = await publisher(ledgerWith(limits))
      const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => resource(`${n}`)))
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 5)
      assert.deepEqual((await usage(limits)).resources, { used: 5, limit: 5 })
      const same = await publisher(ledgerWith())
      await Promise.allSettled(
        Array.from({ length: 4 }, () => same.resource('same', randomBytes(5000), 'statusList')),
      )
      const { counted, tallied } = await recount(database)
      assert.deepEqual(tallied, counted)
    })

    it('refuse creations first: changes of lists and documents, and deactivation, have a reserve', async () => {
      const limits = { bytes: 20_000 }
      const ledger = ledgerWith(limits)
      const { did, key, resource } = await publisher(ledger)
      const list = randomBytes(2000)
      await resource('list', list, 'statusList')
      await resource('fills', randomBytes(20_000 - (await usage(limits)).bytes.used - 300))
      await assert.rejects(resource('more', randomBytes(1000)), {
        ...REFUSED,
        message:
          /^quota\.bytes: the account may have at most roughly 20000 bytes of documents, resources and kept answers, and has 19\d{3}$/,
      })
      await assert.rejects(publisher(ledger), REFUSED)
      list[0] = 1
      await resource('list', list, 'statusList')
      const doc = didDoc(did, [key])
      await as(account, () => ledger.submit(signed(did, update(doc), key)))
      await as(account, () => ledger.submit(signed(did, deactivate(did), key)))
      assert.ok((await usage(limits)).bytes.used > 20_000)
      await publisher(ledger, neighbour)
      const { counted, tallied } = await recount(database)
      assert.deepEqual(tallied, counted)
    })

    it('are final: the reserve is a tenth', async () => {
      const limits = { bytes: 10_000 }
      const { resource } = await publisher(ledgerWith(limits))
      await resource('list', randomBytes(8000), 'statusList')
      await assert.rejects(resource('list', randomBytes(8000), 'statusList'), REFUSED)
    })

    it('can be changed for one account, and what exceeds a new quota stays readable', async () => {
      const ledger = ledgerWith({ statusLists: 1 })
      const { did, resource } = await publisher(ledger)
      await resource('first', undefined, 'statusList')
      await assert.rejects(resource('second', undefined, 'statusList'), REFUSED)
      await accounts.update(account.name, { statusLists: 3 })
      await resource('second', undefined, 'statusList')
      await resource('third', undefined, 'statusList')
      await accounts.update(account.name, { statusLists: 1 })
      assert.deepEqual((await usage({ statusLists: 1 })).statusLists, { used: 3, limit: 1 })
      await assert.rejects(resource('fourth', undefined, 'statusList'), REFUSED)
      await resource('third', undefined, 'statusList')
      const collection = did.split(':').at(-1) ?? ''
      const name = 'StatusList2021Revocation'
      assert.ok(await ledger.getLatestResource(collection, 'second', name))
      await accounts.update(account.name, { statusLists: null })
      assert.equal((await usage({ statusLists: 7 })).statusLists.limit, 7)
      await assert.rejects(accounts.update(account.name, { rows: 1, dids: -1 } as never), {
        code: 'invalid_input',
        message: /quota\.rows: is not a quota; expected one of: dids, keys.*and 1 more/,
      })
    })

    it('are recounted and corrected during writes, by one process at a time', async () => {
      const ledger = ledgerWith()
      const { resource } = await publisher(ledger)
      await resource('before')
      await database.write((connection) =>
        connection.run(sql`UPDATE account_tally SET n = n + 5
          WHERE account_id = ${account.id} AND kind = 'resources'`),
      )
      const counter = ledger.countsStored ?? assert.fail('it counts')
      const meanwhile: CountsStored = {
        ...counter,
        async countStored(reader) {
          const found = await counter.countStored(reader)
          await resource('meanwhile')
          await assert.rejects(correctTallies(database, []), { code: 'unavailable' })
          return found
        },
      }
      const corrected = await correctTallies(database, [meanwhile])
      const own = { account: account.id, accountName: account.name }
      assert.deepEqual(corrected, [{ ...own, kind: 'resources', n: 1, tallied: 6 }])
      assert.equal((await usage()).resources.used, 2)
      assert.deepEqual(await correctTallies(database, [counter]), [])
    })

    it('include stored responses until these expire', async () => {
      const envelope = new PrivateKeyEnvelope({ secret: 'ab'.repeat(32) })
      const quotas = new Quotas(database, { bytes: 1000 })
      const records = new IdempotencyRecords(database, envelope, { quotas, clock: () => now, keepHours: 1 })
      await records.lifecycle.start()
      const answer = async (key: string, length: number) => {
        const request = { accountId: account.id, key, content: 'x' }
        const beginning = await records.begin(request, { waitMs: 0 })
        assert.equal(beginning.outcome, 'begun')
        const body = 'a'.repeat(length)
        return beginning.outcome === 'begun' && beginning.claim.finish({ status: 200, body })
      }
      assert.equal(await answer('first', 400), 'kept')
      const { used } = await usage().then(({ bytes }) => bytes)
      assert.ok(used > 400 && used < 1000)
      assert.equal(await answer('second', 900), 'too-large')
      assert.equal((await usage()).bytes.used, used)
      now = new Date(now.getTime() + 2 * 3_600_000)
      assert.equal(await answer('first', 200), 'kept')
      const again = (await usage()).bytes.used
      assert.ok(again > 200 && again < used)
      now = new Date(now.getTime() + 2 * 3_600_000)
      await records.sweep()
      assert.equal((await usage()).bytes.used, 0)
      await records.lifecycle.stop()
      const { counted, tallied } = await recount(database)
      assert.deepEqual(tallied, counted)
    })
  })
}
