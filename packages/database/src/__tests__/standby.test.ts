import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { PostgresServer } from '../../../../test/support/postgres-server.js'
import { Database, homeOf, sql, type DatabaseOptions } from '../index.js'
import { CreateNote1700000000000 } from './migrations.js'

const HOME = homeOf('did:cheqd:testnet:0a7e9ff6-3b2d-4a56-9f43-8d6f5b1f0c11')
const bodyOf = (id: string) => sql`SELECT body FROM note WHERE id = ${id}`
const write = (id: string, body: string) =>
  sql`INSERT INTO note (id, body) VALUES (${id}, ${body}) ON CONFLICT (id) DO UPDATE SET body = ${body}`.changing(
    HOME,
  )

describe('PostgreSQL standby', () => {
  let primary: PostgresServer
  let standby: PostgresServer
  let name: string
  let writer: Database
  let reader: Database
  const made = (url: string, postgres: DatabaseOptions['postgres'] = {}) =>
    new Database({ url, postgres, migrations: [[CreateNote1700000000000]] })
  const open = async (url: string, readOnly = false) => {
    const database = made(url)
    if (readOnly) database.serveReadsOnly()
    await database.lifecycle.start()
    opened.push(database)
    return database
  }
  let opened: Database[] = []
  const follows = async () => {
    const ask = async (server: PostgresServer, text: string) => {
      const client = new pg.Client({ connectionString: server.urlOf(name) })
      await client.connect()
      const { rows } = await client.query<{ at: string }>(text)
      await client.end()
      return rows[0]?.at ?? ''
    }
    const at = await ask(primary, 'SELECT CAST(pg_current_wal_lsn() AS TEXT) AS at')
    while ((await ask(standby, `SELECT CAST(pg_last_wal_replay_lsn() >= '${at}' AS TEXT) AS at`)) !== 'true')
      await pause(5)
  }

  before(async function () {
    primary = await PostgresServer.start(['-c', 'fsync=off'])
    const url = await primary.createDatabase()
    name = new URL(url).pathname.slice(1)
    await (await open(url)).lifecycle.stop()
    standby = await primary.standby(['-c', 'fsync=off'])
    opened = []
    writer = await open(primary.urlOf(name))
    reader = await open(standby.urlOf(name), true)
  })
  after(async () => {
    await Promise.all(opened.map((database) => database.lifecycle.stop()))
    await Promise.all([primary.remove(), standby.remove()])
  })

  it('is refused by a writing process in one sentence, whatever its address prefers', async () => {
    for (const url of [
      standby.urlOf(name),
      standby.urlOfBoth(name, primary, 'any'),
      primary.urlOfBoth(name, standby, 'standby'),
    ])
      await assert.rejects(
        made(url).lifecycle.start(),
        /is a standby, .* give the address of its primary, or start with --read-only$/,
      )
    await assert.rejects(made(standby.urlOf(name)).pendingMigrations(), /is a standby/)
  })

  it('can be read by a read-only process, which refuses to write', async () => {
    await writer.write((connection) => connection.run(write('n1', 'first')))
    await follows()
    assert.deepEqual(await reader.query(bodyOf('n1')), [{ body: 'first' }])
    await assert.rejects(
      reader.write((connection) => connection.run(write('n1', 'second'))),
      {
        code: 'read_only',
        message: /read-only \(--read-only\); send changes to a process on the primary/,
      },
    )
    assert.deepEqual(await reader.readConsistently((at) => at.query(bodyOf('n1'))), [{ body: 'first' }])
  })

  it('returns no stale remembered rows, in whatever order transactions began', async () => {
    const read = async () => (await reader.queryRemembered<{ body: string }>(bodyOf('n2'), HOME))[0]?.body
    let endFirst: () => void = () => undefined
    const held = new Promise<void>((resolve) => (endFirst = resolve))
    const first = writer.write(async (connection) => {
      await connection.query(bodyOf('n1'))
      await held
    })
    await writer.write((connection) => connection.run(write('n2', 'a')))
    await follows()
    assert.equal(await read(), 'a')
    for (const body of ['b', 'c', 'd']) {
      await writer.write((connection) => connection.run(write('n2', body)))
      await follows()
      assert.equal(await read(), body)
    }
    endFirst()
    await first
    assert.equal(await read(), 'd')
  })

  it('reports its lag by the age of what is not replayed, and none if the primary is idle', async () => {
    await follows()
    const client = new pg.Client({ connectionString: standby.urlOf(name) })
    await client.connect()
    const check = async () => (await reader.lifecycle.check())[0]
    try {
      assert.deepEqual(await check(), {
        name: 'database',
        ok: true,
        message: 'the standby is 0.0 s behind its primary',
      })
      const near = made(standby.urlOf(name), { maxLagMs: 1 })
      near.serveReadsOnly()
      await near.lifecycle.start()
      opened.push(near)
      assert.equal((await near.lifecycle.check())[0]?.ok, true)
      await client.query('SELECT pg_wal_replay_pause()')
      await writer.write((connection) => connection.run(write('n3', 'late')))
      const lags = reader.measurements.find(({ form }) => form.name === 'vidimus_replication_lag_seconds')
      const lag = async () => (await lags?.read())?.[0]?.value ?? 0
      while ((await lag()) < 0.1) await pause(10)
      const [late] = await near.lifecycle.check()
      assert.equal(late?.ok, false)
      assert.match(late.message ?? '', /^the standby is \d+\.\d s behind its primary, and may be 0\.001 s$/)
      assert.equal((await check())?.ok, true)
    } finally {
      await client.query('SELECT pg_wal_replay_resume()')
      await client.end()
    }
  })

  it('is distinguished from its primary through the address, in either order', async () => {
    const isStandby = async (url: string) => {
      const database = await open(url, true)
      const [row] = await database.query<{ standby: string }>(
        sql`SELECT CAST(pg_is_in_recovery() AS TEXT) AS standby`,
      )
      return row?.standby === 'true'
    }
    for (const [one, other] of [
      [primary, standby],
      [standby, primary],
    ] as const) {
      for (const session of ['standby', 'prefer-standby', 'read-only'])
        assert.equal(await isStandby(one.urlOfBoth(name, other, session)), true, session)
      for (const session of ['primary', 'read-write'])
        assert.equal(await isStandby(one.urlOfBoth(name, other, session)), false, session)
      assert.equal(await isStandby(one.urlOfBoth(name, other, 'any')), one === standby)
      const written = await open(one.urlOfBoth(name, other, 'read-write'))
      await written.write((connection) => connection.run(write('n4', 'there')))
    }
  })

  it('can be promoted, and remembered rows stay correct', async function () {
    const moving = await open(primary.urlOfBoth(name, standby, 'read-write'))
    await primary.set({ synchronous_standby_names: '*' })
    await moving.write((connection) => connection.run(write('n5', 'kept')))
    const read = async (from: Database) =>
      (await from.queryRemembered<{ body: string }>(bodyOf('n5'), HOME))[0]?.body
    await follows()
    assert.equal(await read(moving), 'kept')
    assert.equal(await read(reader), 'kept')
    await primary.stop()
    await standby.promote()
    await moving.write((connection) => connection.run(write('n5', 'changed')))
    assert.equal(await read(moving), 'changed')
    assert.equal(await read(reader), 'changed')
  })
})

describe('synchronous_commit setting of the operator', () => {
  it('is kept if stricter than ours, and raised if weaker', async () => {
    const server = await PostgresServer.shared()
    const url = await server.createDatabase()
    for (const [asked, kept] of [
      ['remote_apply', 'remote_apply'],
      ['remote_write', 'remote_write'],
      ['off', 'on'],
      ['local', 'on'],
      ['on', 'on'],
    ]) {
      const database = new Database({
        url: `${url}?options=${encodeURIComponent(`-c synchronous_commit=${asked}`)}`,
        migrations: [[CreateNote1700000000000]],
      })
      await database.lifecycle.start()
      const [row] = await database.query<{ is: string }>(
        sql`SELECT current_setting('synchronous_commit') AS is`,
      )
      await database.lifecycle.stop()
      assert.equal(row?.is, kept, asked)
    }
  })
})
