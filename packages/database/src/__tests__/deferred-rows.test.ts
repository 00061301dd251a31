import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { AgentError } from '@vidimus/core-types'
import { freshDatabase, PLACES, type Place } from '../../../../test/support/fresh-database.js'
import { Database, DatabaseError, DeferredRows, sql, type Connection } from '../index.js'
import { CreateNote1700000000000 } from './migrations.js'

for (const place of PLACES) {
  describe(`deferred rows (${place})`, () => deferredRows(place))
}

function deferredRows(place: Place): void {
  let database: Database
  let rows: DeferredRows<string>
  /** while it is set, nothing can be written */
  let away: Error | undefined
  let transactions: number

  const write: Database['write'] = (work) => {
    transactions += 1
    return database.write(async (connection) => {
      const result = await work(connection)
      if (away) throw away
      return result
    })
  }
  const insert = async (connection: Connection, id: string) => {
    const [{ body } = { body: 0 }] = await connection.query<{ body: number }>(
      sql`SELECT count(*) AS body FROM note`,
    )
    await connection.run(sql`INSERT INTO note (id, body) VALUES (${id}, ${Number(body)})`)
  }
  const stored = async () => {
    const notes = await database.query<{ id: string; body: string }>(sql`SELECT id, body FROM note`)
    return notes.toSorted((one, other) => Number(one.body) - Number(other.body)).map(({ id }) => id)
  }

  beforeEach(async () => {
    database = new Database({ url: await freshDatabase(place), migrations: [[CreateNote1700000000000]] })
    await database.lifecycle.start()
    ;[away, transactions] = [undefined, 0]
    rows = new DeferredRows({ write }, insert)
  })
  afterEach(() => database.lifecycle.stop())

  it('are stored in order, concurrent ones in one transaction', async () => {
    await Promise.all(['a', 'b', 'c'].map((id) => rows.add(id)))
    assert.deepEqual(await stored(), ['a', 'b', 'c'])
    assert.equal(transactions, 1)
    assert.equal(rows.length, 0)
  })

  it('that somebody waits for are not kept if they cannot be stored', async () => {
    away = new Error('away')
    assert.deepEqual(await Promise.all([rows.store('a'), rows.add('b')]), [false, undefined])
    assert.equal(rows.length, 1)
    away = undefined
    assert.equal(await rows.store('c'), true)
    assert.deepEqual(await stored(), ['b', 'c'])
  })

  it('are kept while the database is down, and precede rows added later', async () => {
    away = new Error('away')
    await Promise.all([rows.add('a'), rows.add('b')])
    assert.equal(rows.failing, true)
    assert.equal(rows.length, 2)
    assert.deepEqual(await stored(), [])
    away = undefined
    await rows.add('c')
    assert.deepEqual(await stored(), ['a', 'b', 'c'])
    assert.equal(rows.failing, false)
    assert.equal(rows.length, 0)
  })

  it('are kept while the disk is full, without a failure of the service', async () => {
    const full = new DatabaseError('full', 'SQLITE_FULL')
    away = new AgentError('unavailable', 'the disk of the database is full', { cause: full })
    await rows.add('a')
    assert.deepEqual([rows.failing, rows.length], [false, 1])
    away = undefined
    await rows.flush()
    assert.deepEqual([rows.length, await stored()], [0, ['a']])
  })

  it('of a failed transaction precede rows added during it, and are not stored twice', async () => {
    away = new Error('away')
    const first = rows.add('a')
    while (transactions === 0) await setImmediate()
    const second = rows.add('b')
    await first
    away = undefined
    await Promise.all([second, rows.flush()])
    assert.deepEqual(await stored(), ['a', 'b'])
  })
}
