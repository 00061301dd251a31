import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  asListName,
  type AccountEventSink,
  type ListFill,
  type NewAccountEvent,
  type StatusListLocation,
} from '@vidimus/core-types'
import { sql, type Connection, type Database } from '@vidimus/database'
import fc from 'fast-check'
import { PLACES } from '../../../../test/support/fresh-database.js'
import {
  as,
  emptyDatabase,
  neverUsed,
  newAccount,
  newList,
  openStore,
  type OpenStore,
  removeFolder,
  takeFree,
  takeNamed,
  temporaryFolder,
} from './open-store.js'

const upTo = (length: number) => Array.from({ length }, (_, n) => n)
const times = async (count: number, work: () => Promise<unknown>) => {
  for (let n = 0; n < count; n += 1) await work()
}
const account = newAccount()

/** Writes events into a table of the store, so that a transaction that is undone tells nobody. */
const told = (list: StatusListLocation, { allocated, entries }: ListFill, database: Database) => {
  const tell = (transaction: unknown, { subject, data }: NewAccountEvent) => {
    const text = JSON.stringify({ subject, ...data })
    const connection = transaction as Connection
    connection.send(
      sql`INSERT INTO "status_list_secret_check" ("id", "sealed") VALUES (${`told ${randomUUID()}`}, ${text})`,
    )
  }
  const events: AccountEventSink = {
    announce: () => assert.fail('told within the transaction'),
    within: { database, tell },
  }
  const event = {
    type: 'list.nearly-full' as const,
    subject: list.resourceType,
    data: { allocated, entries },
  }
  return { events, event }
}

async function readTold(database: Database): Promise<unknown[]> {
  const rows = await database.query<{ sealed: string }>(
    sql`SELECT "sealed" FROM "status_list_secret_check" WHERE "id" LIKE 'told %' ORDER BY "sealed"`,
  )
  return rows.map(({ sealed }) => JSON.parse(sealed) as unknown)
}

for (const place of PLACES) {
  describe(`how full status lists are (${place})`, () => {
    let folder: string
    let url: string
    let here: OpenStore
    let there: OpenStore
    before(async () => {
      folder = await temporaryFolder()
    })
    after(() => removeFolder(folder))
    beforeEach(async () => {
      url = await emptyDatabase(place)
      here = await openStore(folder, { url })
      there = await openStore(folder, { url })
    })
    afterEach(async () => {
      await here.close()
      await there.close()
    })

    const fillOf = async (list: StatusListLocation): Promise<ListFill | undefined> => {
      const [found] = await here.store.indices.fills(list.did, [list])
      return found && { allocated: found.allocated, entries: found.entries }
    }
    const allocatedOf = async (list: StatusListLocation) => (await fillOf(list))?.allocated
    const takenOf = async ({ did, resourceType }: StatusListLocation) => {
      const rows = await here.database.query(
        sql`SELECT t."list_index" FROM "status_list_taken_index" t JOIN "status_list" l ON l."id" = t."list_id"
          WHERE l."did" = ${did} AND l."resource_type" = ${resourceType}`,
      )
      return rows.length
    }
    const wanted = (lists: readonly StatusListLocation[], entries: number, database = here.database) => ({
      lists,
      entries,
      isUsed: neverUsed,
      nearlyFull: (list: StatusListLocation, fill: ListFill) => told(list, fill, database),
    })

    it('count each index once, however it was allocated', async () => {
      const call = fc.oneof(
        fc.record({ named: fc.nat(39), again: fc.boolean() }),
        fc.record({ free: fc.constantFrom(1, 2, 5), both: fc.boolean() }),
        fc.record({ stored: fc.uniqueArray(fc.nat(39), { minLength: 1, maxLength: 3 }) }),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(call, { maxLength: 12 }), async (calls) => {
          const list = newList()
          const other = { ...list, resourceType: 'StatusList2021Suspension' }
          const pace = { publishEvery: 'PT1H', always: false, startedAt: new Date() }
          await here.store.paces.note(list, pace, { made: true, next: new Date() })
          // As a list is created, so that it has an order before it is needed.
          await here.store.addresses.note(list, { settled: true, entries: 40 })
          for (const each of calls) {
            if ('named' in each) {
              await here.store.indices.take([{ lists: [list], index: each.named, again: each.again }])
            } else if ('stored' in each) {
              await here.store.paces.store(
                { list, published: 0, places: [], now: new Date(), next: new Date() },
                () => ({
                  result: undefined,
                  changes: each.stored.map((index) => ({ index, place: String(index), content: '1' })),
                }),
              )
            } else {
              const one = { lists: each.both ? [list, other] : [list], entries: 40, isUsed: neverUsed }
              await here.store.indices.take(upTo(each.free).map(() => one))
            }
          }
          for (const one of [list, other]) assert.equal((await allocatedOf(one)) ?? 0, await takenOf(one))
        }),
        { numRuns: place === 'SQLite' ? 25 : 6 },
      )
    })

    it('count what is in use as well, so that a list without a free index is full', async () => {
      const list = newList()
      await takeNamed(here.store, list, 3)
      for (let index; (index = await takeFree(here.store, list, 200, (n) => n % 3 === 0)) !== undefined;)
        assert.notEqual(index % 3, 0)
      assert.deepEqual(await fillOf(list), { allocated: 200, entries: 200 })
    })

    it('begin anew with another length', async () => {
      const list = newList()
      await takeNamed(here.store, list, 70)
      await times(9, () => takeFree(here.store, list, 50, (n) => n % 2 === 0))
      await takeFree(here.store, list, 80)
      assert.deepEqual(await fillOf(list), { allocated: 11, entries: 80 })
    })

    it('are told of lists of one DID alone, and only of those that are known', async () => {
      const list = newList()
      const unknown = { ...list, statusListName: asListName('unknown') }
      await takeFree(here.store, list, 50)
      await takeFree(here.store, newList(), 50)
      assert.deepEqual(await here.store.indices.fills(list.did, [unknown, list]), [
        { ...list, allocated: 1, entries: 50 },
      ])
      assert.deepEqual(await here.store.indices.fills(list.did, []), [])
    })

    it('are told once, in the transaction that makes a list nearly full, whatever process it is in', async () => {
      const list = newList()
      await Promise.all(
        upTo(48).map((n) => {
          const { store, database } = n % 2 ? here : there
          return as(account, () => store.indices.take([wanted([list], 50, database)]))
        }),
      )
      assert.deepEqual(await readTold(here.database), [
        { subject: list.resourceType, allocated: 45, entries: 50 },
      ])
    })

    it('are not told if nothing is allocated in the end, but by the next who allocates', async () => {
      const list = newList()
      await times(8, () => here.store.indices.take([wanted([list], 10)]))
      const taken = newList()
      await takeNamed(here.store, taken, 1)
      const refused = [wanted([list], 10), { lists: [taken], index: 1 }]
      assert.ok((await here.store.indices.take(refused)).includes(undefined))
      assert.deepEqual(await readTold(here.database), [])
      await times(2, () => here.store.indices.take([wanted([list], 10)]))
      assert.deepEqual(await readTold(here.database), [
        { subject: list.resourceType, allocated: 9, entries: 10 },
      ])
    })

    it('are told of each list that an index is taken in, and of named indices', async () => {
      const [list, named] = [newList(), newList()]
      const other = { ...list, resourceType: 'StatusList2021Suspension' }
      await times(10, () => here.store.indices.take([wanted([list, other], 10)]))
      const { isUsed: _, ...rest } = wanted([named], 10)
      for (const index of upTo(10)) await here.store.indices.take([{ ...rest, index }])
      assert.deepEqual(await readTold(here.database), [
        { subject: 'StatusList2021Revocation', allocated: 9, entries: 10 },
        { subject: 'StatusList2021Revocation', allocated: 9, entries: 10 },
        { subject: 'StatusList2021Suspension', allocated: 9, entries: 10 },
      ])
    })

    it('are told after the commit where events are elsewhere', async () => {
      const list = newList()
      const happened: unknown[] = []
      const announce = async ({ data }: NewAccountEvent) => {
        const [stored] = await there.store.indices.fills(list.did, [list])
        const end = () => assert.fail()
        return {
          happened: () => void happened.push({ ...data, stored: stored?.allocated }),
          didNotHappen: end,
          mayHaveHappened: end,
        }
      }
      const nearlyFull = (at: StatusListLocation, fill: ListFill) => ({
        ...told(at, fill, here.database),
        events: { announce },
      })
      await times(10, () => here.store.indices.take([{ ...wanted([list], 10), nearlyFull }]))
      assert.deepEqual(happened, [{ allocated: 9, entries: 10, stored: 9 }])
    })

    it('count what a restore skips', async () => {
      const list = newList()
      const none = { ...newList(), did: list.did, statusListName: asListName('lost') }
      for (const n of upTo(50)) await takeNamed(here.store, list, 2 * n)
      await times(9, () => takeFree(here.store, list, 100))
      const restore = { isUsed: neverUsed, restore: 'r' }
      const { from, to } = await here.store.restores.skip(list, { ...restore, entries: 100, most: 20 })
      assert.ok(to > from)
      const passed = await takenOf(list)
      await takeFree(here.store, list, 100)
      // Of what is skipped, the named ones count already.
      assert.equal(await allocatedOf(list), passed + 20 + 1)
      for (; (await takeFree(here.store, list, 100)) !== undefined;);
      assert.deepEqual(await fillOf(list), { allocated: 100, entries: 100 })
      await here.store.restores.skip(none, { ...restore, entries: 100 })
      assert.deepEqual(await fillOf(none), { allocated: 100, entries: 100 })
    })
  })
}
