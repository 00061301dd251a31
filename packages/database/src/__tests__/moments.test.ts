import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { runInRequest, whoeverWaits, queueName } from '@vidimus/core-types'
import { freshDatabase, PLACES, type Place } from '../../../../test/support/fresh-database.js'
import type { HomeWatch } from '../home-versions.js'
import { Database, sql } from '../index.js'
import { Moments } from '../moments.js'
import { Remembered } from '../remembered.js'
import { CreateNote1700000000000 } from './migrations.js'

describe('a moment of a request', () => {
  it('does not begin if the request has learned something else while it asked', async () => {
    const moments = new Moments(Infinity)
    let asked = 0
    const watch: HomeWatch = {
      dialect: 'sqlite',
      seesAll: true,
      changed: () => Promise.resolve([]).finally(() => (asked += 1)),
    }
    const remembered = new Remembered({ query: () => Promise.resolve([]) }, watch, new Set(), moments)
    const find = () => remembered.find([1], 'a', () => Promise.resolve(0))
    await find()
    await runInRequest({ requestId: 'r' }, async () => {
      await Promise.all([find(), moments.endAfter(Promise.resolve())])
      asked = 0
      await find()
      assert.equal(asked, 1)
      await find()
      assert.equal(asked, 1)
    })
  })

  for (const seesAll of [true, false]) {
    it(`lets cached look-ups ask once ${seesAll ? 'for all homes' : 'for each home, together with those before'}`, async () => {
      const asked: number[][] = []
      const watch: HomeWatch = {
        dialect: 'sqlite',
        seesAll,
        changed: (homes) => {
          asked.push([...homes])
          return Promise.resolve([])
        },
      }
      const reader = { query: () => Promise.resolve([]) }
      const remembered = new Remembered(reader, watch, new Set(), new Moments(Infinity))
      const find = (home: number) => remembered.find([home], `${home}`, () => Promise.resolve(0))
      await find(1)
      await find(2)
      asked.length = 0
      await runInRequest({ requestId: 'r' }, async () => {
        for (const home of [1, 1, 2, 1, 2]) await find(home)
      })
      assert.deepEqual(asked, seesAll ? [[1]] : [[1], [1, 2]])
    })
  }
})

for (const place of PLACES) {
  describe(`moments of a request (${place})`, () => momentsOfRequests(place))
}

function momentsOfRequests(place: Place): void {
  let database: Database
  let other: Database
  let value = 0
  const open = async (url: string) => {
    const opened = new Database({ url, migrations: [[CreateNote1700000000000]] })
    await opened.lifecycle.start()
    return opened
  }
  const put = (to: Database, home = 1) => {
    value += 1
    return to.write((connection) =>
      connection.run(
        sql`INSERT INTO note (id, body) VALUES (${`${home} a`}, ${`${value}`})
          ON CONFLICT (id) DO UPDATE SET body = excluded.body`.changing(home),
      ),
    )
  }
  const bodyOf = async (home = 1): Promise<number> => {
    const statement = sql`SELECT body FROM note WHERE id = ${`${home} a`}`
    const [row] = await database.queryRemembered<{ body: string }>(statement, home)
    return Number(row?.body)
  }
  const inRequest = <T>(work: () => Promise<T>) => runInRequest({ requestId: 'r' }, work)
  const endings: Record<string, () => Promise<unknown>> = {
    'it queries the database otherwise': () => database.query(sql`SELECT 1`),
    'it reads consistently': () => database.readConsistently((reader) => reader.query(sql`SELECT 1`)),
    'it takes its turn': () => database.inTurn(queueName('turn'), () => Promise.resolve(), { patient: true }),
    'it writes': () => put(database, 2),
    'another request of the process writes': () => inRequest(() => put(database, 2)),
    'a look-up is not cached': () => bodyOf(3 + value),
  }

  before(async () => {
    const url = await freshDatabase(place)
    database = await open(url)
    other = await open(url)
  })
  after(async () => {
    await database.lifecycle.stop()
    await other.lifecycle.stop()
  })
  // Two look-ups: the first one of a changed row ends the moment.
  const learn = async () => {
    await bodyOf()
    return bodyOf()
  }

  it('do not outlast the request', async () => {
    await inRequest(async () => {
      await learn()
      await put(other)
      assert.equal(await inRequest(() => bodyOf()), value)
    })
  })

  for (const [when, end] of Object.entries(endings)) {
    it(`end when ${when}`, async () => {
      await inRequest(async () => {
        await learn()
        await put(other)
        const written = value
        await end()
        assert.equal(await bodyOf(), written)
      })
    })
  }

  it('do not count for work that several requests wait for', async () => {
    await inRequest(async () => {
      await learn()
      await put(other)
      assert.equal(await whoeverWaits(() => bodyOf()), value)
    })
  })

  it('end by themselves', async () => {
    await inRequest(async () => {
      await learn()
      await put(other)
      while ((await bodyOf()) !== value) await setTimeout(1)
    })
  })

  it('never make a look-up older than the one before', async () => {
    await inRequest(async () => {
      await bodyOf()
      await put(other, 1)
      await put(other, 2)
      const second = await bodyOf(2)
      assert.ok((await bodyOf(1)) === value - 1 || second !== value)
    })
  })

  it('do not exist outside of requests', async () => {
    await learn()
    await put(other)
    assert.equal(await bodyOf(), value)
  })
}
