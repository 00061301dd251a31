import assert from 'node:assert/strict'
import { Accounts } from '@vidimus/accounts'
import { tokenHolder } from '@vidimus/core-types'
import { entities, migrations as ofAccounts } from '@vidimus/custody'
import { Database, sql } from '@vidimus/database'
import { migratedDatabase, PLACES, type Place } from '../../../../test/support/fresh-database.js'
import { ConsoleSessions } from '../console-sessions.js'
import { migrations } from '../index.js'

const MINUTE_MS = 60_000
const ANN = { issuer: 'https://login.example', subject: 'ann' }

for (const place of PLACES) describe(`sessions of the console (${place})`, () => consoleSessions(place))

function consoleSessions(place: Place): void {
  let database: Database
  let accounts: Accounts
  let sessions: ConsoleSessions
  let account: string
  let now: number

  before(async () => {
    const tables = { migrations: [ofAccounts, migrations], entities: [entities] }
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
    sessions = new ConsoleSessions(database, () => new Date(now))
  })

  const pass = (minutes: number) => (now += minutes * MINUTE_MS)

  it('have the rights that they began with, in every process', async () => {
    const session = await sessions.begin(account, ANN, { scopes: ['read'], networks: ['testnet'] })
    const elsewhere = new ConsoleSessions(database, () => new Date(now))
    const found = await elsewhere.find(session)
    assert.equal(found?.account.name, 'acme')
    assert.deepEqual(tokenHolder(found.grant.id), ANN)
    assert.deepEqual([found.grant.scopes, found.grant.networks], [['read'], ['testnet']])
    const free = await sessions.begin(account, ANN, {})
    const { grant } = (await sessions.find(free)) ?? {}
    assert.deepEqual([grant?.scopes, grant?.networks], [undefined, undefined])
  })

  it('end when nobody used them for 30 minutes, and after 12 hours', async () => {
    const session = await sessions.begin(account, ANN, {})
    for (let hours = 0; hours < 11.5; hours += 29 / 60) {
      pass(29)
      assert.ok(await sessions.find(session), `after ${hours} hours`)
    }
    pass(29)
    assert.equal(await sessions.find(session), undefined)
    const idle = await sessions.begin(account, ANN, {})
    pass(30)
    assert.ok(await sessions.find(idle))
    pass(31)
    assert.equal(await sessions.find(idle), undefined)
  })

  it('end for everybody when one signs out, and with the account', async () => {
    const session = await sessions.begin(account, ANN, {})
    await sessions.end(session)
    assert.equal(await sessions.find(session), undefined)
    const other = await sessions.begin(account, ANN, {})
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
    const session = await sessions.begin(account, ANN, {})
    const rows = await database.query<{ hash: string }>(sql`SELECT * FROM console_session`)
    assert.ok(!JSON.stringify(rows).includes(session.slice(8, 30)))
    pass(31)
    await sessions.begin(account, ANN, {})
    assert.equal((await database.query(sql`SELECT hash FROM console_session`)).length, 1)
    for (const unknown of ['', 'session_', `session_${'a'.repeat(43)}`, `${session}x`]) {
      assert.equal(await sessions.find(unknown), undefined)
    }
  })
}
