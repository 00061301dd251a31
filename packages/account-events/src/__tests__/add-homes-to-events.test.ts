import assert from 'node:assert/strict'
import { homeOf, homeOfDid, Sql, sql } from '@vidimus/database'
import { onDatabase } from '../../../custody/src/__tests__/set-up.js'
import { freshDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { AddHomesToEvents1798200000830 as AddHomes } from '../index.js'
import { install, Receiver, type Installation } from './set-up.js'

const TIME = '2026-05-01T11:00:00.000Z'
const DID = 'did:cheqd:testnet:4a0ba1c4-6f5a-4d21-8d4a-2b6f9b0c7d11'
/** No process has ever been this one. */
const GONE = '00000000-0000-4000-8000-000000000000'

for (const place of PLACES) {
  describe(`homes of events (${place})`, () => {
    let url: string
    let receiver: Receiver
    let here: Installation
    let account: string
    before(async () => {
      url = await freshDatabase(place)
      receiver = await new Receiver().start()
      const made = await install({}, { url })
      account = made.account.id
      const webhook = await made.as(made.account, () => made.events.webhooks.create({ url: receiver.url }))
      await made.stop()
      await onDatabase(url, async (runner) => {
        await new AddHomes().down(runner)
        for (const statement of rowsOfBefore(account, webhook.id)) await runner.query(statement)
      })
      here = await install({}, { url })
    })
    after(async () => {
      await here.stop()
      await receiver.stop()
    })
    const homes = async (table: string) => {
      const rows = await here.database.query<{ home: number }>(new Sql([`SELECT home FROM ${table}`], []))
      return rows.map(({ home }) => home)
    }
    const events = async () => (await here.as(here.account, () => here.events.list())).events

    it('of rows that are there are those of their accounts', async () => {
      const own = homeOf(account)
      assert.deepEqual(await homes('account_event'), [own, own])
      for (const table of ['webhook_delivery', 'announced_event', 'account_event_head'])
        assert.deepEqual(await homes(table), [own], table)
    })

    it('let the events be placed and delivered that waited, with the positions that follow', async () => {
      await here.happen(DID)
      await here.deliver()
      assert.deepEqual(receiver.subjects, ['placed', 'waiting', DID])
      assert.deepEqual(
        (await events()).map(({ id, subject }) => [Number(id), subject]),
        [
          [7, 'placed'],
          [8, 'waiting'],
          [9, DID],
        ],
      )
      const [row] = await here.database.query<{ home: number; sequence: number | string }>(
        sql`SELECT home, sequence FROM account_event WHERE subject = ${DID}`,
      )
      // The third event was deleted.
      assert.deepEqual([row?.home, Number(row?.sequence)], [homeOfDid(DID), 4])
      assert.deepEqual(await homes('account_event_head'), [homeOf(account)])
    })

    it('let announcements of a process that is gone be told', async () => {
      await here.events.tellUnconfirmed()
      assert.deepEqual((await events()).at(-1)?.data, { confirmed: false })
      assert.deepEqual(await homes('announced_event'), [])
    })

    it('are in the home of the DID for a new announcement', async () => {
      const told = await here.as(here.account, () =>
        here.events.announce({ type: 'list.updated', subject: `${DID}?resourceName=a` }),
      )
      assert.deepEqual(await homes('announced_event'), [homeOfDid(DID)])
      told.didNotHappen()
      await here.events.lifecycle.stop()
      assert.deepEqual(await homes('announced_event'), [])
    })

    it('have deliveries deleted with their events', async () => {
      receiver.answer = () => 500
      await here.happen(DID)
      await here.deliver()
      assert.notDeepEqual(await homes('webhook_delivery'), [])
      here.clock.pass(100 * 86_400)
      await here.events.sweep()
      assert.deepEqual([await homes('account_event'), await homes('webhook_delivery')], [[], []])
    })
  })
}

/** As an earlier version has left them. */
const rowsOfBefore = (account: string, webhook: string) => [
  `DELETE FROM migrations WHERE name = '${AddHomes.name}'`,
  'DELETE FROM account_event',
  ...(['7', 'NULL', 'NULL'] as const).map(
    (position, n) => `INSERT INTO account_event (position, account_id, time, type, subject)
      VALUES (${position}, '${account}', '${TIME}', 'did.created', '${['placed', 'waiting', 'deleted'][n]}')`,
  ),
  `DELETE FROM account_event WHERE subject = 'deleted'`,
  `INSERT INTO account_event_head (account_id, last) VALUES ('${account}', 7)
    ON CONFLICT (account_id) DO UPDATE SET last = 7`,
  `INSERT INTO webhook_delivery (webhook_id, event_sequence, position, attempts, since, next_attempt_at)
    SELECT '${webhook}', sequence, 7, 0, '${TIME}', '${TIME}' FROM account_event WHERE position = 7`,
  `INSERT INTO announced_event (id, holder, account_id, time, type, subject)
    VALUES ('x', '${GONE}', '${account}', '${TIME}', 'list.updated', '${DID}')`,
]
