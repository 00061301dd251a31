import assert from 'node:assert/strict'
import { currentRequest, queueName, runInRequest } from '@vidimus/core-types'
import { freshDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { Database } from '../database.js'
import { sql } from '../sql.js'

for (const place of PLACES) {
  describe(`database metrics (${place})`, () => {
    let database: Database
    beforeEach(async () => {
      database = new Database({ url: await freshDatabase(place), migrations: [] })
      await database.lifecycle.start()
    })
    afterEach(() => database.lifecycle.stop())

    const read = async (name: string) => {
      const found = database.measurements.find(({ form }) => form.name === name)
      assert.ok(found, name)
      return found.read()
    }
    const counts = async () =>
      (await read('vidimus_database_transaction_duration_seconds'))
        .filter(({ metricName }) => metricName?.endsWith('_count'))
        .map(({ labels, value }) => [labels.outcome, value])

    it('count each transaction with its outcome, including those that share a COMMIT', async () => {
      await Promise.all(
        Array.from({ length: 5 }, () =>
          database.write((write) => write.query(sql`SELECT 1`), { lane: queueName('one') }),
        ),
      )
      await assert.rejects(
        database.write(() => Promise.reject(new Error('no'))),
        /no/,
      )
      assert.deepEqual(await counts(), [
        ['committed', 5],
        ['failed', 1],
      ])
    })

    it('show what is waiting', async () => {
      const waiting = () => read('vidimus_database_write_queue_length')
      let go: () => void = () => undefined
      const gate = new Promise<void>((resolve) => (go = resolve))
      const begun = new Promise<void>((resolve) => {
        void database.write(
          async () => {
            resolve()
            await gate
          },
          { lane: queueName('one') },
        )
      })
      await begun
      const others = Array.from({ length: 3 }, () =>
        database.write((write) => write.query(sql`SELECT 1`), { lane: queueName('one') }),
      )
      assert.deepEqual(await waiting(), [{ labels: {}, value: 3 }])
      go()
      await Promise.all(others)
      assert.deepEqual(await waiting(), [{ labels: {}, value: 0 }])
    })

    it('count hits and misses of remembered queries', async () => {
      for (let n = 0; n < 4; n += 1) await database.queryRemembered(sql`SELECT 1 AS one`, 0)
      assert.deepEqual(await read('vidimus_database_remembered_queries_total'), [
        { labels: { result: 'hit' }, value: 3 },
        { labels: { result: 'miss' }, value: 1 },
      ])
    })

    it('are attributed to the request that caused them, even if others share its COMMIT', async () => {
      const ids = Array.from({ length: 10 }, (_, n) => `request-${n}`)
      const seen = await Promise.all(
        ids.map((requestId) =>
          runInRequest({ requestId }, () =>
            database.write(
              async (write) => {
                await write.query(sql`SELECT 1`)
                return currentRequest()?.requestId
              },
              { lane: queueName('one') },
            ),
          ),
        ),
      )
      assert.deepEqual(seen, ids)
      assert.equal(
        await database.write(() => Promise.resolve(currentRequest()), { lane: queueName('one') }),
        undefined,
      )
    })
  })
}
