import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Accounts } from '@vidimus/accounts'
import { migrations as cheqdMigrations } from '@vidimus/ledger-cheqd'
import type { AnyAgent } from '@vidimus/core-types'
import {
  sql,
  type Connection,
  type Database,
  type Reader,
  type Sql,
  type WriteOptions,
} from '@vidimus/database'
import { openConfiguration } from '../packages/cli/src/installation.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { scanning } from './support/growing-scans.js'
import { openDatabase } from './support/open-database.js'
import { installationOf } from './support/service.js'
import { watchedConnection } from './support/watched-connection.js'

for (const place of PLACES) {
  describe(`queries during startup and readiness checks (${place})`, () => {
    let folder: string
    let url: string
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vidimus-start-reads-'))
      url = await freshDatabase(place)
    })
    after(() => rm(folder, { recursive: true, force: true }))

    it('fully scan no growing table', async () => {
      const first = await statementsOfStart()
      const statements = await statementsOfStart()
      assert.ok(first.size >= statements.size && statements.size > 15, `${statements.size} statements`)
      const scans = await scanning({ dataDirectory: folder, databaseUrl: url }, statements.values())
      assert.deepEqual(scans, [])
    })

    it('are checked effectively: a table without a suitable index is detected', async () => {
      const statements = [
        sql`SELECT sequence FROM account_event WHERE subject = ${'x'}`,
        sql`DELETE FROM account_did WHERE version = ${3}`,
        sql`SELECT sequence FROM account_event WHERE account_id = ${'x'} AND position > ${0} ORDER BY position LIMIT ${1}`,
      ]
      const scans = await scanning({ dataDirectory: folder, databaseUrl: url }, statements)
      assert.deepEqual(
        scans.map((scan) => scan.split(':')[0]),
        ['account_event', 'account_did'],
      )
    })

    /** Every statement between the migrations and readiness, and the background work that starts immediately. */
    async function statementsOfStart(): Promise<Map<string, Sql>> {
      const environment = {
        DATABASE_URL: url,
        PORT: '0',
        LOG_LEVEL: 'silent',
        KMS_SECRET_KEY: 'ab'.repeat(32),
      }
      const installation = await installationOf({ dataDirectory: folder, environment })
      const configuration = await openConfiguration(installation.file, installation.environment)
      const [agent, accounts, database] = (await configuration.build(
        '/agent',
        '/accounts',
        '/database',
        '/server',
      )) as [AnyAgent, Accounts, Database]
      const seen = watch(database)
      try {
        await configuration.start()
        await accounts.firstStart()
        await agent.execute('didCreationRecover', {})
        const results = await configuration.check()
        assert.deepEqual(
          results.filter(({ ok }) => !ok),
          [],
        )
      } finally {
        await configuration.stop()
      }
      return seen
    }
  })
}

/** @returns statements by their texts, as they come */
function watch(database: Database): Map<string, Sql> {
  const seen = new Map<string, Sql>()
  const note = (statement: Sql) => {
    seen.set(statement.text('sqlite'), statement)
    return statement
  }
  const query = database.query.bind(database)
  const remember = database.remember.bind(database)
  const write = database.write.bind(database)
  Object.assign(database, {
    query: (statement: Sql) => query(note(statement)),
    remember: (homes: readonly number[], key: string, read: (reader: Reader) => Promise<unknown>) =>
      remember(homes, key, (reader) => read({ query: (statement) => reader.query(note(statement)) })),
    write: (work: (connection: Connection) => Promise<unknown>, options?: WriteOptions) =>
      write((connection) => work(watchedConnection(connection, note)), options),
  })
  return seen
}

describe('tables on PostgreSQL', () => {
  it('are vacuumed early, all growing ones', async () => {
    const url = await freshDatabase('PostgreSQL')
    const database = await openDatabase({ dataDirectory: '.', databaseUrl: url }, [cheqdMigrations])
    const rows = await database.query<{ name: string; options: string | null }>(
      sql`SELECT relname AS name, array_to_string(reloptions, ',') AS options FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname`,
    )
    await database.lifecycle.stop()
    const factorOf = (options: string | null) =>
      Number(/autovacuum_vacuum_scale_factor=([0-9.]+)/.exec(options ?? '')?.[1] ?? Infinity)
    const seldom = rows.filter(({ options }) => factorOf(options) > 0.05).map(({ name }) => name)
    assert.deepEqual(
      seldom.filter((name) => !NEVER_LARGE.test(name)),
      [],
    )
    assert.ok(rows.some(({ name }) => name === 'account_event') && !seldom.includes('account_event'))
  })
})

/** One row for each installation, network, secret or account that was given a quota; and tables of Veramo that nothing is stored in. */
const NEVER_LARGE =
  /^(migrations|ledger_state|account_event_keeping|account_quota|cheqd_known_height|cheqd_sent|\w*secret_check|claim|credential|message|presentation|\w+_(verifier|credentials|presentations|messages)\w*|veramo\w*)$/
