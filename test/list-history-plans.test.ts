import assert from 'node:assert/strict'
import { Sql, sql, type Connection } from '@vidimus/database'
import { emptyInstallation } from './support/fresh-database.js'
import { ServiceHere } from './support/service-here.js'
import { literal, rowsOf, statementsOf, type PlanNode } from './support/statement-plans.js'

const MOST_READ = 20
const TABLES = ['ledger_resource', 'ledger_resource_delta'] as const

/** Plans with the statistics of an empty table are what a busy service has until the server analyses it. */
describe('an update of a list with thousands of versions, on PostgreSQL', () => {
  let service: ServiceHere
  let did: string
  let statements: Sql[]
  before(async () => {
    service = await ServiceHere.start({ url: await emptyInstallation('PostgreSQL') })
    const call = service.as(await service.accounts.create('publisher')) as (
      method: string,
      args: object,
    ) => Promise<{ did: string }>
    for (const table of TABLES)
      await run(new Sql([`ALTER TABLE ${table} SET (autovacuum_enabled = off)`], []))
    did = (await call('didManagerCreate', { provider: 'did:cheqd', options: { network: 'testnet' } })).did
    const list = { did, statusListName: 'list', listType: 'BitstringStatusList' }
    await call('statusListCreate', { ...list, statusPurpose: 'revocation' })
    const update = (index: number) =>
      call('statusListUpdate', { ...list, statusAction: 'revoke', indices: [index] })
    await update(1)
    const all = await statementsOf(service.database, () => update(2))
    // A row that was inserted cannot be inserted again, and reads nothing.
    statements = all.filter(({ fragments: [first = ''] }) => !/^\s*INSERT/.test(first))
  })
  after(() => service.stop())

  const run = (statement: Sql) => service.database.write((connection) => connection.run(statement))

  /** Copies the first version, as versions from one number to another. */
  async function grow(from: number, to: number): Promise<void> {
    const collection = did.split(':').at(-1) ?? ''
    for (const table of TABLES) {
      const columns = await service.database.query<{ name: string }>(
        sql`SELECT column_name AS name FROM information_schema.columns WHERE table_name = ${table}`,
      )
      const names = columns.map(({ name }) => `"${name}"`).join(', ')
      const values = columns.map(({ name }) => COPIED[name] ?? `t."${name}"`).join(', ')
      await run(
        new Sql(
          [
            `INSERT INTO ${table} (${names}) SELECT ${values} FROM generate_series(${from}, ${to}) n,
              (SELECT * FROM ${table} WHERE collection_id = `,
            ' ORDER BY ctid LIMIT 1) t',
          ],
          [collection],
        ),
      )
    }
  }

  /** The most rows that a statement of the update reads, with a plan for its values and one for any. */
  async function mostRead(): Promise<[rows: number, statement: string]> {
    let most: [number, string] = [0, '']
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      for (const statement of statements) {
        const rows = await readBy(statement, mode)
        if (rows > most[0]) most = [rows, statement.text('postgres')]
      }
    }
    return most
  }

  async function readBy(statement: Sql, mode: string): Promise<number> {
    let rows = 0
    const undone = new Error('undone')
    const explain = async (connection: Connection) => {
      await connection.run(new Sql([`SET LOCAL plan_cache_mode = ${mode}`], []))
      await connection.run(new Sql([`PREPARE looked AS ${statement.text('postgres')}`], []))
      const values = statement.values.map(literal).join(', ')
      const [row] = await connection.query<{ 'QUERY PLAN': string }>(
        new Sql([`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE looked${values && `(${values})`}`], []),
      )
      await connection.run(new Sql(['DEALLOCATE looked'], []))
      const [{ Plan }] = JSON.parse(row?.['QUERY PLAN'] ?? '') as [{ Plan: PlanNode }]
      rows = rowsOf(Plan)
      throw undone
    }
    await assert.rejects(service.database.write(explain), undone)
    return rows
  }

  for (const [from, versions] of [
    [0, 3],
    [1, 1000],
    [1001, 4000],
  ] as const) {
    it(`reads at most ${MOST_READ} rows a statement with ${versions} versions`, async () => {
      if (from > 0) await grow(from, versions)
      const [rows, statement] = await mostRead()
      assert.ok(rows > 0 && rows <= MOST_READ, `${rows} rows: ${statement}`)
    })
  }

  it(`reads at most ${MOST_READ} rows a statement once the server has analysed the table`, async () => {
    await run(sql`ANALYZE`)
    const [rows, statement] = await mostRead()
    assert.ok(rows > 0 && rows <= MOST_READ, `${rows} rows: ${statement}`)
  })
})

const idOf = (n: string) => `md5('version ' || (${n}))::uuid::text`

/** Columns of a copied version that differ from the first. */
const COPIED: Record<string, string> = {
  id: idOf('n'),
  height: '-n',
  created: `to_char('2020-01-01'::timestamp + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  checksum: 't.checksum || n',
  previous_version_id: idOf('n - 1'),
  next_version_id: idOf('n + 1'),
}
