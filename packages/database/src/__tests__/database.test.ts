import assert from 'node:assert/strict'
import { queueName } from '@vidimus/core-types'
import { freshDatabase, PLACES, type Place } from '../../../../test/support/fresh-database.js'
import { Database, isUniqueViolation, sql } from '../index.js'
import { ALL, CreateNote1700000000000, DoNothing1700000000001 } from './migrations.js'

interface Note {
  id: string
  body: string
}

for (const place of PLACES) {
  describe(`Database (${place})`, () => databaseSuite(place))
}

function databaseSuite(place: Place): void {
  let url: string
  let database: Database
  const open = async (migrations = [[CreateNote1700000000000]]) => {
    const opened = new Database({ url, migrations })
    await opened.lifecycle.start()
    return opened
  }
  const insert = (id: string, body = '') => sql`INSERT INTO note (id, body) VALUES (${id}, ${body})`
  const keepsApart = async (lane: string | undefined) => {
    const other = await open()
    await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        (n % 2 ? database : other).write(
          async (connection) => {
            const rows = await connection.query<{ count: number }>(sql`SELECT count(*) AS count FROM note`)
            await connection.run(insert(String(rows[0]?.count).padStart(3, '0')))
          },
          lane === undefined ? {} : { lane: queueName(lane) },
        ),
      ),
    )
    assert.equal((await ids()).length, 100)
    await other.lifecycle.stop()
  }
  const ids = async (from = database) =>
    (await from.query<Note>(sql`SELECT id FROM note ORDER BY id`)).map(({ id }) => id)

  beforeEach(async () => {
    url = await freshDatabase(place)
    database = await open()
  })
  afterEach(async () => {
    await database.lifecycle.stop()
  })

  it('applies migrations once, and lists pending ones beforehand', async () => {
    assert.deepEqual(database.appliedMigrations, ALL)
    assert.deepEqual(await database.pendingMigrations(), [])
    await database.lifecycle.stop()
    database = await open()
    assert.deepEqual(database.appliedMigrations, [])
    const empty = new Database({
      url: await freshDatabase(place),
      migrations: [[CreateNote1700000000000]],
    })
    assert.deepEqual(await empty.pendingMigrations(), ALL)
    assert.deepEqual(await empty.pendingMigrations(), ALL)
  })

  it('reports each migration before applying it', async () => {
    const told: unknown[] = []
    const opened = new Database({ url, migrations: [[CreateNote1700000000000, DoNothing1700000000001]] })
    opened.watchMigrations((begun) => told.push(begun))
    await opened.lifecycle.start()
    assert.deepEqual(told, [{ name: 'DoNothing1700000000001', done: 0, total: 1 }])
    assert.deepEqual(opened.appliedMigrations, ['DoNothing1700000000001'])
    await opened.lifecycle.stop()
  })

  it('lets ten concurrent starts apply the migrations once', async () => {
    const fresh = await freshDatabase(place)
    const started = Array.from(
      { length: 10 },
      () => new Database({ url: fresh, migrations: [[CreateNote1700000000000]] }),
    )
    await Promise.all(started.map(({ lifecycle }) => lifecycle.start()))
    const applied = started.flatMap(({ appliedMigrations }) => appliedMigrations)
    await Promise.all(started.map(({ lifecycle }) => lifecycle.stop()))
    assert.deepEqual(applied, ALL)
  })

  it('reads a consistent snapshot', async () => {
    await database.write((connection) => connection.run(insert('a')))
    const seen = await database.readConsistently(async (reader) => {
      const before = await reader.query(sql`SELECT id FROM note`)
      await database.write((connection) => connection.run(insert('b')))
      return [before.length, (await reader.query(sql`SELECT id FROM note`)).length]
    })
    assert.deepEqual(seen, [1, 1])
    assert.deepEqual(await ids(), ['a', 'b'])
  })

  it('grants a lock to one holder at a time', async () => {
    const other = await open()
    const release = await database.lock(queueName('work'))
    assert.ok(release)
    assert.equal(await other.lock(queueName('work')), undefined)
    assert.equal(await database.lock(queueName('work')), undefined)
    const another = await other.lock(queueName('other-work'))
    assert.ok(another)
    await release()
    const again = await other.lock(queueName('work'))
    assert.ok(again)
    await Promise.all([another(), again()])
    await other.lifecycle.stop()
  })

  it('runs work in turn and passes on its result or error', async () => {
    assert.equal(await database.inTurn(queueName('work'), async () => ids()).then(({ length }) => length), 0)
    const failed = new Error('work failed')
    await assert.rejects(
      database.inTurn(queueName('work'), () => Promise.reject(failed)),
      (error) => error === failed,
    )
    assert.equal(await database.inTurn(queueName('work'), () => Promise.resolve('again')), 'again')
  })

  it('preserves numbers, texts, bytes and null', async () => {
    await database.write(async (connection) => {
      const bytes = place === 'SQLite' ? sql`BLOB` : sql`BYTEA`
      await connection.run(sql`CREATE TABLE kept (n BIGINT, i INTEGER, t TEXT, b ${bytes}, z TEXT)`)
      await connection.run(sql`INSERT INTO kept VALUES (${2 ** 53 - 1}, ${-7}, ${'é\u{1f511}'},
        ${Buffer.from([0, 255])}, ${null})`)
    })
    assert.deepEqual(
      (await database.query(sql`SELECT n, i, t, b, z FROM kept`)).map((row) => ({ ...(row as object) })),
      [{ n: 2 ** 53 - 1, i: -7, t: 'é\u{1f511}', b: Buffer.from([0, 255]), z: null }],
    )
  })

  it('opens once, however often it is started', async () => {
    const fresh = new Database({
      url: await freshDatabase(place),
      migrations: [[CreateNote1700000000000]],
    })
    await Promise.all([1, 2, 3, 4].map(() => fresh.lifecycle.start()))
    await fresh.write((connection) => connection.run(insert('a')))
    assert.deepEqual(await ids(fresh), ['a'])
    await fresh.lifecycle.stop()
  })

  it('commits or rolls back each of many concurrent transactions as a whole', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 300 }, (_, n) =>
        database.write(async (connection) => {
          await connection.run(insert(`a${n}`))
          if (n % 3 === 0) throw new Error('no')
          await connection.run(insert(`b${n}`))
        }),
      ),
    )
    const acknowledged = outcomes.flatMap(({ status }, n) =>
      status === 'fulfilled' ? [`a${n}`, `b${n}`] : [],
    )
    assert.equal(acknowledged.length, 400)
    assert.deepEqual(await ids(), acknowledged.sort())
  })

  it('rolls back only the transaction of a failing statement', async () => {
    await database.write((connection) => connection.run(insert('a')))
    const [before, failing, after] = await Promise.allSettled([
      database.write((connection) => connection.run(insert('c'))),
      database.write(async (connection) => {
        await connection.run(insert('b'))
        await connection.run(insert('a'))
      }),
      database.write((connection) => connection.run(insert('d'))),
    ])
    assert.equal(before.status, 'fulfilled')
    assert.equal(after.status, 'fulfilled')
    assert.equal(failing.status, 'rejected')
    assert.ok(isUniqueViolation(failing.reason, 'note'))
    assert.deepEqual(await ids(), ['a', 'c', 'd'])
  })

  it('shows readers committed rows only', async () => {
    let seen: string[] | undefined
    await assert.rejects(
      database.write(async (connection) => {
        await connection.run(insert('a'))
        assert.equal((await connection.query(sql`SELECT id FROM note`)).length, 1)
        seen = await ids()
        throw new Error('undo')
      }),
    )
    assert.deepEqual(seen, [])
  })

  it('shows readers what was acknowledged before', async () => {
    for (let n = 0; n < 50; n++) {
      const id = String(n).padStart(2, '0')
      await database.write((connection) => connection.run(insert(id)))
      assert.ok((await ids()).includes(id))
    }
  })

  for (const lane of [undefined, 'notes']) {
    it(`isolates two processes, ${lane ? 'in one lane' : 'without lanes'}`, () => keepsApart(lane))
  }

  it('finishes accepted writes before closing, and refuses later ones', async () => {
    const writes = Array.from({ length: 20 }, (_, n) =>
      database.write((connection) => connection.run(insert(String(n)))),
    )
    await database.lifecycle.stop()
    await Promise.all(writes)
    await assert.rejects(
      database.write((connection) => connection.run(insert('late'))),
      { code: 'unavailable' },
    )
    database = await open()
    assert.equal((await ids()).length, 20)
  })

  it('refuses a database written by a newer version', async () => {
    await database.lifecycle.stop()
    const older = new Database({ url, migrations: [] })
    await assert.rejects(older.lifecycle.start(), /newer version .*CreateNote1700000000000/)
    await older.lifecycle.stop()
    database = await open()
  })

  it('never includes the values of a statement in an error', async () => {
    await database.write((connection) => connection.run(insert('a')))
    const error: unknown = await database
      .write((connection) => connection.run(insert('a', 'TOP-SECRET')))
      .catch((reason: unknown) => reason)
    assert.ok(error instanceof Error)
    assert.doesNotMatch(
      JSON.stringify({ ...error, message: error.message, stack: error.stack }),
      /TOP-SECRET/,
    )
  })

  it('reports its health', async () => {
    assert.deepEqual(await database.lifecycle.check(), [{ name: 'database', ok: true }])
    await database.lifecycle.stop()
    assert.equal((await database.lifecycle.check())[0]?.ok, false)
    database = await open()
  })
}
