import assert from 'node:assert/strict'
import { PAGES, placeText } from '@vidimus/core-types'
import { Database, homeOf, sql } from '@vidimus/database'
import { migrations } from '@vidimus/custody'
import { Accounts, AuditLog } from '../index.js'
import { hasCode, removeFolder, temporaryFolder } from '../../../custody/src/__tests__/set-up.js'
import { layMigratedDatabase } from '../../../../test/support/fresh-database.js'

const TABLES = { migrations: [migrations] }

describe('a page of the audit trail', () => {
  let folder: string
  let database: Database
  let audit: AuditLog
  before(async () => {
    folder = await temporaryFolder()
    await layMigratedDatabase(folder, TABLES)
    database = new Database({ url: null, dataDirectory: folder, ...TABLES })
    await database.lifecycle.start()
    audit = new AuditLog(database)
  })
  after(async () => {
    await audit.lifecycle.stop()
    await database.lifecycle.stop()
    await removeFolder(folder)
  })

  it('looks at a limited number of rows, and continues where it stopped', async () => {
    const account = await new Accounts(database).create('acme')
    await database.write((connection) =>
      connection.run(sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${PAGES.counted + 5})
        INSERT INTO audit_event (home, time, event, outcome, account_id, occurrences)
        SELECT ${homeOf(account.id)}, '2027-01-31T12:00:00.000Z', 'key-created', 'done', ${account.id}, 1 FROM n`),
    )
    const first = await audit.page(account, { event: 'account-created' })
    assert.deepEqual(first.entries, [])
    assert.ok(first.next)
    const second = await audit.page(account, { event: 'account-created', after: first.next })
    assert.deepEqual(
      second.entries.map(({ event, subject }) => [event, subject]),
      [['account-created', 'acme']],
    )
    assert.equal(second.next, undefined)
  })

  it('refuses a place that was never given out', async () => {
    const account = await new Accounts(database).create('umbrella')
    for (const after of ['x', placeText(['1', '2'])]) {
      await assert.rejects(audit.page(account, { after }), hasCode('invalid_input'))
    }
    assert.deepEqual(await audit.page(account, { after: placeText(["1' OR 1=1"]) }), { entries: [] })
  })

  it('says nothing of the account and the sequence of the table', async () => {
    const account = await new Accounts(database).create('initech')
    const { entries } = await audit.page(account, {})
    assert.deepEqual(Object.keys(entries[0] ?? {}).sort(), [
      'event',
      'id',
      'occurrences',
      'outcome',
      'subject',
      'time',
    ])
  })
})
