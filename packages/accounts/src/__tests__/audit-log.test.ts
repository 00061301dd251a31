import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { AUDIT_EVENTS, runInAccountScope } from '@vidimus/core-types'
import { Database, sql } from '@vidimus/database'
import { Accounts, AuditLog } from '../index.js'
import { migrations } from '@vidimus/custody'
import { hasCode, removeFolder, temporaryFolder } from '../../../custody/src/__tests__/set-up.js'
import { layMigratedDatabase } from '../../../../test/support/fresh-database.js'

const TABLES = { migrations: [migrations] }

const root = resolve(import.meta.dirname, '../../../..')

describe('AuditLog', () => {
  let folder: string
  let database: Database
  let now: Date
  let audit: AuditLog
  beforeEach(async () => {
    folder = await temporaryFolder()
    await layMigratedDatabase(folder, TABLES)
    database = new Database({ url: null, dataDirectory: folder, ...TABLES })
    await database.lifecycle.start()
    now = new Date('2026-05-01T12:00:00.000Z')
    audit = new AuditLog(database, { clock: () => now })
  })
  afterEach(async () => {
    await audit.lifecycle.stop()
    await database.lifecycle.stop()
    await removeFolder(folder)
  })

  const passed = (seconds: number) => (now = new Date(now.getTime() + seconds * 1000))

  it('records who did what, when and from where', async () => {
    const account = await new Accounts(database).create('acme')
    await runInAccountScope(
      { ...account, grant: { id: 'k1' } },
      () => audit.record({ event: 'did-deactivated', subject: 'did:cheqd:testnet:x', detail: 'why' }),
      { address: '192.0.2.1', requestId: 'r1' },
    )
    const [event] = await audit.list({ event: 'did-deactivated' })
    assert.deepEqual(
      { ...event, sequence: 0 },
      {
        sequence: 0,
        time: now.toISOString(),
        event: 'did-deactivated',
        outcome: 'done',
        accountId: account.id,
        account: 'acme',
        apiKeyId: 'k1',
        address: '192.0.2.1',
        requestId: 'r1',
        subject: 'did:cheqd:testnet:x',
        detail: 'why',
        occurrences: 1,
      },
    )
  })

  it('reads the newest entries that fit, oldest first', async () => {
    const accounts = new Accounts(database, { clock: () => now })
    await accounts.create('acme')
    for (let n = 0; n < 5; n += 1) {
      passed(60)
      await audit.record({ event: n % 2 === 0 ? 'key-created' : 'key-deleted', subject: String(n) })
    }
    const subjects = async (query: Parameters<AuditLog['list']>[0]) =>
      (await audit.list(query)).map(({ subject }) => subject)
    assert.deepEqual(await subjects({ limit: 2 }), ['3', '4'])
    assert.deepEqual(await subjects({ event: 'key-created' }), ['0', '2', '4'])
    assert.deepEqual(await subjects({ since: '2026-05-01T14:04:00+02:00' }), ['3', '4'])
    assert.deepEqual(await subjects({ account: 'acme' }), ['acme'])
    for (const wrong of [{ limit: 0 }, { limit: 1e9 }, { since: 'yesterday' }]) {
      await assert.rejects(audit.list(wrong), hasCode('invalid_input'))
    }
  })

  it('lets nobody change or delete its entries', async () => {
    await audit.record({ event: 'secret-rotated' })
    for (const change of [sql`UPDATE audit_event SET event = 'x'`, sql`DELETE FROM audit_event`]) {
      await assert.rejects(
        database.write((connection) => connection.run(change)),
        /append-only/,
      )
    }
    assert.equal((await audit.list()).length, 1)
  })

  it('is only ever written with INSERT', () => {
    const changing = readdirSync(resolve(root, 'packages'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file.includes('/src/') && !file.includes('__tests__'))
      .filter((file) => !file.includes('node_modules'))
      .filter((file) =>
        /(UPDATE|DELETE FROM|REPLACE INTO)\s+"?audit_event\b/.test(
          readFileSync(resolve(root, 'packages', file), 'utf8'),
        ),
      )
    assert.deepEqual(changing, [])
  })

  describe('aggregation of anonymous events', () => {
    const failed = (address: string) =>
      audit.count({ event: 'authentication-failed', outcome: 'refused' }, { address })
    const rows = async () =>
      (await audit.list()).map(({ address, occurrences, time }) => [address, occurrences, time.slice(14, 19)])

    it('writes one row at once and one for the rest of the minute', async () => {
      for (let n = 0; n < 500; n += 1) failed('192.0.2.1')
      failed('192.0.2.2')
      passed(59)
      failed('192.0.2.1')
      await audit.record({ event: 'key-created' })
      assert.deepEqual((await rows()).slice(0, 2), [
        ['192.0.2.1', 1, '00:00'],
        ['192.0.2.2', 1, '00:00'],
      ])
      passed(1)
      failed('192.0.2.3')
      await audit.record({ event: 'key-created' })
      assert.deepEqual((await rows()).slice(3, 5), [
        ['192.0.2.1', 500, '00:59'],
        ['192.0.2.3', 1, '01:00'],
      ])
    })

    it('keeps the details of each kind of event and each account, whatever others cause', async () => {
      for (let n = 0; n < 500; n += 1) failed(`192.0.2.${n}`)
      const forbidden = (accountId: string, n: number) =>
        audit.count({ event: 'access-forbidden', outcome: 'refused', detail: `${n}` }, { accountId })
      for (let n = 0; n < 500; n += 1) forbidden('noisy', n)
      forbidden('quiet', 7)
      audit.count(
        { event: 'access-forbidden', outcome: 'refused', detail: 'of a stranger' },
        { address: '::1' },
      )
      await audit.lifecycle.stop()
      const details = (await audit.list({ limit: 10_000 })).map(({ detail }) => detail)
      assert.ok(details.includes('7') && details.includes('of a stranger'), details.join())
      assert.ok(details.length < 150, String(details.length))
    })

    it('writes a bounded number of rows for any number of addresses', async () => {
      for (let n = 0; n < 5000; n += 1) failed(`192.0.${n % 256}.${Math.floor(n / 256)}`)
      await audit.lifecycle.stop()
      const all = await audit.list({ limit: 10_000 })
      assert.ok(all.length <= 102, String(all.length))
      assert.equal(
        all.reduce((sum, { occurrences }) => sum + occurrences, 0),
        5000,
      )
    })
  })

  it('keeps entries that cannot be written yet, reports them and preserves their order', async () => {
    const write = database.write.bind(database)
    database.write = () => Promise.reject(new Error('disk full'))
    await audit.record({ event: 'key-created', subject: '1' })
    await audit.record({ event: 'key-created', subject: '2' })
    const [failing] = await audit.lifecycle.check()
    assert.equal(failing?.ok, false)
    assert.match(failing?.message ?? '', /2 events/)
    database.write = write
    assert.deepEqual(await audit.lifecycle.check(), [{ name: 'audit trail', ok: true }])
    assert.deepEqual(
      (await audit.list()).map(({ subject }) => subject),
      ['1', '2'],
    )
  })

  it('has documentation for every listed event', () => {
    const text = readFileSync(resolve(root, 'docs/audit.md'), 'utf8').replace(/ +\|/g, ' |')
    const missing = Object.entries(AUDIT_EVENTS).filter(
      ([event, meaning]) => !text.includes(`| \`${event}\` | ${meaning} |`),
    )
    assert.deepEqual(missing, [])
  })

  it('validates its options', () => {
    assert.throws(() => new AuditLog(database, { retention: 5 } as object), { code: 'invalid_configuration' })
    assert.throws(() => new AuditLog({} as Database), { code: 'invalid_configuration' })
  })
})
