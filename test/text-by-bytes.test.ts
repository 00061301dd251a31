import assert from 'node:assert/strict'
import { Accounts } from '@vidimus/accounts'
import { sql, type Database } from '@vidimus/database'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { openDatabase } from './support/open-database.js'

/** Apart in the order of bytes, and in another order in that of any language. */
const NAMES = ['ä', 'a', '_', 'Z', 'a B', 'aB', '-', 'ab', 'A', 'z', '10', '9', 'é', 'e', 'E']
const BY_BYTES = [...NAMES].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))

/** Of Veramo, and neither read nor written by the service. */
const UNUSED = /^(claim|credential|message|presentation)(_|$)|^migrations$/

describe('database text', () => {
  for (const place of PLACES) {
    describe(`on ${place}`, () => {
      let database: Database
      before(async () => {
        database = await openDatabase({ dataDirectory: 'unused', databaseUrl: await freshDatabase(place) })
      })
      after(() => database.lifecycle.stop())

      it('is sorted by its bytes', async () => {
        const accounts = new Accounts(database)
        await database.write(async (connection) => {
          for (const name of NAMES) {
            await connection.run(
              sql`INSERT INTO account (id, name, created_at) VALUES (${`id of ${name}`}, ${name}, '')`,
            )
          }
        })
        assert.deepEqual(
          (await accounts.list()).map(({ name }) => name),
          BY_BYTES,
        )
      })

      it('is compared by its bytes', async () => {
        for (const name of NAMES) {
          const rows = await database.query<{ name: string }>(
            sql`SELECT name FROM account WHERE name >= ${name} ORDER BY name`,
          )
          assert.deepEqual(
            rows.map((row) => row.name),
            BY_BYTES.slice(BY_BYTES.indexOf(name)),
          )
        }
      })
    })
  }

  describe('in every table on PostgreSQL', () => {
    let database: Database
    before(async () => {
      database = await openDatabase({
        dataDirectory: 'unused',
        databaseUrl: await freshDatabase('PostgreSQL'),
      })
    })
    after(() => database.lifecycle.stop())

    it('is compared by its bytes', async () => {
      const columns = await database.query<{ table: string; column: string }>(
        sql`SELECT table_name::text AS "table", column_name::text AS "column" FROM information_schema.columns
          WHERE table_schema = current_schema() AND data_type IN ('text', 'character varying')
            AND COALESCE(collation_name, 'default') <> 'C'`,
      )
      assert.deepEqual(
        columns.filter(({ table }) => !UNUSED.test(table)),
        [],
      )
    })

    it("is found through indexes, including joins of our tables with Veramo's, and by prefix", async () => {
      await database.write(async (connection) => {
        await connection.run(sql`INSERT INTO account (id, name, created_at) VALUES ('a', 'a', '')`)
        await connection.run(sql`INSERT INTO account_private_key (home, account_id, alias, stored_alias)
          SELECT 1, 'a', 'key ' || n, 'a:' || n FROM generate_series(1, 5000) n`)
        await connection.run(sql`INSERT INTO "private-key" (home, alias, type, "privateKeyHex")
          SELECT 1, 'a:' || n, 'Ed25519', '' FROM generate_series(1, 5000) n`)
        await connection.run(sql`ANALYZE account_private_key, "private-key"`)
      })
      const plan = async (statement: ReturnType<typeof sql>) => {
        const rows = await database.query<Record<string, string>>(sql`EXPLAIN ${statement}`)
        return rows.map((row) => row['QUERY PLAN']).join('\n')
      }
      const joined = await plan(sql`SELECT p.type FROM account_private_key a
        JOIN "private-key" p ON p.home = a.home AND p.alias = a.stored_alias
        WHERE a.home = 1 AND a.account_id = 'a' AND a.alias = 'key 7'`)
      assert.doesNotMatch(joined, /Seq Scan/)
      const beginning = await plan(sql`SELECT alias FROM "private-key" WHERE home = 1 AND alias LIKE 'a:77%'`)
      assert.doesNotMatch(beginning, /Seq Scan/)
    })
  })
})
