import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { queueName } from '@vidimus/core-types'
import { migratedDatabase } from '../../../../test/support/fresh-database.js'
import { PostgresServer } from '../../../../test/support/postgres-server.js'
import { Database, sql, type Connection, type DatabaseOptions } from '../index.js'
import { lastingWork } from './lasting-work.js'
import { CreateNote1700000000000 } from './migrations.js'

const NOTES = { migrations: [[CreateNote1700000000000]] }

const count = async (reader: Pick<Connection, 'query'>): Promise<number> => {
  const [row] = await reader.query<{ notes: number }>(sql`SELECT COUNT(*) AS notes FROM note`)
  return row?.notes ?? 0
}
/** What a busy machine refuses at times, again; a connection that is of no use any more never gets there. */
async function sometime<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== 'unavailable') throw error
    }
  }
}
const insert = (id: string, body = '') => sql`INSERT INTO note (id, body) VALUES (${id}, ${body})`

describe('a database on PostgreSQL', () => {
  let ownOne: Promise<PostgresServer> | undefined
  /** For tests that stop it, and start it again. */
  const ownServer = () => (ownOne ??= PostgresServer.start())
  let database: Database
  const open = async (url: string, postgres: DatabaseOptions['postgres'] = {}) => {
    const opened = new Database({ url, postgres, ...NOTES })
    await opened.lifecycle.start()
    return opened
  }
  const openHasty = (url: string, more: DatabaseOptions['postgres'] = {}) =>
    sometime(() => open(url, { statementTimeoutMs: 500, ...more }))
  const openPatient = (url: string) => open(url, { statementTimeoutMs: 120_000 })
  beforeEach(async () => {
    database = await open(await migratedDatabase('PostgreSQL', NOTES))
  })
  afterEach(() => database.lifecycle.stop())
  after(async () => (await ownOne)?.remove())

  it('retries transactions that cannot be serialised until each has seen the others', async () => {
    let runs = 0
    const numbered = () =>
      database.write(async (connection) => {
        runs += 1
        await connection.run(insert(`n${await count(connection)}`))
      })
    await Promise.all(Array.from({ length: 40 }, numbered))
    assert.equal(await count(database), 40)
    assert.ok(runs > 40, 'they never met')
  })

  it('runs each transaction of a lane once', async () => {
    let runs = 0
    const numbered = () =>
      database.write(
        async (connection) => {
          runs += 1
          await connection.run(insert(`n${await count(connection)}`))
        },
        { lane: queueName('notes') },
      )
    await Promise.all(Array.from({ length: 200 }, numbered))
    assert.equal(await count(database), 200)
    assert.equal(runs, 200)
  })

  it('does not retry transactions that read and change different rows of a small table', async () => {
    await database.write(async (connection) => {
      for (const id of ['one', 'other']) await connection.run(insert(id))
    })
    // From then on it is planned as small as it is.
    await database.query(sql`ANALYZE note`)
    let runs = 0
    let bothHaveRead: () => void = () => undefined
    const haveRead = new Promise<void>((resolve) => (bothHaveRead = resolve))
    const change = (id: string) =>
      database.write(async (connection) => {
        await connection.query(sql`SELECT body FROM note WHERE id = ${id}`)
        runs += 1
        if (runs === 2) bothHaveRead()
        await haveRead
        await connection.run(sql`UPDATE note SET body = ${id} WHERE id = ${id}`)
      })
    await Promise.all([change('one'), change('other')])
    assert.equal(runs, 2)
  })

  it('runs a transaction exclusively after repeated conflicts', async () => {
    const others = { committed: 0 }
    const commitOther = async (n: number) => {
      const number = async (connection: Connection) => {
        await connection.run(insert(`other ${n} ${await count(connection)}`))
      }
      await database.write(number, { lane: queueName(`other ${n}`) })
      others.committed += 1
    }
    let runs = 0
    const refused = async (connection: Connection) => {
      runs += 1
      await count(connection)
      // The first one to finish has read what the other one changes; the last run is exclusive, and the other one waits for it.
      overtaking.push(commitOther(runs))
      if (runs < 3) await overtaking.at(-1)
      await connection.run(insert('refused'))
    }
    const overtaking: Promise<void>[] = []
    await database.write(refused, { lane: queueName('refused') })
    await Promise.all(overtaking)
    assert.equal(runs, 3)
    assert.equal(others.committed, 3)
    assert.equal(await count(database), 4)
  })

  it('retries work that wraps the serialisation failure', async () => {
    const wrapping = (n: number) =>
      database.write(async (connection) => {
        try {
          await connection.run(insert(`n${await count(connection)}`))
        } catch (cause) {
          throw new Error(`attempt ${n}`, { cause })
        }
      })
    await Promise.all(Array.from({ length: 20 }, (_, n) => wrapping(n)))
    assert.equal(await count(database), 20)
  })

  it('reports a rollback if work continues after a failed statement', async () => {
    const swallowing = database.write(async (connection) => {
      await connection.run(insert('a'))
      await connection.run(insert('a')).catch(() => undefined)
    })
    await assert.rejects(swallowing, /transaction failed/)
    assert.equal(await count(database), 0)
  })

  it('does not repeat values that it cannot store', async () => {
    const stored = database.write((connection) => connection.run(insert('a', 'TOP\u0000SECRET')))
    await assert.rejects(stored, (error: Error) => !/TOP|SECRET/.test(JSON.stringify(error) + error.message))
    const compared = database.query(sql`SELECT CAST(${'TOP-SECRET'} AS BIGINT)`)
    await assert.rejects(compared, (error: Error) => !/TOP|SECRET/.test(error.message))
    assert.equal(await count(database), 0)
  })

  it('reports a full disk, without blocking reads, until a write succeeds again', async () => {
    const full = sql`DO $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full'; END $$`
    const message = 'the disk of the database is full'
    await assert.rejects(
      database.write((connection) => connection.run(full)),
      { code: 'unavailable', message },
    )
    assert.equal(await count(database), 0)
    const told = {
      name: 'database',
      ok: true,
      message: `${message}: changes are refused, reads still work`,
    }
    assert.deepEqual(await database.lifecycle.check(), [told])
    await database.write((connection) => connection.run(insert('a')))
    assert.deepEqual(await database.lifecycle.check(), [{ name: 'database', ok: true }])
  })

  it('fails fast with a clear error while the server is down, and recovers on its own', async () => {
    const own = await ownServer()
    const away = await open(await own.createDatabase(), { connectTimeoutMs: 10_000 })
    await away.write((connection) => connection.run(insert('a')))
    await own.stop()
    const unavailable = { code: 'unavailable', message: 'the database cannot be reached' }
    const many = Array.from({ length: 100 }, (_, n) => [
      away.write((connection) => connection.run(insert(`b${n}`)), { lane: queueName('notes') }),
      away.query(sql`SELECT id FROM note`),
      away.queryRemembered(sql`SELECT id FROM note`, 0),
    ]).flat()
    for (const outcome of await Promise.allSettled(many)) {
      assert.equal(outcome.status, 'rejected')
      assert.equal((outcome.reason as { code: string }).code, 'unavailable')
    }
    await assert.rejects(away.query(sql`SELECT 1`), unavailable)
    assert.equal((await away.lifecycle.check())[0]?.ok, false)
    await own.restart()
    await away.write((connection) => connection.run(insert('c')))
    assert.equal(await count(away), 2)
    assert.equal((await away.lifecycle.check())[0]?.ok, true)
    await away.lifecycle.stop()
  })

  it('rolls back transactions in progress when the connection is lost', async () => {
    const own = await ownServer()
    const cut = await open(await own.createDatabase())
    const interrupted = cut.write(async (connection) => {
      await connection.run(insert('a'))
      await own.stop()
      await connection.run(insert('b'))
    })
    await assert.rejects(interrupted, { code: 'unavailable' })
    await own.restart()
    assert.equal(await count(cut), 0)
    await cut.lifecycle.stop()
  })

  it('cancels statements that take too long, and keeps their connections usable', async () => {
    const hasty = await openHasty(await migratedDatabase('PostgreSQL', NOTES), { poolSize: 2 })
    const slow = () => hasty.query(sql`SELECT pg_sleep(30)`)
    const tooSlow = { code: 'unavailable', message: 'the database is too busy to answer in time' }
    await assert.rejects(slow(), tooSlow)
    await assert.rejects(
      hasty.write((connection) => connection.run(sql`SELECT pg_sleep(30)`)),
      tooSlow,
    )
    await sometime(() => hasty.write((connection) => connection.run(insert('a'))))
    assert.equal(await sometime(() => count(hasty)), 1)
    await hasty.lifecycle.stop()
  })

  it('waits for a lane no longer than the statement timeout', async () => {
    const url = await migratedDatabase('PostgreSQL', NOTES)
    const [patient, hasty] = [await openPatient(url), await openHasty(url)]
    const lane = { lane: queueName('notes') }
    await patient.write(async (connection) => {
      await connection.run(insert('a'))
      await assert.rejects(
        hasty.write((other) => other.run(insert('b')), lane),
        { code: 'unavailable' },
      )
    }, lane)
    await sometime(() => hasty.write((other) => other.run(insert('b')), lane))
    assert.equal(await count(patient), 2)
    await Promise.all([patient.lifecycle.stop(), hasty.lifecycle.stop()])
  })

  describe('exclusive work', () => {
    const asksForTurn = async (processes: number) => {
      for (;;) {
        const [row] = await database.query<{ waiting: number }>(
          sql`SELECT COUNT(*) AS waiting FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
        )
        if (row?.waiting === processes) return
        await setTimeout(10)
      }
    }

    it('runs tasks of one name in the order in which processes asked, and others in parallel', async () => {
      const url = await migratedDatabase('PostgreSQL', NOTES)
      const processes = await Promise.all([1, 2, 3].map(() => open(url)))
      const order: number[] = []
      const first = lastingWork()
      const works: Promise<unknown>[] = []
      for (const [n, process] of processes.entries()) {
        works.push(
          process.inTurn<unknown>(queueName('list'), n === 0 ? first.work : async () => order.push(n)),
        )
        await (n === 0 ? first.begun : asksForTurn(n))
      }
      await processes[1]?.inTurn(queueName('another list'), async () => order.push(9))
      // the most recent one comes last
      works.push(first.begun.then(() => processes[0]?.inTurn(queueName('list'), async () => order.push(0))))
      await asksForTurn(3)
      first.end()
      await Promise.all(works)
      assert.deepEqual(order, [9, 1, 2, 0])
      await Promise.all(processes.map((process) => process.lifecycle.stop()))
    })

    it('proceeds without the lock if it cannot be acquired in time', async () => {
      const url = await migratedDatabase('PostgreSQL', NOTES)
      const [patient, hasty] = [await openPatient(url), await openHasty(url)]
      const first = lastingWork()
      const working = patient.inTurn(queueName('list'), first.work)
      await first.begun
      assert.equal(await hasty.inTurn(queueName('list'), () => Promise.resolve('late')), 'late')
      first.end()
      await working
      assert.equal(
        await sometime(() => hasty.inTurn(queueName('list'), () => Promise.resolve('in turn'))),
        'in turn',
      )
      await Promise.all([patient.lifecycle.stop(), hasty.lifecycle.stop()])
    })

    it('waits for a free lock connection, briefly or patiently', async () => {
      const small = await open(await migratedDatabase('PostgreSQL', NOTES), { poolSize: 4 })
      const first = lastingWork()
      const working = small.inTurn(queueName('list'), first.work)
      await first.begun
      const order: string[] = []
      const patient = small.inTurn(queueName('another list'), async () => order.push('patient'), {
        patient: true,
      })
      await small.inTurn(queueName('a third list'), async () => order.push('impatient'))
      const soon = small.inTurn(queueName('a fourth list'), async () => order.push('soon'))
      assert.deepEqual(order, ['impatient'])
      first.end()
      await Promise.all([working, patient, soon])
      assert.deepEqual(order, ['impatient', 'patient', 'soon'])
      await small.lifecycle.stop()
    })

    it('proceeds without lock connections if there are none', async () => {
      const least = await open(await migratedDatabase('PostgreSQL', NOTES), { poolSize: 2 })
      const without = least.inTurn(queueName('list'), () => Promise.resolve('no turns'), { patient: true })
      assert.equal(await without, 'no turns')
      await least.lifecycle.stop()
    })

    it('does not wait for a connection while the server is down', async () => {
      const own = await ownServer()
      const small = await open(await own.createDatabase(), { poolSize: 4, connectTimeoutMs: 10_000 })
      const first = lastingWork()
      const working = small.inTurn(queueName('list'), first.work)
      await first.begun
      const refused = small.inTurn(queueName('another list'), () => Promise.resolve('not reached'), {
        patient: true,
      })
      const patient = small.inTurn(queueName('a third list'), () => Promise.resolve('told by others'), {
        patient: true,
      })
      await own.stop()
      first.end()
      await working
      await assert.rejects(refused, { code: 'unavailable' })
      assert.equal(await patient, 'told by others')
      await small.lifecycle.stop()
      await own.restart()
    })

    it('returns its result although the lock was lost, and is refused while the server is down', async () => {
      const own = await ownServer()
      const cut = await open(await own.createDatabase(), { connectTimeoutMs: 10_000 })
      const first = lastingWork()
      const working = cut.inTurn(queueName('list'), () => first.work().then(() => 'done'))
      await first.begun
      await own.stop()
      first.end()
      assert.equal(await working, 'done')
      let ran = false
      await assert.rejects(
        cut.inTurn(queueName('list'), async () => (ran = true)),
        { code: 'unavailable' },
      )
      assert.equal(ran, false)
      await cut.lifecycle.stop()
      await own.restart()
    })
  })

  it('serves reads while every write connection is waiting', async () => {
    const small = await open(await migratedDatabase('PostgreSQL', NOTES), {
      poolSize: 4,
      connectTimeoutMs: 1500,
    })
    const waiting = Array.from({ length: 10 }, (_, n) =>
      small.write((connection) => connection.query(sql`SELECT pg_sleep(4)`), {
        lane: queueName(`lane ${n}`),
      }),
    )
    const outcomes = Promise.allSettled(waiting)
    assert.equal(await count(small), 0)
    const refused = (await outcomes).flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as { code: string }] : [],
    )
    assert.equal(refused.length, 8)
    assert.ok(refused.every(({ code }) => code === 'unavailable'))
    await small.lifecycle.stop()
  })

  it('reports why it cannot be opened, without the password', async () => {
    const url = await migratedDatabase('PostgreSQL', NOTES)
    const refusal = async (wrong: string) => {
      const error: unknown = await open(wrong).catch((reason: unknown) => reason)
      assert.ok(error instanceof Error)
      assert.doesNotMatch(error.message, /Pg-test|nothing-like-it/)
      return error.message
    }
    assert.match(await refusal(url.replace(/:[^:@]+@/, ':nothing-like-it@')), /rejects the login/)
    assert.match(await refusal(url.replace(/[^/]+$/, 'absent')), /"absent" does not exist/)
    assert.match(await refusal(url.replace(/@[^/]+/, '@127.0.0.1:1')), /cannot be reached .*ECONNREFUSED/)
    assert.match(await refusal(`${url}?sslmode=verify-full`), /does not support SSL/)
  })
})
