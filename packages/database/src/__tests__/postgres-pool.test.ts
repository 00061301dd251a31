import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { PostgresServer } from '../../../../test/support/postgres-server.js'
import { Database, sql } from '../index.js'
import { postgresAddress } from '../postgres-address.js'
import { PostgresConnecting } from '../postgres-connecting.js'
import { PostgresPool } from '../postgres-pool.js'
import { newProcessName } from '../postgres-share.js'
import { CreateNote1700000000000 } from './migrations.js'

/** The server refuses this role a further connection as it refuses everybody where it is full. */
const ROOM = 3

describe('connections of a PostgreSQL server with few of them', () => {
  let owner: pg.Client
  let ownerUrl: string
  let role: string
  let url: string
  let pools: PostgresPool[]
  const pool = (connections: number, connectTimeoutMs = 5000) => {
    const { servers } = new PostgresConnecting({
      address: postgresAddress(url),
      processName: newProcessName(),
      connectTimeoutMs,
      statementTimeoutMs: 5000,
    })
    const options = {
      servers,
      processName: newProcessName(),
      connections,
      connectTimeoutMs,
      statementTimeoutMs: 5000,
    }
    const opened = new PostgresPool(options)
    pools.push(opened)
    return opened
  }
  const ask = (from: PostgresPool) =>
    from.use((connection) => connection.query<{ n: number }>(sql`SELECT 1 AS n, pg_sleep(0.01)`))
  /** Occupies connections until the returned function is called. */
  const hold = async (from: PostgresPool, connections: number) => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const ends: Promise<void>[] = []
    const haveOne = () =>
      new Promise<void>((resolve, reject) => {
        const used = from.use(async () => {
          resolve()
          await held
        })
        ends.push(used)
        used.catch(reject)
      })
    await Promise.all(Array.from({ length: connections }, haveOne))
    return async () => {
      release()
      await Promise.all(ends)
    }
  }

  before(async () => {
    ownerUrl = await (await PostgresServer.shared()).createDatabase()
    owner = new pg.Client({ connectionString: ownerUrl })
    await owner.connect()
  })
  after(() => owner.end())
  // A role for each test: the server counts connections of the test before until their processes have ended.
  beforeEach(async () => {
    pools = []
    role = `few_${randomUUID().replaceAll('-', '')}`
    await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'few' CONNECTION LIMIT ${ROOM}`)
    await owner.query(`GRANT ALL ON SCHEMA public TO ${role}`)
    url = Object.assign(new URL(ownerUrl), { username: role, password: 'few' }).href
  })
  afterEach(async () => {
    await Promise.all(pools.map((one) => one.end()))
    await owner.query(`DROP OWNED BY ${role}`)
    await owner.query(`DROP ROLE ${role}`)
  })

  it('are waited for if the pool may have more than the server allows', async () => {
    const large = pool(10)
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(large)))
    assert.equal(answers.length, 40)
    assert.ok(large.occupancy.idle <= ROOM)
  })

  it('are waited for even by a pool that has none yet', async () => {
    const holding = pool(ROOM)
    const release = await hold(holding, ROOM)
    const answer = ask(pool(2))
    await new Promise((resolve) => setImmediate(resolve))
    holding.limitTo(1)
    await release()
    assert.equal((await answer)[0]?.n, 1)
  })

  it('are not waited for beyond the timeout of the pool', async () => {
    const release = await hold(pool(ROOM), ROOM)
    await assert.rejects(ask(pool(2, 1000)), {
      code: 'unavailable',
      message: 'the database has no room for more connections or memory',
    })
    await release()
  })

  it('are closed once idle when the pool shrinks', async () => {
    const shrinking = pool(ROOM)
    await (
      await hold(shrinking, ROOM)
    )()
    assert.deepEqual(shrinking.occupancy, { inUse: 0, idle: 3, waiting: 0, most: 3 })
    const release = await hold(shrinking, 2)
    shrinking.limitTo(1)
    while (shrinking.occupancy.idle > 0) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(shrinking.occupancy.inUse, 2, 'connections in use stay open')
    await release()
    const { inUse, idle } = shrinking.occupancy
    assert.equal(inUse + idle, 1)
    assert.equal((await ask(shrinking))[0]?.n, 1)
  })

  it('are waited for longer by a start than by a request', async () => {
    const holding = pool(ROOM)
    const release = await hold(holding, ROOM)
    const database = new Database({
      url,
      migrations: [[CreateNote1700000000000]],
      postgres: { poolSize: 2, connectTimeoutMs: 1000 },
    })
    const started = database.lifecycle.start()
    await setTimeout(1500)
    holding.limitTo(0)
    await release()
    await started
    assert.deepEqual(await database.query(sql`SELECT id FROM note`), [])
    await database.lifecycle.stop()
  })
})
