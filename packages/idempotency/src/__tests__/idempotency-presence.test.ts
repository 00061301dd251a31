import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Database, sql } from '@vidimus/database'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { freshDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { Accounts } from '@vidimus/accounts'
import { migrations } from '@vidimus/custody'
import { IdempotencyRecords } from '../index.js'
import { SECRET } from '../../../custody/src/__tests__/set-up.js'

const NOT_AT_ALL = { waitMs: 0 }
const LONG = { waitMs: 30_000 }

const children: ChildProcess[] = []
process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')))

const moduleOf = (path: string) => JSON.stringify(pathToFileURL(resolve(import.meta.dirname, path)).href)

/** Another process that has begun requests, and works on them until it is killed. */
async function workingProcess(url: string, accountId: string, keys: readonly string[]) {
  const code = `const { Database } = await import(${moduleOf('../../../database/build/index.js')})
    const { PrivateKeyEnvelope } = await import(${moduleOf('../../../kms-node/build/index.js')})
    const { migrations } = await import(${moduleOf('../../../custody/build/index.js')})
    const { IdempotencyRecords } = await import(${moduleOf('../../build/index.js')})
    const database = new Database({ url: ${JSON.stringify(url)}, migrations: [migrations] })
    await database.lifecycle.start()
    const records = new IdempotencyRecords(database, new PrivateKeyEnvelope({ secret: ${JSON.stringify(SECRET)} }))
    for (const key of ${JSON.stringify(keys)}) {
      const request = { accountId: ${JSON.stringify(accountId)}, key, content: 'POST' }
      console.log((await records.begin(request, { waitMs: 0 })).outcome)
    }
    console.log('working')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let printed = ''
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    printed += chunk.toString()
    if (printed.includes('working')) break
  }
  return { child, outcomes: printed.trim().split('\n').slice(0, -1) }
}

/** Of the process that has begun two requests. */
async function presenceOf(database: Database): Promise<string> {
  const [row] = await database.query<{ presence: string }>(
    sql`SELECT presence FROM idempotency_record GROUP BY presence HAVING COUNT(*) = 2`,
  )
  return row?.presence ?? assert.fail()
}

for (const place of PLACES) {
  describe(`requests of a killed process with an idempotency key (${place})`, () => {
    let url: string
    const databases: Database[] = []
    const open = async () => {
      const database = new Database({ url, migrations: [migrations] })
      await database.lifecycle.start()
      databases.push(database)
      return {
        database,
        records: new IdempotencyRecords(database, new PrivateKeyEnvelope({ secret: SECRET })),
      }
    }
    beforeEach(async () => {
      url = await freshDatabase(place)
    })
    afterEach(async () => {
      for (const database of databases.splice(0)) await database.lifecycle.stop()
    })

    it('are taken over immediately, each by exactly one process', async () => {
      const [one, other] = [await open(), await open()]
      const account = await new Accounts(one.database).create('acme')
      const { child, outcomes } = await workingProcess(url, account.id, ['a', 'b'])
      assert.deepEqual(outcomes, ['begun', 'begun'])
      const request = (key: string) => ({ accountId: account.id, key, content: 'POST' })
      const waiting = [one, other].map(({ records }) => records.begin(request('a'), LONG))
      for (const key of ['a', 'b']) {
        assert.equal((await other.records.begin(request(key), NOT_AT_ALL)).outcome, 'busy')
      }
      const presence = await presenceOf(one.database)
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      // The server notices the end of the connection by itself.
      while (await one.database.isPresent(presence));
      const next = await one.records.begin(request('b'), NOT_AT_ALL)
      assert.equal(next.outcome === 'begun' && next.claim.run.before, 'taken-over')
      const first = await Promise.race(waiting)
      const claim = first.outcome === 'begun' ? first.claim : assert.fail(first.outcome)
      await claim.finish({ status: 200, body: '{}' })
      const found = (await Promise.all(waiting)).map(({ outcome }) => outcome)
      assert.deepEqual(found.sort(), ['answered', 'begun'])
    })
  })
}
