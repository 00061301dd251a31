import assert from 'node:assert/strict'
import { Events } from '@vidimus/account-events'
import { homeOf, sql, type Database, type Sql } from '@vidimus/database'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { PLACES } from '../../../../test/support/fresh-database.js'
import { rowsRead, scansOf, statementsOf } from '../../../../test/support/statement-plans.js'
import { Accounts } from '@vidimus/accounts'
import { AccountPrivateKeyStore, UnitOfWork } from '../index.js'
import { IdempotencyRecords } from '@vidimus/idempotency'
import { hasCode, startedDatabase } from './set-up.js'

const [OLD, NEW] = ['0d'.repeat(32), 'e3'.repeat(32)]
/** Of each kind, half of them of each secret. */
const ROWS = 3000

for (const place of PLACES) {
  describe(`reads of sealed data during startup (${place})`, () => {
    let database: Database
    const both = new PrivateKeyEnvelope({ secret: NEW, previous: [OLD] })
    const starting = (envelope: PrivateKeyEnvelope) => [
      new AccountPrivateKeyStore(new UnitOfWork(database), envelope).lifecycle,
      new Events(database, envelope).lifecycle,
      new IdempotencyRecords(database, envelope).lifecycle,
    ]
    const start = async (envelope: PrivateKeyEnvelope) => {
      for (const { start } of starting(envelope)) await start()
    }

    before(async () => {
      database = await startedDatabase(place)
      await start(both)
      const { id } = await new Accounts(database).create('one')
      await fill(database, id, both)
    })
    after(() => database.lifecycle.stop())

    it('cover a few rows, however many keys, responses and webhooks there are', async () => {
      const statements = await statementsOf(database, () => start(both))
      const reading = statements.filter((statement) => /^\s*SELECT/i.test(statement.text('sqlite')))
      assert.ok(reading.length >= 9, `${reading.length}`)
      for (const statement of reading) {
        const told = statement.text('sqlite')
        if (place === 'PostgreSQL') {
          const rows = await rowsRead(database, statement)
          assert.ok(rows <= 10, `${rows} rows: ${told}`)
        } else {
          assert.deepEqual(await scansOf(database, statement), [], told)
        }
      }
    })

    it('still report any missing secret', async () => {
      for (const secret of [OLD, NEW, 'aa'.repeat(32)])
        for (const lifecycle of starting(new PrivateKeyEnvelope({ secret })))
          await assert.rejects(lifecycle.start(), hasCode('wrong_secret'))
    })
  })
}

/** Texts that can be distinguished but not decrypted: one of each secret, with a unique end. */
async function fill(database: Database, account: string, envelope: PrivateKeyEnvelope): Promise<void> {
  const [first = '', second = ''] = envelope.keyIds.map((keyId) => envelope.seal('x', [], keyId).slice(0, -8))
  const numbers = sql`WITH RECURSIVE numbers (n) AS (
    SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < CAST(${ROWS} AS INTEGER))`
  const home = sql`CAST(${homeOf(account)} AS INTEGER)`
  const name = sql`(CAST(${account} AS TEXT) || ':' || CAST(n AS TEXT))`
  const sealed = sql`CASE WHEN n % 2 = 0 THEN CAST(${first} AS TEXT) ELSE CAST(${second} AS TEXT) END
    || substr('0000000' || CAST(n AS TEXT), -8 + length('0000000' || CAST(n AS TEXT)) + 1)`
  const rows: [Sql, Sql][] = [
    [
      sql`INSERT INTO account_private_key (home, account_id, alias, stored_alias)`,
      sql`SELECT ${home}, CAST(${account} AS TEXT), CAST(n AS TEXT), ${name} FROM numbers`,
    ],
    [
      sql`INSERT INTO "private-key" (home, alias, type, "privateKeyHex")`,
      sql`SELECT ${home}, ${name}, 'Ed25519', ${sealed} FROM numbers`,
    ],
    [
      sql`INSERT INTO idempotency_record (home, id, account_id, key_digest, content_digest, sealed_answer, expires_at)`,
      sql`SELECT ${home}, ${name}, CAST(${account} AS TEXT), ${name}, '', ${sealed}, '9' FROM numbers`,
    ],
    [
      sql`INSERT INTO webhook (id, account_id, url, sealed_secret, created_at)`,
      sql`SELECT ${name}, CAST(${account} AS TEXT), '', ${sealed}, '' FROM numbers`,
    ],
  ]
  await database.write(async (connection) => {
    for (const [into, from] of rows) await connection.run(sql`${into} ${numbers} ${from}`)
  })
}
