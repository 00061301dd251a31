import assert from 'node:assert/strict'
import { Database, homeOfDid, Sql, sql } from '@vidimus/database'
import { freshDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { migrations } from '../index.js'

const DIDS = ['did:cheqd:testnet:4a0ba1c4-6f5a-4d21-8d4a-2b6f9b0c7d11', 'did:web:example.com']
const ACCOUNT = 'an account'
/** Lists were deleted with an account, and entries of another one stayed. */
const GONE = 99
const OF_LISTS = ['order', 'taken_index', 'key', 'pace', 'change'].map((name) => `status_list_${name}`)

const rowsOf = (list: number, did: string) => [
  sql`INSERT INTO status_list (id, did, name, resource_type) VALUES (${list}, ${did}, 'a', 'T')`,
  sql`INSERT INTO status_list_order (list_id, sealed_key, entries, position, restore_id)
    VALUES (${list}, ${`order ${list}`}, 131072, ${list}, NULL)`,
  sql`INSERT INTO status_list_taken_index (list_id, list_index) VALUES (${list}, 5), (${list}, 6)`,
  sql`INSERT INTO status_list_key (list_id, sealed_key, created_at) VALUES (${list}, ${`key ${list}`}, '')`,
  sql`INSERT INTO status_list_pace (list_id, publish_every, always, started_at, made, stored, published, beat_at)
    VALUES (${list}, 'PT1H', 0, '', 1, 1, 0, ${`beat ${list}`})`,
  sql`INSERT INTO status_list_change (list_id, place, content, number) VALUES (${list}, '5', 'x', 1)`,
]

const entryOf = (list: number) =>
  sql`INSERT INTO credential_entry (account_id, list_id, list_index, credential_hash, signing_key_hash, issued_at)
    VALUES (${ACCOUNT}, ${list}, 5, ${`hash ${list}`}, '', '')`

for (const place of PLACES) {
  describe(`homes of lists (${place})`, () => {
    let database: Database
    before(async () => {
      const url = await freshDatabase(place)
      const former = migrations.slice(
        0,
        migrations.findIndex(({ name }) => name.startsWith('AddHomesToLists')),
      )
      const old = new Database({ url, migrations: [former] })
      await old.lifecycle.start()
      await old.write(async (connection) => {
        for (const [n, did] of DIDS.entries())
          for (const statement of rowsOf(n, did)) await connection.run(statement)
        for (const list of [0, 1, GONE]) await connection.run(entryOf(list))
      })
      await old.lifecycle.stop()
      database = new Database({ url, migrations: [migrations] })
      await database.lifecycle.start()
    })
    after(() => database.lifecycle.stop())

    it('follow from the DID of the list, in all tables', async () => {
      for (const table of OF_LISTS) {
        const rows = await database.query<{ list_id: number | string; home: number }>(
          sql`SELECT list_id, home FROM ${new Sql([table], [])} ORDER BY list_id`,
        )
        assert.equal(new Set(rows.map(({ list_id: id }) => Number(id))).size, DIDS.length, table)
        for (const { list_id: id, home } of rows) assert.equal(home, homeOfDid(DIDS[Number(id)] ?? ''), table)
      }
      const entries = await database.query<{ home: number }>(
        sql`SELECT home FROM credential_entry ORDER BY list_id`,
      )
      assert.deepEqual(
        entries.map(({ home }) => home),
        [...DIDS, ACCOUNT].map(homeOfDid),
      )
    })

    it('leave the rest of each row, and the index of what is due', async () => {
      const orders = await database.query<{ sealed_key: string; position: number | string }>(
        sql`SELECT sealed_key, position FROM status_list_order ORDER BY list_id`,
      )
      assert.deepEqual(
        orders.map(({ sealed_key: key, position }) => [key, Number(position)]),
        DIDS.map((_, n) => [`order ${n}`, n]),
      )
      const index =
        place === 'SQLite'
          ? sql`SELECT sql AS "text" FROM sqlite_master WHERE name = 'status_list_pace_due'`
          : sql`SELECT indexdef AS "text" FROM pg_indexes WHERE indexname = 'status_list_pace_due'`
      const [{ text } = { text: '' }] = await database.query<{ text: string }>(index)
      assert.match(text, /beat_at.* IS NOT NULL/)
    })

    it('are part of the references to lists', async () => {
      const other = (homeOfDid(DIDS[0] ?? '') + 1) % 1024
      const stray = database.write((connection) =>
        connection.run(
          sql`INSERT INTO status_list_taken_index (home, list_id, list_index) VALUES (${other}, 0, 7)`,
        ),
      )
      await assert.rejects(stray, /FOREIGN KEY|foreign key/)
      const deleted = database.write((connection) =>
        connection.run(sql`DELETE FROM status_list WHERE id = 0`),
      )
      await assert.rejects(deleted, /FOREIGN KEY|foreign key/)
    })
  })
}
