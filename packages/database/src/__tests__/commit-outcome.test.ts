import assert from 'node:assert/strict'
import { queueName } from '@vidimus/core-types'
import pg from 'pg'
import { FaultProxy } from '../../../../test/support/fault-proxy.js'
import { PostgresServer, type PostgresDatabases } from '../../../../test/support/postgres-server.js'
import { Database, isUniqueViolation, sql, type Connection } from '../index.js'
import { CreateNote1700000000000 } from './migrations.js'

const insert = (id: string) => sql`INSERT INTO note (id, body) VALUES (${id}, '')`
const ids = async (reader: Pick<Connection, 'query'>) =>
  (await reader.query<{ id: string }>(sql`SELECT id FROM note ORDER BY id`)).map(({ id }) => id)

describe('the end of a transaction on PostgreSQL', () => {
  let server: PostgresDatabases
  let proxy: FaultProxy
  let url: string
  let database: Database
  before(async () => {
    server = await PostgresServer.shared()
    proxy = await FaultProxy.inFrontOf(server.port)
    url = await server.createDatabase()
    const behind = server.urlOf(new URL(url).pathname.slice(1), proxy.port)
    database = new Database({ url: behind, migrations: [[CreateNote1700000000000]] })
    await database.lifecycle.start()
  })
  afterEach(async () => {
    proxy.restore()
    await onServer('DROP FUNCTION IF EXISTS refuse() CASCADE; DELETE FROM note')
  })
  after(async () => {
    await database.lifecycle.stop()
    await proxy.close()
  })

  const onServer = async (text: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query(text)
    } finally {
      await client.end()
    }
  }
  const outcomes = (settled: readonly PromiseSettledResult<unknown>[]) =>
    settled.map((one) => (one.status === 'fulfilled' ? 'done' : (one.reason as { code?: string }).code))
  /** Has every row refused by a trigger. */
  const refusing = (body: string, when = 'TRIGGER refusing BEFORE INSERT ON note') =>
    onServer(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NEW; END $$;
      CREATE ${when} FOR EACH ROW EXECUTE FUNCTION refuse()`)
  const AT_COMMIT = 'CONSTRAINT TRIGGER refusing AFTER INSERT ON note DEFERRABLE INITIALLY DEFERRED'

  const writes: Record<string, (connection: Connection) => Promise<unknown> | undefined> = {
    'that waits for its statements': (connection) => connection.run(insert('a')),
    'that sends everything together': (connection) => {
      connection.send(insert('a'))
      return undefined
    },
  }
  for (const [name, work] of Object.entries(writes)) {
    for (const [at, rows] of [
      ['COMMIT', []],
      ['its answer', ['a']],
    ] as const) {
      it(`is reported as unknown if the connection is cut instead of ${at}, in a work ${name}`, async () => {
        const before = proxy.cutCommits
        proxy.impose({ cutting: { at } })
        await assert.rejects(Promise.resolve(database.write(work)), { code: 'outcome_unknown' })
        assert.equal(proxy.cutCommits, before + 1)
        assert.deepEqual(await ids(database), rows)
      })
    }
  }

  it('is known if the connection is cut before COMMIT', async () => {
    const written = database.write(async (connection) => {
      await connection.run(insert('a'))
      proxy.cut()
      await connection.run(insert('b'))
    })
    await assert.rejects(written, { code: 'unavailable' })
    assert.deepEqual(await ids(database), [])
  })

  it('is known to those that wait behind an unknown one', async () => {
    let begun: () => void = () => undefined
    const first = new Promise<void>((resolve) => (begun = resolve))
    const slow = database.write(
      async (connection) => {
        await connection.run(insert('a'))
        begun()
        await first
        proxy.impose({ cutting: { at: 'COMMIT' } })
      },
      { lane: queueName('notes') },
    )
    await first
    const waiting = database.write((connection) => connection.run(insert('b')), { lane: queueName('notes') })
    assert.deepEqual(outcomes(await Promise.allSettled([slow, waiting])), ['outcome_unknown', 'unavailable'])
    assert.deepEqual(await ids(database), [])
  })

  it('is repeated if a server that has the rows has refused the order of transactions', async () => {
    await onServer('CREATE SEQUENCE IF NOT EXISTS tries; SELECT setval($$tries$$, 1)')
    await refusing(
      `IF nextval('tries') <= 3 THEN
        RAISE WARNING USING ERRCODE = '40001', MESSAGE = 'could not serialize access';
        RAISE WARNING 'failed to commit transaction on worker:5432';
        RAISE EXCEPTION USING ERRCODE = 'XX000', MESSAGE = 'could not commit transaction for shard 102008';
      END IF;`,
      AT_COMMIT,
    )
    let runs = 0
    await database.write(async (connection) => {
      runs += 1
      await connection.run(insert(`run ${runs}`))
    })
    assert.equal(runs, 3)
    assert.deepEqual(await ids(database), ['run 3'])
  })

  for (const [what, warnings] of [
    ['that server is gone', `RAISE WARNING USING ERRCODE = '08006', MESSAGE = 'connection failed';`],
    ['it gives no reason', ''],
  ] as const) {
    it(`is unknown, and not repeated, if ${what}`, async () => {
      await refusing(
        `${warnings} RAISE EXCEPTION USING ERRCODE = 'XX000', MESSAGE = 'could not commit transaction for shard 1';`,
        AT_COMMIT,
      )
      let runs = 0
      const written = database.write(async (connection) => {
        runs += 1
        await connection.run(insert('a'))
      })
      await assert.rejects(written, { code: 'outcome_unknown' })
      assert.equal(runs, 1)
    })
  }

  it('names the table of a violated key by the statement, as servers may name another', async () => {
    await refusing(
      `RAISE unique_violation USING MESSAGE = 'duplicate key value violates unique constraint "note_pkey_102008"',
        CONSTRAINT = 'note_pkey_102008';`,
    )
    const violation = (written: Promise<unknown>) =>
      written.then(
        () => assert.fail('it was not refused'),
        (error: unknown) => [isUniqueViolation(error, 'note'), isUniqueViolation(error, 'other')],
      )
    assert.deepEqual(await violation(database.write((connection) => connection.run(insert('a')))), [
      true,
      false,
    ])
    const sent = database.write((connection) => connection.send(insert('a'), (error) => error))
    assert.deepEqual(await violation(sent), [true, false])
  })
})
