import assert from 'node:assert/strict'
import { entities, migrations } from '@vidimus/custody'
import { Database, homeOf, homeOfDid, sql, type Sql } from '@vidimus/database'
import { onDatabase } from '../../../custody/src/__tests__/set-up.js'
import { freshDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { insertAuditEvent } from '../audit-rows.js'
import {
  AddHomesToAuditTrail1797800000810 as AddHomes,
  IdentifyAuditRows1798300000891 as Identify,
} from '../index.js'

const DID = 'did:cheqd:testnet:4a0ba1c4-6f5a-4d21-8d4a-2b6f9b0c7d11'
const TIME = '2026-05-01T12:00:00.000Z'

for (const place of PLACES) {
  describe(`homes of the audit trail (${place})`, () => {
    let url: string
    let database: Database
    const open = async (which = migrations) => {
      database = new Database({ url, migrations: [which], entities: [entities] })
      await database.lifecycle.start()
    }
    const run = (statement: Sql) => database.write((connection) => connection.run(statement))
    const rows = () =>
      database.query<{ sequence: number | string; home: number; subject: string | null }>(
        sql`SELECT sequence, home, subject FROM audit_event ORDER BY sequence`,
      )
    before(async () => {
      url = await freshDatabase(place)
      await open(
        migrations.slice(
          0,
          migrations.findIndex(({ name }) => name === AddHomes.name),
        ),
      )
      await run(
        sql`INSERT INTO audit_event (time, event, outcome, account_id, subject, occurrences) VALUES
          (${TIME}, 'did-created', 'done', 'a', ${DID}, 1), (${TIME}, 'authentication-failed', 'refused', NULL, NULL, 1)`,
      )
      await database.lifecycle.stop()
      await open()
    })
    after(() => database.lifecycle.stop())

    it('of rows that are there are those of their accounts', async () => {
      assert.deepEqual(
        (await rows()).map(({ sequence, home, subject }) => [Number(sequence), home, subject]),
        [
          [1, homeOf('a'), DID],
          [2, homeOf(''), null],
        ],
      )
    })

    it('of new rows are those of the DID, or of the account; their numbers continue', async () => {
      await database.write(async (connection) => {
        for (const subject of [DID, `${DID}/resources/1`, 'a kid'])
          await insertAuditEvent(connection, { event: 'data-signed', subject }, { accountId: 'a' }, TIME)
      })
      assert.deepEqual(
        (await rows()).slice(2).map(({ sequence, home }) => [Number(sequence), home]),
        [
          [3, homeOfDid(DID)],
          [4, homeOfDid(DID)],
          [5, homeOf('a')],
        ],
      )
    })

    it('cannot be changed, and rows cannot be deleted', async () => {
      const changes = [
        sql`UPDATE audit_event SET detail = 'x'`,
        sql`UPDATE audit_event SET subject = NULL, home = home + 1 WHERE account_id = 'a'`,
        sql`DELETE FROM audit_event`,
      ]
      for (const change of changes) await assert.rejects(run(change), /append-only/)
      // There is no such account any more.
      assert.equal(await run(sql`UPDATE audit_event SET subject = NULL WHERE sequence = 5`), 1)
    })

    it('can be taken away and given again, with the guards', async () => {
      await database.lifecycle.stop()
      await onDatabase(url, async (runner) => {
        await new Identify().down(runner)
        await new AddHomes().down(runner)
        await assert.rejects(runner.query('SELECT home FROM audit_event'))
        await new AddHomes().up(runner)
        await new Identify().up(runner)
      })
      await open()
      assert.equal((await rows()).length, 5)
      await assert.rejects(run(sql`DELETE FROM audit_event`), /append-only/)
      await run(
        sql`INSERT INTO audit_event (home, time, event, outcome, occurrences) VALUES (0, ${TIME}, 'x', 'done', 1)`,
      )
      assert.equal(Number((await rows()).at(-1)?.sequence), 6)
    })
  })
}
