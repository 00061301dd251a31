import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { entities, migrations } from '@vidimus/custody'
import { Database, homeOf, sql } from '@vidimus/database'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { freshDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { onDatabase, SECRET } from '../../../custody/src/__tests__/set-up.js'
import { AddHomesToRecords1798200000850 as AddHomes, IdempotencyRecords } from '../index.js'

const ACCOUNT = 'an account'
const REQUEST = { accountId: ACCOUNT, key: 'k', content: 'POST /did/create' }
const FORMER = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name === AddHomes.name),
)

for (const place of PLACES) {
  describe(`homes of requests with an idempotency key (${place})`, () => {
    const envelope = new PrivateKeyEnvelope({ secret: SECRET })
    let url: string
    const used = async <T>(which: typeof migrations, work: (database: Database) => Promise<T>) => {
      const database = new Database({ url, migrations: [which], entities: [entities] })
      await database.lifecycle.start()
      try {
        return await work(database)
      } finally {
        await database.lifecycle.stop()
      }
    }
    const begun = (database: Database, request = REQUEST) =>
      new IdempotencyRecords(database, envelope).begin(request, { waitMs: 0 })

    before(async () => {
      url = await freshDatabase(place)
      const keyDigest = createHash('sha256').update(REQUEST.key).digest('hex')
      const contentDigest = createHmac('sha256', REQUEST.key).update(REQUEST.content).digest('hex')
      const sealed = envelope.seal('200 {"did":"x"}', ['answer of a request', ACCOUNT, 'record'])
      await used(FORMER, (database) =>
        database.write(async (connection) => {
          await connection.run(
            sql`INSERT INTO account (id, name, created_at) VALUES (${ACCOUNT}, 'a', '2026-01-01T00:00:00.000Z')`,
          )
          await connection.run(
            sql`INSERT INTO idempotency_record (id, account_id, key_digest, content_digest, beats, sealed_answer, expires_at)
              VALUES ('record', ${ACCOUNT}, ${keyDigest}, ${contentDigest}, 0, ${sealed}, '2999-01-01T00:00:00.000Z')`,
          )
        }),
      )
    })

    const answersAsBefore = () =>
      used(migrations, async (database) => {
        const rows = await database.query(sql`SELECT home, id FROM idempotency_record`)
        assert.deepEqual(rows, [{ home: homeOf(ACCOUNT), id: 'record' }])
        assert.deepEqual(await begun(database), {
          outcome: 'answered',
          answer: { status: 200, body: '{"did":"x"}' },
        })
        assert.equal((await begun(database, { ...REQUEST, content: 'another' })).outcome, 'reused')
      })

    it('are those of their accounts, and stored responses are returned as before', answersAsBefore)

    it('can be taken away and given again', async () => {
      await onDatabase(url, async (runner) => {
        await new AddHomes().down(runner)
        await assert.rejects(runner.query('SELECT home FROM idempotency_record'))
        await new AddHomes().up(runner)
      })
      await answersAsBefore()
    })
  })
}
