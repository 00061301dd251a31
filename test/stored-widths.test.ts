import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations as cheqdMigrations } from '../packages/ledger-cheqd/src/migrations.js'
import { openDatabase } from './support/open-database.js'
import { storedWidth, STORED_WIDTHS, textColumns } from './support/stored-widths.js'

/** That they hold is looked at after everything was sent, see `hostile-texts.test.ts`. */
describe('text columns', () => {
  it('each have a limit', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-widths-'))
    const database = await openDatabase({ dataDirectory: folder, databaseUrl: null }, [cheqdMigrations])
    try {
      const columns = await textColumns(database)
      assert.ok(columns.length > 200, String(columns.length))
      const unbounded = columns.filter(({ table, column }) => storedWidth(table, column) === undefined)
      assert.deepEqual(unbounded, [])
      const known = new Set(columns.flatMap(({ table, column }) => [column, `${table}.${column}`]))
      const gone = Object.keys(STORED_WIDTHS).filter((name) => !known.has(name))
      assert.deepEqual(gone, ['coalesce'])
    } finally {
      await database.lifecycle.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
