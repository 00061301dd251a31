import assert from 'node:assert/strict'
import { queueName } from '@vidimus/core-types'
import { freshDatabase, PLACES, type Place } from '../../../../test/support/fresh-database.js'
import { StatementCounter } from '../../../../test/support/statement-counter.js'
import { Database, isUniqueViolation, sql, type Connection } from '../index.js'
import { CreateNote1700000000000 } from './migrations.js'

for (const place of PLACES) describe(`pipelined writes (${place})`, () => suite(place))

function suite(place: Place): void {
  let database: Database
  before(async () => {
    database = new Database({ url: await freshDatabase(place), migrations: [[CreateNote1700000000000]] })
    await database.lifecycle.start()
  })
  beforeEach(() => database.write((connection) => connection.run(sql`DELETE FROM note`)))
  after(() => database.lifecycle.stop())

  const insert = (id: string, body = '') => sql`INSERT INTO note (id, body) VALUES (${id}, ${body})`
  const ids = async (connection: Pick<Connection, 'query'> = database) =>
    (await connection.query<{ id: string }>(sql`SELECT id FROM note ORDER BY id`)).map(({ id }) => id)
  const taken = (error: unknown) => (isUniqueViolation(error, 'note') ? new Error('taken') : error)

  it('are visible to later statements, and committed at the end', async () => {
    const seen = await database.write(async (connection) => {
      connection.send(insert('a'))
      connection.send(insert('b', "x'; DELETE FROM note; --"))
      const found = await ids(connection)
      connection.send(sql`DELETE FROM note WHERE id = ${'a'}`)
      connection.send(insert('c'))
      return found
    })
    assert.deepEqual(seen, ['a', 'b'])
    assert.deepEqual(await ids(), ['b', 'c'])
  })

  it('roll back the transaction if one fails, however its work handles the error', async () => {
    await database.write((connection) => connection.run(insert('a')))
    const swallowing = database.write(async (connection) => {
      connection.send(insert('b'))
      connection.send(insert('a'), taken)
      await ids(connection).catch(() => undefined)
      await connection.run(insert('c')).catch(() => undefined)
    })
    await assert.rejects(swallowing, { message: 'taken' })
    assert.deepEqual(await ids(), ['a'])
  })

  it('fail with the given error, without affecting others that share the COMMIT', async () => {
    await database.write((connection) => connection.run(insert('a')))
    const work = (id: string) =>
      database.write(
        (connection) => {
          connection.send(insert(`${id}1`))
          connection.send(insert(id), taken)
          return id
        },
        { lane: queueName('notes') },
      )
    const outcomes = await Promise.allSettled(['b', 'a', 'c'].map(work))
    assert.deepEqual(
      outcomes.map((outcome) =>
        outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message,
      ),
      ['b', 'taken', 'c'],
    )
    assert.deepEqual(await ids(), ['a', 'b', 'b1', 'c', 'c1'])
  })

  it('are reported once they are committed, and never if they are undone', async () => {
    await database.write((connection) => connection.run(insert('a')))
    const committed: string[] = []
    const write = (id: string, lane = queueName('notes', id)) =>
      database.write(
        (connection) => {
          connection.whenCommitted(() => committed.push(id))
          connection.send(insert(id), taken)
          assert.ok(!committed.includes(id))
        },
        { lane },
      )
    const together = ['b', 'a', 'c'].map((id) => write(id, queueName('notes')))
    await Promise.allSettled(together)
    assert.deepEqual(committed, ['b', 'c'])
    await assert.rejects(write('a'))
    await write('d')
    await database.write((connection) => connection.whenCommitted(() => committed.push('nothing written')))
    assert.deepEqual(committed, ['b', 'c', 'd', 'nothing written'])
  })

  it('let the work handle a statement that it waits for', async () => {
    await database.write((connection) => connection.run(insert('a')))
    const outcome = await database
      .write(async (connection) => {
        connection.send(insert('b'))
        return await connection.run(insert('a')).catch((error: unknown) => String(isUniqueViolation(error)))
      })
      .catch(() => 'undone')
    // PostgreSQL takes no statement after one that has failed.
    assert.equal(outcome, place === 'SQLite' ? 'true' : 'undone')
    assert.deepEqual(await ids(), place === 'SQLite' ? ['a', 'b'] : ['a'])
  })

  it('go to SQLite in a single call with BEGIN, the change version and COMMIT', async function () {
    if (place !== 'SQLite') this.skip()
    const counter = new StatementCounter()
    try {
      await database.write((connection) => {
        for (const id of ['a', 'b', 'c']) connection.send(insert(id))
      })
      const { calls, statements, commits } = counter.take()
      assert.deepEqual({ calls, statements, commits }, { calls: 1, statements: 6, commits: 1 })
    } finally {
      counter.end()
    }
  })

  it('begin no transaction if there are none', async () => {
    const counter = new StatementCounter()
    try {
      assert.equal(await database.write(() => Promise.resolve('nothing')), 'nothing')
      assert.equal(counter.take().calls, place === 'SQLite' ? 0 : 2)
    } finally {
      counter.end()
    }
  })
}
