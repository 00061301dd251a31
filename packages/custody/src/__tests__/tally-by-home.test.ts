import assert from 'node:assert/strict'
import { Database, homeOf, sql, tally, type MigrationClass } from '@vidimus/database'
import { DataSource } from 'typeorm'
import { freshDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { entities, migrations } from '../index.js'

const ACCOUNT = 'an account'
const AT = migrations.findIndex(({ name }) => name.startsWith('TallyByHome'))
const FORMER = migrations.slice(0, AT)
const WITH_IT = migrations.slice(0, AT + 1)

for (const place of PLACES) {
  describe(`tallies by home (${place})`, () => {
    let url: string
    const used = async <T>(own: readonly MigrationClass[], work: (database: Database) => Promise<T>) => {
      const database = new Database({ url, migrations: [own], entities: [entities] })
      await database.lifecycle.start()
      try {
        return await work(database)
      } finally {
        await database.lifecycle.stop()
      }
    }
    const rowsOf = async (database: Database, columns = sql`kind, home, n`) => {
      const rows = await database.query<{ n: number | string }>(
        sql`SELECT ${columns} FROM account_tally ORDER BY kind, n`,
      )
      return rows.map((row) => ({ ...row, n: Number(row.n) }))
    }

    it('are in the home of the account if they are older, and are added up on the way back', async () => {
      url = await freshDatabase(place)
      await used(FORMER, (database) =>
        database.write(async (connection) => {
          await connection.run(
            sql`INSERT INTO account (id, name, created_at) VALUES (${ACCOUNT}, 'a', '2026-01-01T00:00:00.000Z')`,
          )
          for (const [kind, n] of [
            ['dids', 2],
            ['resources', 5],
          ] as const)
            await connection.run(
              sql`INSERT INTO account_tally (account_id, kind, n) VALUES (${ACCOUNT}, ${kind}, ${n})`,
            )
        }),
      )
      await used(WITH_IT, async (database) => {
        const home = homeOf(ACCOUNT)
        assert.deepEqual(await rowsOf(database), [
          { kind: 'dids', home, n: 2 },
          { kind: 'resources', home, n: 5 },
        ])
        await database.write((connection) => {
          tally(connection, ACCOUNT, 'resources', -1, (home + 1) % 1024)
          tally(connection, ACCOUNT, 'resources', 7, (home + 1) % 1024)
        })
        assert.equal((await rowsOf(database)).at(-1)?.n, 6)
      })
      const dataSource = new DataSource(
        place === 'SQLite'
          ? { type: 'sqlite', database: url.slice('sqlite:'.length), migrations: WITH_IT }
          : { type: 'postgres', url, migrations: WITH_IT },
      )
      await dataSource.initialize()
      await dataSource.undoLastMigration()
      await dataSource.destroy()
      const rows = await used(FORMER, (database) => rowsOf(database, sql`kind, n`))
      assert.deepEqual(rows, [
        { kind: 'dids', n: 2 },
        { kind: 'resources', n: 11 },
      ])
    })
  })
}
