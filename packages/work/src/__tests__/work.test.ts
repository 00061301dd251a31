import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { AgentError, overdueWork } from '@vidimus/core-types'
import { Database, sql } from '@vidimus/database'
import { migratedDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { rowsRead, searchesOf, statementsOf } from '../../../../test/support/statement-plans.js'
import { until } from '../../../../test/support/until.js'
import { insertWork } from '../work-rows.js'
import { NEVER, workBaseline, workOn, type HeldWork, type NewWork, type WorkKind } from '../index.js'

const TABLES = { migrations: [[workBaseline]] }
const KIND = 'publication'
/** What a claim begins with. */
const SEARCH = /^SELECT home.* WHERE kind = \? AND due_at <= /
const NOTHING: () => void = () => undefined

for (const place of PLACES) {
  describe(`Work (${place})`, () => {
    let database: Database
    let other: Database
    let now: number
    let done: string[]
    let failures: number
    const clock = () => new Date(now)

    beforeEach(async () => {
      const url = await migratedDatabase(place, TABLES)
      database = new Database({ url, ...TABLES })
      other = new Database({ url, ...TABLES })
      for (const one of [database, other]) await one.lifecycle.start()
      now = Date.now()
      done = []
      failures = 0
    })
    afterEach(async () => {
      for (const one of [database, other]) {
        await workOn(one).stop(KIND)
        await one.lifecycle.stop()
      }
    })

    const item = (key: string, more: Partial<NewWork> = {}): NewWork => ({
      ...{ home: key.length, key, owner: 'somebody', dueAt: clock() },
      ...more,
    })
    const add = (...items: NewWork[]) =>
      database.write(
        (connection) => {
          for (const one of items) workOn(database).add(connection, KIND, one, clock())
        },
        { spans: 'items of a test' },
      )
    const ask = (one: NewWork) =>
      database.write((connection) => workOn(database).ask(connection, KIND, one, clock()))
    const kind = (handle: (held: HeldWork) => unknown, more: Partial<WorkKind> = {}): WorkKind => ({
      ...{ name: KIND, most: 4, share: 4, clock },
      leaseMs: () => 60_000,
      retry: () => ({ firstMs: 1000, mostMs: 4000 }),
      onFailure: () => (failures += 1),
      handle: async (held) => {
        const end = await handle(held)
        done.push(held.item.key)
        return { isDone: true, ...(end as object) }
      },
      ...more,
    })
    const find = (key: string, on = database) => workOn(on).find(KIND, { home: key.length, key })

    it('is added with the change that makes it necessary, or not at all', async () => {
      const undone = database.write((connection) => {
        workOn(database).add(connection, KIND, item('one'), clock())
        throw new Error('undone')
      })
      await assert.rejects(undone, /undone/)
      assert.equal(await find('one'), undefined)
      await add(item('one'), item('one', { payload: 'not the first' }))
      assert.equal((await find('one'))?.payload, undefined)
    })

    it('is done by one of several processes, each item once', async () => {
      const keys = Array.from({ length: 60 }, (_, n) => `item ${n}`)
      await add(...keys.map((key) => item(key)))
      const all = [database, other].map((on) =>
        workOn(on)
          .run(kind(() => undefined))
          .drain(),
      )
      const [first = 0, second = 0] = await Promise.all(all)
      assert.deepEqual([...done].sort(), [...keys].sort())
      assert.equal(first + second, keys.length)
      assert.equal(await find('item 1'), undefined)
    })

    if (place === 'PostgreSQL')
      it('is done while another kind waits for a lock that somebody holds', async () => {
        await add(item('one'))
        const urgent = 'renewal'
        await database.write((connection) => workOn(database).add(connection, urgent, item('two'), clock()))
        const holding = other.write(async (connection) => {
          await connection.query(sql`SELECT key FROM work_item WHERE kind = ${urgent} FOR UPDATE`)
          for (const name of [urgent, KIND] as const) workOn(database).run({ ...kind(() => undefined), name })
          await until(() => done.includes('one'))
          assert.deepEqual(done, ['one'])
        })
        await holding
        await until(() => done.length === 2)
        await workOn(database).stop(urgent)
      })

    it('is done when it is due, to the moment, and again when it says so', async () => {
      const second = now + 400
      await add(item('one', { dueAt: new Date(now + 200) }))
      const times: number[] = []
      const begun = performance.now()
      const start = now
      const runningClock = () => new Date(start + performance.now() - begun)
      const handle = () => {
        times.push(runningClock().getTime())
        return times.length === 1 ? { again: { dueAt: new Date(second), payload: 'twice' } } : undefined
      }
      workOn(database).run(kind(handle, { clock: runningClock, isUrgent: true }))
      await until(() => times.length === 2)
      const [first = 0, last = 0] = times
      assert.ok(first >= now + 200 && last >= second, `${first - now} ${last - now}`)
      await until(async () => (await find('one')) === undefined)
    })

    it('is done again if it was asked for meanwhile, and keeps its back-off otherwise', async () => {
      await ask(item('one'))
      const running = workOn(database).run(
        kind(async ({ item: { revision } }) => {
          if (done.length === 0) await ask(item('one'))
          return { askedPayload: String(revision) }
        }),
      )
      assert.equal(await running.drain(), 2)
      await workOn(database).stop(KIND)
      await ask(item('two'))
      const failing = workOn(database).run(kind(() => Promise.reject(new AgentError('unavailable', 'down'))))
      await failing.drain()
      const postponed = await find('two')
      assert.equal(postponed?.attempts, 1)
      await ask(item('two'))
      assert.deepEqual((await find('two'))?.dueAt, postponed?.dueAt)
      assert.equal(failures, 1)
    })

    it('settles nothing that another process has claimed, in whichever transaction', async () => {
      await add(item('one'))
      let release = NOTHING
      const frozen = new Promise<void>((resolve) => (release = resolve))
      let stale: HeldWork | undefined
      const first = workOn(database).run(
        kind(async (held) => {
          stale = held
          await frozen
          return { again: { dueAt: new Date(now + 1), payload: 'of the frozen one' } }
        }),
      )
      const drained = first.drain()
      await until(() => stale !== undefined)
      now += 120_000
      const second = workOn(other).run(kind(() => ({ again: { dueAt: new Date(now + 3_600_000) } })))
      assert.equal(await second.drain(), 1)
      const record = stale?.withVersion(() => ({})) ?? assert.fail()
      for (const transaction of ['made', 'handedOver'] as const) {
        const late = database.write((connection) =>
          record[transaction](connection, { kind: 'resource', did: 'did:x', versionId: '1' }),
        )
        await assert.rejects(late, (error) => overdueWork(error) === record)
      }
      release()
      assert.equal(await drained, 0)
      assert.equal((await find('one'))?.payload, undefined)
      assert.deepEqual((await find('one'))?.dueAt, new Date(now + 3_600_000))
    })

    it('is settled with its effect, or neither of them happens', async () => {
      await add(item('one'))
      const effect = sql`INSERT INTO work_item (home, kind, key, owner, due_at, revision, fence, attempts)
        VALUES (${3}, ${'effect'}, ${'e'}, ${'x'}, ${'2999'}, ${1}, ${1}, ${0})`
      let attempts = 0
      const running = workOn(database).run(
        kind(async (held) => {
          attempts += 1
          await database.write(async (connection) => {
            connection.send(effect)
            await held.withVersion(() => ({})).made(connection)
            if (attempts === 1) throw new Error('the transaction fails')
          })
        }),
      )
      await running.drain()
      const effects = () =>
        database.query(sql`SELECT key FROM work_item WHERE home = ${3} AND kind = ${'effect'}`)
      assert.equal((await effects()).length, 0)
      assert.equal((await find('one'))?.attempts, 1)
      now += 60_000
      await running.drain()
      assert.equal((await effects()).length, 1)
      assert.equal(await find('one'), undefined)
    })

    it('is not settled by a transaction that is undone at its COMMIT, although its handler goes on', async () => {
      await add(item('one'))
      const twice = sql`INSERT INTO work_item (home, kind, key, owner, due_at, revision, fence, attempts)
        SELECT home, kind, key, owner, due_at, revision, fence, attempts FROM work_item WHERE key = ${'two'}`
      await add(item('two', { dueAt: NEVER }))
      const running = workOn(database).run(
        kind(async (held) => {
          const undone = database.write(async (connection) => {
            await held.settle(connection, { again: { dueAt: NEVER } })
            connection.send(twice)
          })
          await assert.rejects(undone)
          assert.equal(held.isSettled, false)
        }),
      )
      await running.drain()
      assert.deepEqual([done, failures], [['one'], 0])
      assert.equal(await find('one'), undefined, 'it is left to nobody')
    })

    it('leaves room for others, however much one owner has', async () => {
      await add(...Array.from({ length: 40 }, (_, n) => item(`many ${n}`, { owner: 'many' })))
      now += 1
      await add(item('few', { owner: 'few' }))
      const running = workOn(database).run(
        kind(() => new Promise((resolve) => setImmediate(resolve)), { most: 4, share: 2 }),
      )
      await running.drain()
      assert.ok(done.indexOf('few') < 12, String(done.indexOf('few')))
      assert.equal(done.length, 41)
    })

    it('is claimed at once for others beside a flood of one owner, whose due items one search has read', async () => {
      const [flood, few] = [10_000, 3]
      await database.write(
        (connection) =>
          connection.run(sql`WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${flood})
            INSERT INTO work_item (home, kind, key, owner, due_at, revision, fence, attempts)
            SELECT n, CAST(${KIND} AS TEXT), 'many ' || n, 'many', CAST(${clock().toISOString()} AS TEXT), 1, 1, 0 FROM s`),
        { spans: 'items of a test' },
      )
      now += 1
      await add(...Array.from({ length: few }, (_, n) => item(`few ${n}`, { owner: 'few' })))
      if (place === 'PostgreSQL') await database.write((connection) => connection.run(sql`ANALYZE`))
      const others = () => done.filter((key) => key.startsWith('few')).length
      const statements = await statementsOf(database, async () => {
        workOn(database).run(
          kind(() => new Promise((resolve) => setImmediate(resolve)), { most: 4, share: 2 }),
        )
        await until(() => others() === few)
        await workOn(database).stop(KIND)
      })
      const last = done.findLastIndex((key) => key.startsWith('few'))
      assert.ok(last < 24, String(last))
      const searches = statements.filter((statement) => SEARCH.test(statement.fragments.join('?')))
      assert.ok(searches.length > 0 && searches.length <= 8, String(searches.length))
      for (const search of searches) {
        if (place === 'PostgreSQL') assert.ok((await rowsRead(database, search)) <= flood + few)
        else
          assert.match(
            (await searchesOf(database, search)).join(),
            /^work_item USING INDEX work_item_due \(kind=\? AND due_at<\?\)$/,
          )
      }
    })

    it('lasts: no more is claimed than is worked on, and its failures count from its last part on', async () => {
      await add(...['one', 'two', 'three'].map((key) => item(key)))
      let end = NOTHING
      const ended = new Promise<void>((resolve) => (end = resolve))
      const lasting = kind(
        async (held) => {
          if (held.item.key !== 'one') return undefined
          if (held.item.attempts === 2)
            await database.write(async (connection) => assert.ok(await held.continues(connection)))
          await ended
          throw new AgentError('unavailable', 'down')
        },
        { most: 2, share: 1, isLong: true },
      )
      await database.write((connection) =>
        connection.run(
          sql`UPDATE work_item SET attempts = 2 WHERE home = ${3} AND kind = ${KIND} AND key = ${'one'}`,
        ),
      )
      const running = workOn(database).run(lasting)
      const drained = running.drain()
      await until(async () => (await find('one'))?.attempts === 0)
      workOn(other).run(lasting)
      // It leaves others to other processes.
      await until(() => done.length > 0)
      end()
      await drained
      assert.equal((await find('one'))?.attempts, 1)
    })

    it('is due again once the database can be written to, though its failure could not be recorded', async () => {
      await add(item('one'))
      const write = database.write.bind(database)
      const running = workOn(database).run(
        kind(() => {
          if (failures > 0) return undefined
          database.write = () => Promise.reject(new Error('the database cannot be reached'))
          throw new Error('down')
        }),
      )
      await until(() => failures === 1)
      database.write = write
      await until(async () => (await find('one')) === undefined)
      await running.drain()
    })

    it('is due at once when it is asked for as if it had neither failed nor been paused', async () => {
      await add(item('one', { dueAt: NEVER }))
      const running = workOn(database).run(kind(() => undefined))
      assert.equal(await running.drain(), 0)
      await database.write((connection) => workOn(database).resume(connection, KIND, item('one'), clock()))
      assert.equal(await running.drain(), 1)
    })

    it('is left alone while nothing can be done, and tried again item by item', async () => {
      await add(...Array.from({ length: 30 }, (_, n) => item(`item ${n}`)))
      let isAway = true
      const running = workOn(database).run(
        kind(() => (isAway ? Promise.reject(new Error('away')) : undefined), {
          isObstacle: (error) => (error as Error).message === 'away',
        }),
      )
      await running.drain()
      // Those that had begun, and one now and then on a slow machine.
      assert.ok(failures > 0 && failures < 15, String(failures))
      isAway = false
      now += 10_000
      await until(() => done.length === 30)
    })

    it('is given back when the process stops, and by one that is gone', async () => {
      await add(item('one'))
      let end = NOTHING
      const running = workOn(other).run(kind(() => new Promise<void>((resolve) => (end = resolve))))
      const drained = running.drain()
      await until(async () => (await find('one'))?.fence !== undefined && end !== NOTHING)
      // What a killed process leaves behind.
      await database.write((connection) =>
        connection.run(
          sql`UPDATE work_item SET holder = ${randomUUID()} WHERE home = ${3} AND kind = ${KIND}`,
        ),
      )
      // By the clock of the kind, which is not that of the system.
      now -= 3_600_000
      workOn(database).run(kind(() => undefined))
      await until(() => done.includes('one'))
      end()
      assert.equal(await drained, 0)
    })

    it('is not done while it is paused, nor by whoever is at it, and at once when it is resumed', async () => {
      const one = { kind: KIND, home: 3, key: 'one' } as const
      await add(item('one'))
      const running = workOn(database).run(
        kind(async () => {
          if (done.length === 0) assert.ok(await workOn(other).act('pause', one))
          return { again: { dueAt: new Date(now + 3_600_000), payload: 'of a paused one' } }
        }),
      )
      assert.equal(await running.drain(), 0)
      now += 7_200_000
      assert.equal(await running.drain(), 0)
      assert.equal((await find('one'))?.payload, undefined)
      assert.equal(await workOn(database).act('pause', one), false)
      assert.ok(await workOn(database).act('resume', one))
      await until(async () => (await find('one'))?.payload !== undefined)
      assert.equal(await workOn(database).act('resume', one), false)
    })

    it('is tried again at once after a failure, and not while it waits for its time', async () => {
      const one = { kind: KIND, home: 3, key: 'one' } as const
      await add(item('one'))
      let isAway = true
      const running = workOn(database).run(
        kind(() => (isAway ? Promise.reject(new AgentError('unavailable', 'down')) : undefined)),
      )
      await running.drain()
      isAway = false
      assert.ok(await workOn(database).act('retry', one))
      await until(() => done.length === 1)
      await add(item('one', { dueAt: new Date(now + 1000) }))
      assert.equal(await workOn(database).act('retry', one), false)
    })

    it('is cancelled only as its owner says, with what it means, or where nothing here does it', async () => {
      const one = { kind: KIND, home: 3, key: 'one' } as const
      await add(item('one'))
      workOn(database).own(KIND)
      assert.equal(await workOn(database).act('cancel', one), false)
      workOn(database).own(KIND, {
        cancel: (connection) => connection.send(insertWork('event', item('effect'), clock())),
      })
      assert.ok(await workOn(database).act('cancel', one))
      assert.equal(await find('one'), undefined)
      assert.ok(await workOn(database).find('event', { home: 6, key: 'effect' }))
      await add(item('one'))
      assert.ok(await workOn(other).act('cancel', one))
      assert.equal(await find('one'), undefined)
    })

    describe('that a caller does', () => {
      const NEW = { home: 3, key: 'one', owner: 'somebody' }
      const run = (on: Database) => workOn(on).run(kind(() => undefined, { clock: () => new Date() }))
      const begin = async () => {
        const { callers } = workOn(database)
        const held = await callers.begin(KIND, NEW)
        await database.write((connection) => Promise.resolve(callers.add(connection, held)))
        return held
      }
      const settle = (held: HeldWork) => database.write((connection) => held.settle(connection))

      it('is taken by nobody meanwhile, and settled with its effect', async () => {
        const held = await begin()
        assert.equal(await run(other).drain(), 0)
        assert.equal(await workOn(other).callers.claim(KIND, NEW), undefined, 'another caller')
        assert.equal(await workOn(database).callers.claim(KIND, NEW), undefined, 'another of this process')
        assert.equal(await settle(held), 'settled')
        assert.equal(await find('one'), undefined)
        assert.equal(await settle(held), 'lost', 'once')
      })

      it('is not the one that was added anew in the same millisecond, by this process or another', async () => {
        const stale = await begin()
        const remove = () => database.write((connection) => workOn(database).remove(connection, KIND, NEW))
        await remove()
        await database.write((connection) =>
          workOn(database).add(connection, KIND, { ...NEW, dueAt: clock() }, stale.begun),
        )
        const { fence, revision } = (await find('one')) ?? assert.fail()
        assert.ok(fence > stale.item.fence && revision > stale.item.revision)
        await remove()
        // Another process may have the same number.
        const { callers } = workOn(other)
        const held = await callers.begin(KIND, NEW)
        Object.assign(held.item, { fence: stale.item.fence, revision: stale.item.revision })
        await other.write((connection) => Promise.resolve(callers.add(connection, held)))
        assert.equal(await settle(stale), 'lost')
        assert.equal(await other.write((connection) => held.settle(connection)), 'settled')
      })

      it('is left to the runner if the caller does not settle it', async () => {
        const held = await begin()
        await workOn(database).callers.release(held)
        assert.equal(await run(other).drain(), 1)
        assert.equal(await settle(held), 'lost')
      })

      it('is taken over from a process that is gone, which settles nothing any more', async () => {
        const held = await begin()
        await database.write((connection) =>
          connection.run(
            sql`UPDATE work_item SET holder = ${randomUUID()} WHERE home = 3 AND kind = ${KIND}`,
          ),
        )
        const taken = await workOn(other).callers.claim(KIND, NEW)
        assert.ok(taken)
        assert.equal(await settle(held), 'lost')
        assert.equal(await other.write((connection) => taken.settle(connection)), 'settled')
      })
    })
  })
}
