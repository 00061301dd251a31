import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Database, Sql, sql, type Connection, type Reader, type WriteOptions } from '@vidimus/database'
import { checksumOf } from '@vidimus/ledger'
import { watchedConnection } from '../../../../test/support/watched-connection.js'
import { freshDatabase } from '../../../../test/support/fresh-database.js'
import { literal, rowsOf, type PlanNode } from '../../../../test/support/statement-plans.js'
import { EmbeddedLedger, migrations } from '../index.js'
import { collectionOf, create, didDoc, newDid, newKey, publish, signed, update } from './signing.js'

/** The number of versions of one list; others have one each. */
const VERSIONS = 5000
/** The limit of rows that all statements of an update together may read. */
const MOST_ROWS = 300

const bare = (text: string) => new Sql([text], [])

/** The state of the server's table statistics. */
const KNOWLEDGE = ['none', 'outdated', 'current'] as const

for (const knowledge of KNOWLEDGE) {
  describe(`plans of prepared statements on PostgreSQL (statistics: ${knowledge})`, () => {
    let database: Database
    let ledger: EmbeddedLedger
    let seen: Sql[] = []
    let now = Date.parse('2026-01-01T00:00:00Z')
    const key = newKey()
    const did = newDid()
    const [name, resourceType] = ['list', 'StatusList']
    const publishing = (content: string) =>
      ledger.submit(signed(did, publish(did, { name, resourceType, data: Buffer.from(content) }), key))

    before(async () => {
      database = new Database({ url: await freshDatabase('PostgreSQL'), migrations: [migrations] })
      await database.lifecycle.start()
      ledger = new EmbeddedLedger({
        network: 'testnet',
        database: watched(),
        now: () => new Date((now += 1000)),
      })
      await ledger.submit(signed(did, create(didDoc(did, [key])), key))
      await publishing('{"bits":"a"}')
      await database.write(async (connection) => {
        await connection.run(bare('ALTER TABLE "ledger_resource" SET (autovacuum_enabled = false)'))
        // Nearly all have the content of the first: a list whose entry is set and reset.
        const addVersions = (from: number, to: number) =>
          connection.run(sql`INSERT INTO "ledger_resource" SELECT "network", "collection_id",
            gen_random_uuid()::text, "height", "name", "type", CAST(n % 7 AS TEXT), "media_type",
            to_char(TIMESTAMP '2025-01-01' + n * INTERVAL '1 second', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'),
            CASE WHEN n % 500 <> 0 THEN "checksum" ELSE md5(CAST(n AS TEXT)) END, "also_known_as", "size",
            CAST(n AS TEXT), "next_version_id", "account_id", "counts_as", "home"
            FROM (SELECT * FROM "ledger_resource" LIMIT 1) one, generate_series(${from}, CAST(${to} AS INTEGER)) n`)
        await addVersions(1, 200)
        if (knowledge === 'outdated') await connection.run(bare('ANALYZE'))
        await addVersions(201, VERSIONS)
        await connection.run(sql`INSERT INTO "ledger_resource" SELECT "network", gen_random_uuid()::text,
        gen_random_uuid()::text, "height", "name" || CAST(n AS TEXT), "type", "version", "media_type", "created",
        "checksum", "also_known_as", "size", '', '', '', '', n % 1024 FROM (SELECT * FROM "ledger_resource" LIMIT 1) one,
        generate_series(1, ${VERSIONS}) n`)
        if (knowledge === 'current') await connection.run(bare('ANALYZE'))
      })
    })
    after(() => database.lifecycle.stop())

    /** The database, which records its statements. */
    function watched(): Database {
      const note = (statement: Sql) => {
        seen.push(statement)
        return statement
      }
      return Object.assign(Object.create(database) as Database, {
        query: (statement: Sql) => database.query(note(statement)),
        remember: <T>(homes: readonly number[], key: string, read: (reader: Reader) => Promise<T>) =>
          database.remember(homes, key, (reader) =>
            read({ query: (statement) => reader.query(note(statement)) }),
          ),
        write: <T>(work: (connection: Connection) => Promise<T>, options?: WriteOptions) =>
          database.write((connection) => work(watchedConnection(connection, note)), options),
      })
    }

    /** The rows that a statement reads with a plan for these values, and with a generic one; nothing is changed. */
    async function read(statement: Sql): Promise<{ custom: number; generic: number }> {
      const rows = { custom: 0, generic: 0 }
      const undone = new Error('nothing is kept')
      const measure = async (connection: Connection) => {
        for (const mode of ['custom', 'generic'] as const) {
          const plan = `plan_${randomUUID().replaceAll('-', '')}`
          const values = statement.values.map(literal).join(', ')
          await connection.run(bare(`SET LOCAL plan_cache_mode = force_${mode}_plan`))
          await connection.run(bare(`PREPARE ${plan} AS ${statement.text('postgres')}`))
          await connection.run(sql`SAVEPOINT before`)
          const execute = `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE ${plan}${values && `(${values})`}`
          const [row] = await connection.query<{ 'QUERY PLAN': string }>(bare(execute))
          await connection.run(sql`ROLLBACK TO SAVEPOINT before`)
          const [{ Plan }] = JSON.parse(row?.['QUERY PLAN'] ?? '') as [{ Plan: PlanNode }]
          rows[mode] = rowsOf(Plan)
        }
        throw undone
      }
      await database.write(measure).catch((error: unknown) => assert.equal(error, undone))
      return rows
    }

    async function readBy(work: () => Promise<unknown>) {
      seen = []
      await work()
      // An INSERT would meet the row that it has made.
      const statements = seen.filter((one) => !one.text('postgres').startsWith('INSERT'))
      assert.notEqual(statements.length, 0)
      const read_ = []
      for (const one of statements) read_.push({ text: one.text('postgres'), ...(await read(one)) })
      return read_
    }

    const works: [title: string, work: () => Promise<unknown>][] = [
      ['a version with a content that most of the others have', () => publishing('{"bits":"a"}')],
      ['a version with a new content', () => publishing(`{"bits":"${randomUUID()}"}`)],
      ['a change of the document', () => ledger.submit(signed(did, update(didDoc(did, [key])), key))],
      ['the newest version', () => ledger.getLatestResource(collectionOf(did), name, resourceType)],
      ['a page of all versions', () => ledger.listResources(collectionOf(did), { limit: 20 })],
      [
        'the next page of all versions',
        async () => {
          const [first] = await ledger.listResources(collectionOf(did), { limit: 1 })
          await ledger.listResources(collectionOf(did), { limit: 20, after: first?.id ?? '' })
        },
      ],
      [
        'the newest of a content, before a time, and of a label',
        async () => {
          const checksum = checksumOf(Buffer.from('{"bits":"a"}'))
          const before = new Date('2025-01-01T00:30:00Z')
          for (const query of [
            { checksum },
            { checksum, before },
            { before },
            { version: '3' },
            { version: '3', before },
          ]) {
            const found = await ledger.findResources(collectionOf(did), { ...query, limit: 5 })
            assert.equal(found.length, 1)
          }
        },
      ],
    ]
    for (const [title, work] of works) {
      it(`read few rows: ${title}`, async () => {
        const statements = await readBy(work)
        for (const { text, custom, generic } of statements) {
          assert.ok(custom <= 50 && generic <= 50, `${custom} and ${generic} rows: ${text}`)
        }
        const all = statements.reduce((sum, { custom, generic }) => sum + Math.max(custom, generic), 0)
        assert.ok(all <= MOST_ROWS, `${all} rows`)
      })
    }
  })
}
