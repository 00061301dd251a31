import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Quotas } from '@vidimus/accounts'
import { queueName } from '@vidimus/core-types'
import { homeOf, sql, type Connection, type Database } from '@vidimus/database'
import { PLACES } from '../../../../test/support/fresh-database.js'
import { StatementCounter } from '../../../../test/support/statement-counter.js'
import { startedDatabase } from './set-up.js'

for (const place of PLACES) {
  describe(`what works of one transaction know of each other (${place})`, () => {
    let database: Database
    before(async () => {
      database = await startedDatabase(place)
    })
    after(() => database.lifecycle.stop())

    const newAccount = async () => {
      const id = randomUUID()
      await database.write((connection) =>
        connection.run(
          sql`INSERT INTO account (id, name, created_at) VALUES (${id}, ${id}, '2026-01-01T00:00:00.000Z')`,
        ),
      )
      return id
    }
    const together = async (account: string, works: ((connection: Connection) => Promise<unknown>)[]) => {
      const options = { lane: queueName(`account ${account}`), spans: 'a test' }
      const outcomes = await Promise.allSettled(works.map((work) => database.write(work, options)))
      return outcomes.map(({ status }) => status)
    }

    it('is exact for a quota, also after one of them was undone', async () => {
      const quotas = new Quotas(database, { keys: 3 })
      const account = await newAccount()
      const add = (connection: Connection) =>
        quotas.count(connection, account, { keys: 1 }, { home: homeOf(account) })
      const fail = async (connection: Connection) => {
        await add(connection)
        throw new Error('undone')
      }
      const [done, undone] = ['fulfilled', 'rejected']
      assert.deepEqual(await together(account, [add, fail, add, fail, add, add]), [
        done,
        undone,
        done,
        undone,
        done,
        undone,
      ])
      assert.equal((await quotas.usage(account)).keys.used, 3)
    })

    it('is read once', async () => {
      const quotas = new Quotas(database)
      const account = await newAccount()
      const add = (connection: Connection) =>
        quotas.count(connection, account, { keys: 1 }, { home: homeOf(account) })
      const counter = new StatementCounter()
      try {
        await together(account, [add, add, add, add])
        const reads = counter.take().texts.filter((text) => text.includes('FROM account_quota'))
        assert.equal(reads.length, 1)
      } finally {
        counter.end()
      }
    })
  })
}
