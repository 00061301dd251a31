import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { CACHES } from '@vidimus/core-types'
import { freshDatabase, PLACES, type Place } from '../../../../test/support/fresh-database.js'
import { assertCountsWhatItTakes } from '../../../../test/support/memory-taken.js'
import { Database, sql, type Reader, type Sql } from '../index.js'
import { Moments } from '../moments.js'
import { Remembered } from '../remembered.js'
import { CreateNote1700000000000 } from './migrations.js'

describe('questions about homes', () => {
  it('answer whoever joined one, even if another comes just as the one before ends', async () => {
    for (let ticks = 0; ticks < 10; ticks++) {
      const asked: { homes: ReadonlySet<number>; answer: (changed: number[]) => void }[] = []
      const changed = (homes: ReadonlySet<number>) =>
        new Promise<number[]>((answer) => asked.push({ homes, answer }))
      const watch = { dialect: 'postgres' as const, seesAll: false, changed }
      const reader = { query: () => Promise.resolve([]) }
      const remembered = new Remembered(reader, watch, new Set(), new Moments())
      const answered: number[] = []
      const find = async (home: number) => {
        await remembered.find([home], `${home}`, () => Promise.resolve(home))
        answered.push(home)
      }
      const all = [find(1), find(2)]
      asked[0]?.answer([])
      for (let n = 0; n < ticks; n++) await Promise.resolve()
      all.push(find(3))
      await setImmediate()
      // All but the one that home 2 is in.
      for (const { homes, answer } of asked) if (!homes.has(2)) answer([])
      await setImmediate()
      assert.ok(!answered.includes(2), `after ${ticks} ticks`)
      for (const { answer } of asked) answer([])
      await setImmediate()
      for (const { answer } of asked) answer([])
      await Promise.all(all)
    }
  })
})

for (const place of PLACES) {
  describe(`remembered queries (${place})`, () => rememberedQueries(place))
}

function rememberedQueries(place: Place): void {
  let url: string
  let database: Database
  const open = async () => {
    const opened = new Database({ url, migrations: [[CreateNote1700000000000]] })
    await opened.lifecycle.start()
    return opened
  }
  /** notes of one home begin with its number */
  const homeOfNote = (id: string) => Number.parseInt(id, 10)
  const putting = (id: string, body: string) =>
    sql`INSERT INTO note (id, body) VALUES (${id}, ${body}) ON CONFLICT (id) DO UPDATE SET body = excluded.body`
  const put = (to: Database, id: string, body: string) =>
    to.write((connection) => connection.run(putting(id, body).changing(homeOfNote(id))))
  const rowOf = async (id: string, from = database) => {
    const [row] = await from.queryRemembered<{ body: string }>(
      sql`SELECT body FROM note WHERE id = ${id}`,
      homeOfNote(id),
    )
    return row
  }
  const bodyOf = async (id: string) => (await rowOf(id))?.body

  beforeEach(async () => {
    url = await freshDatabase(place)
    database = await open()
  })
  afterEach(async () => {
    await database.lifecycle.stop()
  })

  it('show every write acknowledged before them', async () => {
    assert.equal(await bodyOf('1 a'), undefined)
    for (let n = 0; n < 200; n++) {
      const [, before] = await Promise.all([put(database, '1 a', `${n}`), bodyOf('1 a')])
      assert.ok([undefined, `${n - 1}`, `${n}`].includes(before))
      assert.equal(await bodyOf('1 a'), `${n}`)
    }
  })

  it('show writes by another process', async () => {
    const other = await open()
    for (let n = 0; n < 50; n++) {
      await put(other, '1 a', `${n}`)
      const seen = await Promise.all([bodyOf('1 a'), bodyOf('1 a'), bodyOf('1 b')])
      assert.deepEqual(seen, [`${n}`, `${n}`, undefined])
    }
    await other.lifecycle.stop()
  })

  it('stay cached when another home changes, in this process or another', async () => {
    const other = await open()
    await put(database, '1 a', 'x')
    const row = await rowOf('1 a')
    await put(database, '2 a', 'y')
    await put(other, '3 a', 'y')
    assert.equal(await rowOf('1 a'), row)
    await put(other, '1 b', 'y')
    assert.notEqual(await rowOf('1 a'), row)
    await other.lifecycle.stop()
  })

  it('are dropped if a statement does not say which homes it changes', async () => {
    const other = await open()
    await put(database, '1 a', 'x')
    for (const [n, writer] of [database, other].entries()) {
      const row = await rowOf('1 a')
      await writer.write((connection) => connection.run(putting('1 a', `${n}`)))
      assert.notEqual(await rowOf('1 a'), row)
      assert.equal(await bodyOf('1 a'), `${n}`)
    }
    await other.lifecycle.stop()
  })

  it('stay cached when an unrelated table changes or a transaction is rolled back', async () => {
    await database.write((connection) => connection.run(sql`CREATE TABLE other (id TEXT)`))
    await put(database, '1 a', 'x')
    const row = await rowOf('1 a')
    await database.write((connection) => connection.run(sql`INSERT INTO other (id) VALUES ('a')`))
    const undone = new Error('undone')
    await assert.rejects(
      database.write(async (connection) => {
        await connection.run(putting('1 a', 'y').changing(1))
        throw undone
      }),
      undone,
    )
    assert.equal(await rowOf('1 a'), row)
  })

  it('are only possible for tables named by a migration', async () => {
    await assert.rejects(
      database.queryRemembered(sql`SELECT n.id FROM note n JOIN "migrations" m ON m.name = n.id`, 0),
      /rows of migrations are not to be remembered/,
    )
  })

  if (place === 'PostgreSQL')
    it('contain what was committed last, whichever transaction began first', async () => {
      const held = Array.from({ length: 2 }, () => {
        const { promise, resolve } = withResolvers()
        return { until: promise, go: resolve }
      })
      const [first, second] = held.map(({ until }, n) => {
        const begun = withResolvers()
        const ended = database.write(async (connection) => {
          await connection.run(putting(`${n + 1} a`, 'new').changing(n + 1))
          begun.resolve()
          await until
        })
        return { begun: begun.promise, ended }
      })
      await Promise.all([first?.begun, second?.begun])
      await put(database, '3 a', 'new')
      assert.deepEqual(await Promise.all(['1 a', '2 a', '3 a'].map(bodyOf)), [undefined, undefined, 'new'])
      held[1]?.go()
      await second?.ended
      assert.deepEqual(await Promise.all(['1 a', '2 a', '3 a'].map(bodyOf)), [undefined, 'new', 'new'])
      held[0]?.go()
      await first?.ended
      assert.deepEqual(await Promise.all(['1 a', '2 a', '3 a'].map(bodyOf)), ['new', 'new', 'new'])
    })

  it('query once while nothing changes, and share the check for changes', async () => {
    const statements: string[] = []
    const reader: Reader = {
      query: <Row>(statement: Sql) => {
        statements.push(statement.text('sqlite'))
        return Promise.resolve([{ id: '1 a' }] as Row[])
      },
    }
    let asked = 0
    const watch = {
      dialect: 'sqlite',
      seesAll: true,
      changed: () => {
        asked += 1
        return Promise.resolve([])
      },
    } as const
    const remembered = new Remembered(reader, watch, new Set(['note']), new Moments())
    const ask = (id: string) =>
      remembered.find([1], id, (rows) => rows.query(sql`SELECT id FROM note WHERE id = ${id}`))
    await Promise.all([ask('a'), ask('a'), ask('b')])
    await ask('a')
    assert.equal(statements.length, 2)
    assert.equal(asked, 3)
  })

  it('count their memory, query again after eviction, and are dropped at the end', async () => {
    await put(database, '1 a', 'x'.repeat(5000))
    const rowsOf = (n: number) =>
      database.queryRemembered(sql`SELECT id, body, CAST(${`${n}`} AS TEXT) AS number FROM note`, 1)
    const rowsFrom = async (first: number): Promise<void> => {
      await Promise.all(Array.from({ length: 200 }, (_, n) => rowsOf(first + n)))
    }
    await rowsFrom(1000)
    await put(database, '1 b', '')
    await bodyOf('1 b')
    await assertCountsWhatItTakes('query', { buffers: 0 }, () => rowsFrom(0))
    assert.equal(await rowsOf(0), await rowsOf(0))
    const rows = await rowsOf(0)
    const { bytes } = CACHES
    CACHES.bytes = 1024
    assert.notEqual(await rowsOf(0), rows)
    CACHES.bytes = bytes
    await rowsOf(0)
    const before = CACHES.takenBy.get('query') ?? 0
    await database.lifecycle.stop()
    assert.ok((CACHES.takenBy.get('query') ?? 0) < before)
    database = await open()
  })

  it('do not remember a failure', async () => {
    await assert.rejects(
      database.queryRemembered(sql`SELECT id FROM later`, 1),
      /no such table|does not exist/,
    )
    await database.write((connection) => connection.run(sql`CREATE TABLE later (id TEXT)`))
    assert.deepEqual(await database.queryRemembered(sql`SELECT id FROM later`, 1), [])
  })
}

/** What `Promise.withResolvers` of later versions of Node.js is. */
function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => undefined as void
  const promise = new Promise<void>((ended) => (resolve = ended))
  return { promise, resolve }
}
