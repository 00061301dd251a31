import assert from 'node:assert/strict'
import { Database, homeOf, sql } from '@vidimus/database'
import { DataSource } from 'typeorm'
import { freshDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { migrations } from '../index.js'

const AT = migrations.findIndex(({ name }) => name.startsWith('AddHomesToJobs'))
const ACCOUNTS = ['one', 'other']
const LIST = 'hash of a list'

const rowsOf = (account: string) => [
  sql`INSERT INTO credential_register_key (account_id, sealed_key) VALUES (${account}, 'sealed.key')`,
  sql`INSERT INTO status_list_job (account_id, uid, id, state, dry_run, row_count, applied, refused, part_count, attempts, created_at)
    VALUES (${account}, 'u', 'job', 'done', 0, 1, 1, 0, 1, 0, '')`,
  sql`INSERT INTO status_list_job_part (account_id, job_uid, kind, list, place, part_id, sealed)
    VALUES (${account}, 'u', 'rows', 0, 0, ${account}, 'sealed.part')`,
]

for (const place of PLACES) {
  describe(`homes of jobs, keys of registers and addresses (${place})`, () => {
    let url: string
    let database: Database
    const open = async (upTo: number) => {
      const opened = new Database({ url, migrations: [migrations.slice(0, upTo)] })
      await opened.lifecycle.start()
      return opened
    }
    before(async () => {
      url = await freshDatabase(place)
      const old = await open(AT)
      await old.write(async (connection) => {
        for (const statement of ACCOUNTS.flatMap(rowsOf)) await connection.run(statement)
        await connection.run(sql`INSERT INTO status_list_address (id, did, name, resource_type, url, settled)
          VALUES (${LIST}, 'did:web:a.example', 'l', 'T', NULL, 1)`)
      })
      await old.lifecycle.stop()
      database = await open(AT + 1)
    })

    it('follow from the account, or from the id', async () => {
      for (const rows of [
        sql`SELECT account_id, home FROM credential_register_key ORDER BY 1`,
        sql`SELECT account_id, home FROM status_list_job ORDER BY 1`,
        sql`SELECT account_id, home FROM status_list_job_part ORDER BY 1`,
      ])
        assert.deepEqual(
          await database.query(rows),
          ACCOUNTS.map((account) => ({ account_id: account, home: homeOf(account) })),
        )
      assert.deepEqual(await database.query(sql`SELECT id, home FROM status_list_address`), [
        { id: LIST, home: homeOf(LIST) },
      ])
    })

    it('leave the id of a job to one job of an account', async () => {
      const again = database.write((connection) =>
        connection.run(sql`INSERT INTO status_list_job
          (account_id, home, uid, id, state, dry_run, row_count, applied, refused, part_count, attempts, created_at)
          VALUES ('one', ${homeOf('one')}, 'v', 'job', 'done', 0, 1, 1, 0, 1, 0, '')`),
      )
      await assert.rejects(again, /UNIQUE|unique/)
    })

    it('can be taken away again', async () => {
      await database.lifecycle.stop()
      const own = migrations.slice(0, AT + 1)
      const dataSource = new DataSource(
        place === 'SQLite'
          ? { type: 'sqlite', database: url.slice('sqlite:'.length), migrations: own }
          : { type: 'postgres', url, migrations: own },
      )
      await dataSource.initialize()
      await dataSource.undoLastMigration()
      await dataSource.destroy()
      database = await open(AT)
      const again = database.write((connection) =>
        connection.run(
          sql`INSERT INTO credential_register_key (account_id, sealed_key) VALUES ('one', 'sealed.other')`,
        ),
      )
      await assert.rejects(again, /UNIQUE|unique/)
      await database.lifecycle.stop()
    })
  })
}
