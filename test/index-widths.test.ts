import assert from 'node:assert/strict'
import { migrations as ofAccounts } from '@vidimus/custody'
import { Database, sql } from '@vidimus/database'
import { migrations as ofCheqd } from '@vidimus/ledger-cheqd'
import { migrations as ofLedger } from '@vidimus/ledger-local'
import { migrations as ofLists } from '@vidimus/status-list-store'
import { freshDatabase } from './support/fresh-database.js'
import { storedWidth, UNUSED_TABLES } from './support/stored-widths.js'

/** Bytes: a third of a PostgreSQL page, minus its header. */
const MOST = 2704
/** Before each text of an entry, and before the entry. */
const HEAD = 8

/** Indexed expressions other than columns. */
const EXPRESSIONS: Readonly<Record<string, number>> = {
  substr: 48,
  // network and collection
  'ledger_resource.expr': 53,
}

describe('index entries', () => {
  let database: Database
  before(async () => {
    database = new Database({
      url: await freshDatabase('PostgreSQL'),
      migrations: [ofAccounts, ofLedger, ofLists, ofCheqd],
    })
    await database.lifecycle.start()
  })
  after(() => database.lifecycle.stop())

  it('are never too long, as every indexed text has a limit', async () => {
    const columns = await database.query<{ table: string; index: string; column: string }>(
      sql`SELECT t.relname AS "table", i.relname AS "index", a.attname AS "column"
        FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
          JOIN pg_namespace n ON n.oid = t.relnamespace JOIN pg_attribute a ON a.attrelid = i.oid
        WHERE n.nspname = current_schema() AND format_type(a.atttypid, NULL) IN ('text', 'character varying')`,
    )
    const bytes = new Map<string, number>()
    const unbounded = new Set<string>()
    for (const { table, index, column } of columns.filter(({ table }) => !UNUSED_TABLES.test(table))) {
      const width = storedWidth(table, column) ?? EXPRESSIONS[`${table}.${column}`] ?? EXPRESSIONS[column]
      if (width === undefined) unbounded.add(`${table}.${column}`)
      else bytes.set(index, (bytes.get(index) ?? HEAD) + HEAD + width)
    }
    assert.deepEqual([...unbounded], [])
    assert.ok(bytes.size > 60, String(bytes.size))
    assert.deepEqual(
      [...bytes].filter(([, width]) => width > MOST),
      [],
    )
  })
})
