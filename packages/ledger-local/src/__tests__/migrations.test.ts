import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database, sql } from '@vidimus/database'
import { DataSource, type QueryRunner } from 'typeorm'
import { migrations } from '../index.js'

describe('migrations', () => {
  const made = migrations.map((Migration) => new Migration())
  /** Records the statements as a database of that type would get them. */
  const recorder = (type: string) => {
    const statements: string[] = []
    const query = async (statement: string) => {
      statements.push(statement)
      return []
    }
    const runner = { connection: { options: { type } }, query, hasTable: () => Promise.resolve(false) }
    return { statements, runner: runner as unknown as QueryRunner }
  }

  it('create the tables and remove them again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-ledger-'))
    const database = new Database({ url: `sqlite:${join(folder, 'a.sqlite')}`, migrations: [migrations] })
    await database.lifecycle.start()
    const tables = () =>
      database.query<{ name: string }>(sql`SELECT "name" FROM "sqlite_master" WHERE "name" LIKE ${'ledger%'}`)
    assert.ok((await tables()).length >= 9)
    await database.lifecycle.stop()
    const dataSource = new DataSource({ type: 'sqlite', database: database.location, migrations })
    await dataSource.initialize()
    // That of every database is not of these.
    await dataSource.query(`DELETE FROM migrations WHERE name LIKE '%HomeVersions%'`)
    for (let left = migrations.length; left > 0; left -= 1) await dataSource.undoLastMigration()
    assert.deepEqual(
      await dataSource.query(`SELECT "name" FROM "sqlite_master" WHERE "name" LIKE 'ledger%'`),
      [],
    )
    await dataSource.destroy()
    await rm(folder, { recursive: true })
  })

  it('choose the binary type of the database', async () => {
    for (const [type, bytes] of [
      ['sqlite', 'BLOB'],
      ['postgres', 'BYTEA'],
    ] as const) {
      const { statements, runner } = recorder(type)
      for (const migration of made) await migration.up(runner)
      assert.ok(statements.some((statement) => statement.includes(`"data" ${bytes} NOT NULL`)))
    }
  })

  it('are named like their classes, with a time stamp', () => {
    for (const each of migrations) {
      assert.match(each.name, /^[A-Z]\w+\d{13}$/)
      assert.equal(new each().name, each.name)
    }
  })
})
