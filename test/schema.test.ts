import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrations as ofCustody } from '@vidimus/custody'
import { Database } from '@vidimus/database'
import { migrations as ofCheqd } from '@vidimus/ledger-cheqd'
import { migrations as ofLedger } from '@vidimus/ledger-local'
import { migrations as ofSessions } from '@vidimus/oidc'
import { migrations as ofPublication } from '@vidimus/publication'
import { migrations as ofLists } from '@vidimus/status-list-store'
import { migratedDatabase, PLACES } from './support/fresh-database.js'
import { read } from './support/repository.js'
import { schemaOf } from './support/schema-dump.js'

const MIGRATIONS = [ofCustody, ofLedger, ofCheqd, ofLists, ofSessions, ofPublication]
const FILES = { SQLite: 'schema.sqlite.sql', PostgreSQL: 'schema.postgres.sql' } as const

/** What the tables are is looked at by whoever changes them: a change of a baseline shows here, for both kinds of database. */
describe('the tables', () => {
  const found = new Map<string, string>()
  before(async () => {
    for (const place of PLACES) {
      const url = await migratedDatabase(place, { migrations: MIGRATIONS })
      const database = new Database({ url, migrations: MIGRATIONS })
      await database.lifecycle.start()
      found.set(place, await schemaOf(database))
      await database.lifecycle.stop()
    }
  })

  for (const place of PLACES) {
    it(`are those of test/${FILES[place]}`, async () => {
      const schema = found.get(place) ?? ''
      if (process.env.SCHEMA === 'write') await writeFile(join(import.meta.dirname, FILES[place]), schema)
      assert.equal(schema, read(`test/${FILES[place]}`), '`npm run schema` writes what they are now')
    })
  }

  it('have the same columns and indexes on both kinds of database', () => {
    const [sqlite, postgres] = PLACES.map((place) => namesIn(found.get(place) ?? ''))
    assert.ok(sqlite && sqlite.size > 60)
    // Versions of homes are counted in different ways.
    for (const name of [...sqlite.keys(), ...(postgres?.keys() ?? [])])
      if (!name.includes('home_version')) assert.deepEqual(sqlite.get(name), postgres?.get(name), name)
  })
})

/** What one type of SQLite is called on PostgreSQL. */
const TYPES: Readonly<Record<string, string>> = {
  bytea: 'blob',
  bigint: 'integer',
  character: 'varchar',
  timestamp: 'datetime',
}

/** The names of tables with those of their columns, and of indexes with the table and whether they are unique. */
function namesIn(schema: string): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const statement of schema.split(';\n')) {
    const [, name = ''] = /^CREATE TABLE "?([\w-]+)"? \(/.exec(statement) ?? []
    const columns = [...statement.matchAll(/^ {2}"?(\w+)"? (?!KEY|\()(\w+)/gm)]
    if (name !== '')
      names.set(
        name,
        columns.map(
          ([, column = '', type = '']) => `${column} ${TYPES[type.toLowerCase()] ?? type.toLowerCase()}`,
        ),
      )
    const index = /^CREATE (UNIQUE )?INDEX "?([\w-]+)"?\s+ON "?([\w-]+)"?/.exec(statement)
    if (index) names.set(index[2] ?? '', [index[1] ?? '', index[3] ?? ''])
  }
  return names
}
