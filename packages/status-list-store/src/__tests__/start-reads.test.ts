import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@vidimus/database'
import { scansOf, statementsOf } from '../../../../test/support/statement-plans.js'
import { Envelope, openStore, type OpenStore } from './open-store.js'

describe('reads of keys and index orders during startup', () => {
  let folder: string
  let open: OpenStore
  const secrets = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-lists-'))
    open = await openStore(folder, { envelope: new Envelope(...secrets) })
    await open.store.lifecycle.start()
    const [first, second] = secrets.map((secret) => new Envelope(secret).seal('x', []))
    await open.database.write(async (connection) => {
      const numbers = sql`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)`
      const sealed = sql`CASE WHEN n % 2 = 0 THEN ${first ?? ''} ELSE ${second ?? ''} END`
      for (const [into, values] of [
        [sql`"status_list"`, sql`n, n, '', '', 0`],
        [sql`"status_list_key"`, sql`n, ${sealed}, '', 0`],
        [sql`"status_list_order"`, sql`n, ${sealed}, 1, 0, NULL, 0, 0, 0`],
        [sql`"credential_register_key"`, sql`n, ${sealed}, 0`],
        [sql`"status_list_job_part"`, sql`'', '', 'rows', 0, n, n, ${sealed}, 0`],
      ] as const)
        await connection.run(sql`INSERT INTO ${into} ${numbers} SELECT ${values} FROM numbers`)
    })
  })
  after(async () => {
    await open.close()
    await rm(folder, { recursive: true })
  })

  it('use an index, however many lists there are', async () => {
    const statements = await statementsOf(open.database, () => open.store.lifecycle.start())
    assert.equal(statements.length, 4 * 4)
    for (const statement of statements)
      assert.deepEqual(await scansOf(open.database, statement), [], statement.text('sqlite'))
  })

  it('report which secret is missing', async () => {
    for (const secret of secrets) {
      const other = await openStore(folder, { envelope: new Envelope(secret) })
      await assert.rejects(other.store.lifecycle.start(), { code: 'wrong_secret' })
      await other.close()
    }
  })
})
