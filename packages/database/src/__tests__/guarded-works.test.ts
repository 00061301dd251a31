import assert from 'node:assert/strict'
import { queueName } from '@vidimus/core-types'
import { migratedDatabase } from '../../../../test/support/fresh-database.js'
import { Database, sql, type Connection, type WriteOptions } from '../index.js'
import { CreateNote1700000000000 } from './migrations.js'

const TABLES = { migrations: [[CreateNote1700000000000]] }
const GUARDED: WriteOptions = { lane: queueName('notes'), guarded: 'only this lane writes notes' }

describe('works whose lane guards what they read (PostgreSQL)', () => {
  let databases: Database[]
  let here: Database
  beforeEach(async () => {
    const url = await migratedDatabase('PostgreSQL', TABLES)
    databases = [new Database({ url, ...TABLES }), new Database({ url, ...TABLES })]
    for (const { lifecycle } of databases) await lifecycle.start()
    here = databases[0]!
  })
  afterEach(() => Promise.all(databases.map(({ lifecycle }) => lifecycle.stop())))

  const isolation = (options: WriteOptions) =>
    here.write(async (connection) => {
      const [row] = await connection.query<{ level: string }>(
        sql`SELECT current_setting('transaction_isolation') AS level`,
      )
      return row?.level
    }, options)
  const count = async (reader: Pick<Connection, 'query'>) => {
    const [row] = await reader.query<{ notes: number }>(sql`SELECT COUNT(*) AS notes FROM note`)
    return row?.notes ?? 0
  }
  const insert = (id: string) => sql`INSERT INTO note (id, body) VALUES (${id}, '0')`

  it('are repeatable reads; all others are serialisable', async () => {
    assert.equal(await isolation(GUARDED), 'repeatable read')
    assert.equal(await isolation({ lane: queueName('notes') }), 'serializable')
    assert.equal(await isolation({}), 'serializable')
    assert.equal(await isolation({ guarded: 'by no lane' }), 'serializable')
  })

  it('run one after the other with all works of their lane, in all processes', async () => {
    let runs = 0
    const numbered = (n: number) =>
      databases[n % 2]!.write(
        async (connection) => {
          runs += 1
          // Two that ran at once would choose the same name.
          await connection.run(insert(`n${await count(connection)}`))
        },
        n % 3 === 0 ? { lane: queueName('notes') } : GUARDED,
      )
    await Promise.all(Array.from({ length: 60 }, (_, n) => numbered(n)))
    assert.equal(await count(here), 60)
    assert.equal(runs, 60)
  })

  it('do not conflict with a write to a page that they have read', async () => {
    await here.write(async (connection) => {
      for (const id of ['one', 'other']) await connection.run(insert(id))
    })
    let runs = 0
    let bothHaveRead: () => void = () => undefined
    const haveRead = new Promise<void>((resolve) => (bothHaveRead = resolve))
    const add = (id: string, n: number) =>
      databases[n]!.write(
        async (connection) => {
          await connection.query(sql`SELECT body FROM note WHERE id = ${id}`)
          runs += 1
          if (runs === 2) bothHaveRead()
          await haveRead
          await connection.run(insert(`${id} more`))
        },
        { ...GUARDED, lane: queueName(id) },
      )
    await Promise.all([add('one', 0), add('other', 1)])
    assert.equal(runs, 2)
  })

  it('see what a unique constraint refuses when they are run again, and are refused if it was no surprise', async () => {
    let bothHaveRead: () => void = () => undefined
    const haveRead = new Promise<void>((resolve) => (bothHaveRead = resolve))
    let runs = 0
    const addUnlessThere = (n: number) =>
      databases[n]!.write(
        async (connection) => {
          const known = await connection.query(sql`SELECT id FROM note WHERE id = 'once'`)
          runs += 1
          if (runs === 2) bothHaveRead()
          await haveRead
          if (known.length > 0) return 'there'
          connection.send(insert('once'), () => new Error('refused'))
          return 'added'
        },
        { ...GUARDED, lane: queueName(`lane ${n}`) },
      )
    const outcomes = await Promise.all([addUnlessThere(0), addUnlessThere(1)])
    assert.deepEqual(outcomes.sort(), ['added', 'there'])
    const blindly = here.write(
      (connection) => connection.send(insert('once'), () => new Error('refused')),
      GUARDED,
    )
    await assert.rejects(blindly, /^Error: refused$/)
  })

  it('are repeated if a row that they change was changed since they began', async () => {
    await here.write((connection) => connection.run(insert('sum')))
    let runs = 0
    const increment = (n: number) =>
      databases[n % 2]!.write(
        async (connection) => {
          runs += 1
          const [row] = await connection.query<{ body: string }>(sql`SELECT body FROM note WHERE id = 'sum'`)
          await connection.run(sql`UPDATE note SET body = ${String(Number(row?.body) + 1)} WHERE id = 'sum'`)
        },
        { ...GUARDED, lane: queueName(`lane ${n % 4}`) },
      )
    await Promise.all(Array.from({ length: 40 }, (_, n) => increment(n)))
    assert.deepEqual(await here.query(sql`SELECT body FROM note WHERE id = 'sum'`), [{ body: '40' }])
    assert.ok(runs > 40, 'they never met')
  })
})
