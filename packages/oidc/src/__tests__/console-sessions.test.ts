import assert from 'node:assert/strict'
import { Accounts } from '@vidimus/accounts'
import { migrations as ofAccounts } from '@vidimus/custody'
import { Database, sql } from '@vidimus/database'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { migratedDatabase, PLACES, type Place } from '../../../../test/support/fresh-database.js'
import { ConsoleSessions } from '../console-sessions.js'
import { migrations } from '../index.js'

const MINUTE_MS = 60_000
const envelope = new PrivateKeyEnvelope({ secret: 'ab'.repeat(32) })
const ANN = { issuer: 'https://login.example', subject: 'ann' }

for (const place of PLACES) describe(`sessions of the console (${place})`, () => consoleSessions(place))

function consoleSessions(place: Place): void {
  let database: Database
  let accounts: Accounts
  let sessions: ConsoleSessions
  let account: string
  let now: number

  before(async () => {
    const tables = { migrations: [ofAccounts, migrations] }
    database = new Database({ url: await migratedDatabase(place, tables), ...tables })
    await database.lifecycle.start()
    accounts = new Accounts(database)
    account = (await accounts.create('acme')).id
  })
  after(async () => {
    await accounts.lifecycle.stop()
    await database.lifecycle.stop()
  })
  beforeEach(() => {
    now = Date.now()
    sessions = new ConsoleSessions(database, envelope, () => new Date(now))
  })

  const pass = (minutes: number) => (now += minutes * MINUTE_MS)

  const begin = (claims: object = { sub: 'ann' }) =>
    sessions.begin(account, ANN, { ...claims }, { provider: 'default', origin: {} })

  it('keep the claims that they began with, sealed, for every process', async () => {
    const claims = { sub: 'ann', groups: ['secret-society'] }
    const session = await begin(claims)
    const elsewhere = new ConsoleSessions(database, envelope, () => new Date(now))
    const found = await elsewhere.find(session)
    assert.equal(found?.account.name, 'acme')
    assert.deepEqual([found.holder, found.claims], [ANN, claims])
    assert.ok(!JSON.stringify(await database.query(sql`SELECT * FROM console_session`)).includes('society'))
    await assert.rejects(begin({ groups: 'x'.repeat(8192) }), /more than 8192 bytes/)
  })

  it('are listed page by page, newest first, and end by issuer, subject or id, but not by several', async () => {
    await sessions.endBy({ issuer: ANN.issuer })
    for (let n = 0; n < 3; n += 1, pass(1)) await begin()
    const first = await sessions.page({ limit: 2, account: 'acme' })
    const rest = await sessions.page({ limit: 2, after: first.next ?? '' })
    assert.deepEqual([first.sessions.length, rest.sessions.length, rest.next], [2, 1, undefined])
    assert.ok((first.sessions[0]?.createdAt ?? '') > (rest.sessions[0]?.createdAt ?? ''))
    assert.deepEqual((await sessions.page({ account: 'nobody' })).sessions, [])
    await assert.rejects(sessions.endBy({}), /which sessions/)
    await assert.rejects(sessions.endBy({ id: 'x', subject: 'ann' }), /which sessions/)
    assert.equal(await sessions.endBy({ id: rest.sessions[0]?.id }), 1)
    assert.equal(await sessions.endBy({ subject: 'ben' }), 0)
    assert.equal(await sessions.endBy({ subject: 'ann' }), 2)
  })

  it('end when nobody used them for 30 minutes, and after 12 hours', async () => {
    const session = await begin()
    for (let hours = 0; hours < 11.5; hours += 29 / 60) {
      pass(29)
      assert.ok(await sessions.find(session), `after ${hours} hours`)
    }
    pass(29)
    assert.equal(await sessions.find(session), undefined)
    const idle = await begin()
    pass(30)
    assert.ok(await sessions.find(idle))
    pass(31)
    assert.equal(await sessions.find(idle), undefined)
  })

  it('end for everybody when one signs out, and with the account', async () => {
    const session = await begin()
    await sessions.end(session, 'default', {})
    assert.equal(await sessions.find(session), undefined)
    const other = await begin()
    await accounts.states.disable('acme')
    assert.equal(await sessions.find(other), undefined)
    await accounts.states.enable('acme')
    assert.ok(await sessions.find(other))
    const [rows] = sessions.accountRows
    assert.ok(((await rows?.count(account)) ?? 0) > 0)
    await rows?.erase(account)
    assert.equal(await sessions.find(other), undefined)
  })

  it('are stored as hashes, and removed once they have ended', async () => {
    const session = await begin()
    const rows = await database.query<{ hash: string }>(sql`SELECT * FROM console_session`)
    assert.ok(!JSON.stringify(rows).includes(session.slice(8, 30)))
    pass(31)
    await begin()
    assert.equal((await database.query(sql`SELECT hash FROM console_session`)).length, 1)
    for (const unknown of ['', 'session_', `session_${'a'.repeat(43)}`, `${session}x`]) {
      assert.equal(await sessions.find(unknown), undefined)
    }
  })
}
