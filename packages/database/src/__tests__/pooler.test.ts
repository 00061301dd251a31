import { queueName } from '@vidimus/core-types'
import assert from 'node:assert/strict'
import { NO_PGBOUNCER, PgBouncer } from '../../../../test/support/pgbouncer.js'
import { PostgresServer } from '../../../../test/support/postgres-server.js'
import { Database, sql } from '../index.js'
import { CreateNote1700000000000 } from './migrations.js'

describe('PgBouncer in front of PostgreSQL', () => {
  let url: string
  let bouncer: PgBouncer | undefined
  const opened = async (postgres = {}) => {
    const database = new Database({
      url: bouncer?.url ?? '',
      postgres,
      migrations: [[CreateNote1700000000000]],
    })
    await database.lifecycle.start()
    return database
  }
  before(async function () {
    if (PgBouncer.program() === undefined) {
      if (process.env.CI) throw new Error(NO_PGBOUNCER)
      this.skip()
    }
    url = await (await PostgresServer.shared()).createDatabase()
  })
  afterEach(() => bouncer?.end())

  it('keeps locks, time limits and settings per connection in session mode', async () => {
    bouncer = await PgBouncer.start(url, 'session')
    const [one, other] = [await opened(), await opened({ statementTimeoutMs: 5000 })]
    try {
      const release = await one.lock(queueName('work'))
      assert.ok(release)
      assert.equal(await other.lock(queueName('work')), undefined)
      await release()
      assert.equal(await other.isPresent(await one.presence()), true)
      await assert.rejects(other.query(sql`SELECT pg_sleep(30)`), /too busy to answer in time/)
      const settings = sql`SELECT current_setting('statement_timeout') AS statement,
        current_setting('idle_in_transaction_session_timeout') AS idle`
      assert.deepEqual(await one.query(settings), [{ statement: '10s', idle: '5s' }])
    } finally {
      await Promise.all([one.lifecycle.stop(), other.lifecycle.stop()])
    }
  })

  for (const mode of ['transaction', 'statement'] as const)
    it(`is refused at startup in ${mode} mode, and leaves no lock behind`, async () => {
      bouncer = await PgBouncer.start(url, mode)
      await assert.rejects(opened(), {
        code: 'invalid_configuration',
        message: /shares sessions between connections .* set pool_mode = session/,
      })
      const direct = new Database({ url, migrations: [[CreateNote1700000000000]] })
      await direct.lifecycle.start()
      const locks = sql`SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE l.locktype = 'advisory' AND d.datname = current_database()`
      assert.deepEqual(await direct.query(locks), [])
      await direct.lifecycle.stop()
    })
})
