import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Accounts } from '@vidimus/account-manager'
import { migrations as cheqdMigrations } from '@vidimus/ledger-cheqd'
import type { AnyAgent } from '@vidimus/core-types'
import { Sql, sql, type Connection, type Database } from '@vidimus/database'
import { openConfiguration } from '../packages/cli/src/installation.js'
import { freshDatabase, PLACES, type Place } from './support/fresh-database.js'
import { openDatabase } from './support/open-database.js'
import { installationOf } from './support/service.js'

/** Tables that do not grow with what accounts do, and those of what is under way at this moment alone. */
const SMALL = new Set([
  'account_event_keeping',
  'ledger_state',
  'migrations',
  'secret_check',
  'status_list_secret_check',
  'webhook_secret_check',
  'announced_event',
  'did_creation',
])
/** They hold what is still to be done, and nothing else. */
const PARTIAL_INDICES = /USING (COVERING )?INDEX account_event_unplaced/

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Filter?: string
  Plans?: Plan[]
}

for (const place of PLACES) {
  describe(`what runs at a start and for readiness (${place})`, () => {
    let folder: string
    let url: string
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vidimus-start-reads-'))
      url = await freshDatabase(place)
    })
    after(() => rm(folder, { recursive: true, force: true }))

    it('reads no table that grows from one end to the other', async () => {
      const first = await statementsOfStart()
      const statements = await statementsOfStart()
      assert.ok(first.size >= statements.size && statements.size > 15, `${statements.size} statements`)
      const database = await openDatabase({ dataDirectory: folder, databaseUrl: url })
      const scans: string[] = []
      try {
        for (const statement of statements.values()) {
          for (const scan of await scansOf(database, statement, place)) {
            scans.push(`${scan}: ${statement.text('sqlite').replaceAll(/\s+/g, ' ')}`)
          }
        }
      } finally {
        await database.lifecycle.stop()
      }
      assert.deepEqual(scans, [])
    })

    /** Every statement between the migrations and a service that is ready, and what it does in the background at once. */
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
  const noting = (connection: Connection): Connection => ({
    query: (statement) => connection.query(note(statement)),
    run: (statement) => connection.run(note(statement)),
  })
  const query = database.query.bind(database)
  const queryRemembered = database.queryRemembered.bind(database)
  const write = database.write.bind(database)
  Object.assign(database, {
    query: (statement: Sql) => query(note(statement)),
    queryRemembered: (statement: Sql) => queryRemembered(note(statement)),
    write: (work: (connection: Connection) => Promise<unknown>, options?: { lane?: string }) =>
      write((connection) => work(noting(connection)), options),
  })
  return seen
}

async function scansOf(database: Database, statement: Sql, place: Place): Promise<string[]> {
  const text = statement.text(place === 'SQLite' ? 'sqlite' : 'postgres')
  // One row of a table is found at once, wherever it is.
  if (/^SELECT 1 AS \w+ FROM \w+ LIMIT 1$/.test(text)) return []
  return place === 'SQLite' ? scansOnSqlite(database, statement) : scansOnPostgres(database, statement)
}

async function scansOnSqlite(database: Database, statement: Sql): Promise<string[]> {
  const { text, values } = explained(statement, 'EXPLAIN QUERY PLAN')
  const steps = await database.query<{ detail: string }>(new Sql(text, values))
  return steps
    .map(({ detail }) => detail)
    .filter((detail) => !PARTIAL_INDICES.test(detail))
    .flatMap((detail) => /^SCAN (\S+)/.exec(detail)?.[1] ?? [])
    .map((name) => tableOf(statement.text('sqlite'), name))
    .filter((table) => table !== undefined && !SMALL.has(table)) as string[]
}

/** @returns `undefined` for what is no table but made of others, whose scans have steps of their own */
function tableOf(text: string, name: string): string | undefined {
  if (name === 'CONSTANT' || name.startsWith('(') || new RegExp(`\\) ${name}\\b`).test(text)) return undefined
  return new RegExp(`(?:FROM|JOIN) "?([\\w-]+)"? (?:AS )?"?${name}"?\\b`).exec(text)?.[1] ?? name
}

/** Tables are small here: whether there is an index for it shows where the planner may not do without. */
async function scansOnPostgres(database: Database, statement: Sql): Promise<string[]> {
  const undone = new Error('nothing is kept')
  let plan: Plan | undefined
  const explain = async (connection: Connection) => {
    for (const kind of ['seqscan', 'hashjoin', 'mergejoin']) {
      await connection.run(new Sql([`SET LOCAL enable_${kind} = off`], []))
    }
    const { text, values } = explained(statement, 'EXPLAIN (FORMAT JSON)')
    const [row] = await connection.query<{ 'QUERY PLAN': string }>(new Sql(text, values))
    plan = (JSON.parse(row?.['QUERY PLAN'] ?? '') as [{ Plan: Plan }])[0].Plan
    throw undone
  }
  await database.write(explain).catch((error: unknown) => assert.equal(error, undone))
  return plan ? scansIn(plan) : []
}

/** @param isLimited - whether so few rows are taken of it that it does not matter how many there are */
function scansIn(node: Plan, isLimited = false): string[] {
  const table = node['Relation Name']
  const isBounded = (node['Index Cond'] ?? node['Recheck Cond']) !== undefined
  const isScan = node['Node Type'].endsWith('Scan') && table !== undefined && !SMALL.has(table)
  const passesOn = node['Node Type'] === 'Limit' || (isLimited && node['Node Type'] === 'LockRows')
  return [
    ...(isScan && !isBounded && (!isLimited || node.Filter !== undefined) ? [table] : []),
    ...(node.Plans ?? []).flatMap((child) => scansIn(child, passesOn)),
  ]
}

describe('tables on PostgreSQL', () => {
  it('are tidied up before many of their rows are dead, all of them that grow', async () => {
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
  /^(migrations|ledger_state|account_event_keeping|account_quota|cheqd_known_height|\w*secret_check|claim|credential|message|presentation|\w+_(verifier|credentials|presentations|messages)\w*|veramo\w*)$/

function explained({ fragments, values }: Sql, how: string) {
  const [first = '', ...others] = fragments
  return { text: [`${how} ${first}`, ...others], values }
}
