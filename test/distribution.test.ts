import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations as cheqdMigrations } from '@vidimus/ledger-cheqd'
import { migrations as loginMigrations } from '@vidimus/oidc'
import { migrations as publicationMigrations } from '@vidimus/publication'
import { sql } from '@vidimus/database'
import { distributable, readCitus } from '../packages/cli/src/distribution/citus-tables.js'
import { planned, together } from '../packages/cli/src/distribution/distribute.js'
import { TABLE_PLACES } from '../packages/cli/src/distribution/table-places.js'
import { Examination } from './support/doctor.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { openDatabase } from './support/open-database.js'
import { commandHere } from './support/command-here.js'
import { installationOf } from './support/service.js'

/** A table of the service as Citus keeps it, or would. */
const table = (
  name: string,
  kept: 'plain' | 'distributed',
  wanted: 'distributed' | 'reference',
  ...references: string[]
) => ({ table: name, kept, wanted, place: 'home', references }) as const

describe('tables in a database that distributes them', () => {
  it('are all named once, those with a home in their keys as such', async () => {
    const url = await freshDatabase('PostgreSQL')
    const more = [cheqdMigrations, loginMigrations, publicationMigrations]
    const database = await openDatabase({ dataDirectory: '.', databaseUrl: url }, more)
    try {
      const rows = await database.query<{ name: string; homed: number }>(
        sql`SELECT t.table_name AS name, (SELECT COUNT(*) FROM information_schema.columns c
            WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name AND c.column_name = 'home') AS homed
          FROM information_schema.tables t WHERE t.table_schema = current_schema() ORDER BY 1`,
      )
      assert.deepEqual(
        TABLE_PLACES.map(({ table: name }) => name).sort(),
        rows.map(({ name }) => name).sort(),
      )
      const homes = new Set(
        TABLE_PLACES.flatMap(({ table: name, place }) => (place === 'home' ? [name] : [])),
      )
      assert.deepEqual(
        rows.filter(({ name, homed }) => homed === 1 && !homes.has(name)),
        [],
      )
      assert.ok(TABLE_PLACES.every(({ why }) => why !== ''))
      assert.equal(await readCitus(database), undefined)
    } finally {
      await database.lifecycle.stop()
    }
  })

  it('are distributed together with those that they refer to, or not at all', () => {
    const tables = ['a', 'b', 'c', 'd'].map((name) => ({ table: name, homed: name === 'd' ? 0 : 1 }))
    const references = [
      { table: 'a', to: 'b' },
      { table: 'a', to: 'account' },
      { table: 'd', to: 'c' },
    ]
    assert.deepEqual([...distributable(tables, references)], ['a', 'b'])
    assert.deepEqual([...distributable(tables, [...references, { table: 'c', to: 'b' }])], [])
  })

  it('are moved after those that they refer to, and only if they are not there yet', () => {
    const moved = planned([
      table('a_link', 'plain', 'distributed', 'b_row', 'account'),
      table('b_row', 'plain', 'distributed', 'account'),
      table('c_row', 'distributed', 'distributed'),
      table('account', 'plain', 'reference'),
    ])
    assert.deepEqual(
      moved.map(({ table: name, to }) => [name, to]),
      [
        ['account', 'reference'],
        ['b_row', 'distributed'],
        ['a_link', 'distributed'],
      ],
    )
  })

  it('are moved in one transaction with those that they refer to, if these are not there yet', () => {
    const tables = [
      table('a_link', 'plain', 'distributed', 'b_row', 'c_row', 'account'),
      table('b_row', 'plain', 'distributed', 'account'),
      table('c_row', 'plain', 'distributed', 'account'),
      table('d_link', 'plain', 'distributed', 'there'),
      table('there', 'distributed', 'distributed'),
      table('account', 'plain', 'reference'),
    ]
    const groups = together(planned(tables), tables).map((group) => group.map(({ table: name }) => name))
    assert.deepEqual(groups, [['account'], ['b_row', 'c_row', 'a_link'], ['d_link']])
  })
})

for (const place of PLACES) {
  describe(`vidimus database distribute, without Citus (${place})`, () => {
    let dataDirectory: string
    let installation: Parameters<typeof installationOf>[0]
    before(async () => {
      dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-distribution-'))
      installation = { dataDirectory, environment: { DATABASE_URL: await freshDatabase(place) } }
    })
    after(() => rm(dataDirectory, { recursive: true, force: true }))

    const run = async (...args: string[]) => {
      const { file, environment } = await installationOf(installation)
      return commandHere([...args, '--config', file], environment)
    }

    it('says that migrations are missing, then what is, and changes nothing', async () => {
      const before = await run('database', 'distribute', '--yes')
      assert.notEqual(before.code, 0)
      assert.match(before.complained, /lacks tables of this version; first run: vidimus migrate/)
      assert.equal((await run('migrate')).code, 0)
      const refused = await run('database', 'distribute', '--yes')
      assert.equal(refused.code, 2)
      assert.match(
        refused.complained,
        place === 'SQLite' ? /is a SQLite file: PostgreSQL distributes/ : /does not have the extension Citus/,
      )
      assert.equal((await Examination.of(installation)).of('distribution'), '')
    })
  })
}
