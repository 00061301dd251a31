import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  asDid,
  asListName,
  type Account,
  type IStatusListRenewals,
  type StatusListSignResult,
  type StatusListStore,
} from '@vidimus/core-types'
import { Database, homeOfDid, sql } from '@vidimus/database'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { migrations, StatusListStore as Store } from '@vidimus/status-list-store'
import { headerOf } from '../../encoding/compact-jwt.js'
import { createTestAgent, newKey, setKey, type TestAgent } from '../test-agent.js'

const DAY = 86_400_000
const START = Date.parse('2026-01-01T00:00:00Z')
const LISTS = [
  { listType: 'StatusList2021', resourceType: 'StatusList2021Revocation' },
  { listType: 'BitstringStatusList', resourceType: 'BitstringStatusListCredential' },
  { listType: 'TokenStatusList', resourceType: 'TokenStatusList' },
]

describe('re-signing of lists', () => {
  let folder: string
  let database: Database
  let now = START
  let one: TestAgent
  let holders: Account[]
  let store: StatusListStore
  const clock = () => new Date(now)
  const renew = () =>
    (one.agent as unknown as IStatusListRenewals).statusListRenew({}).then(({ renewed }) => renewed)
  const create = async (listType: string, more: object = {}) => {
    const { did } = await one.createDid()
    const list = { did, statusListName: 'members', listType }
    await one.scoped((agent) => agent.statusListCreate({ ...list, statusPurpose: 'revocation', ...more }))
    return list
  }
  const days = (n: number) => ({ validUntil: new Date(now + n * DAY).toISOString() })
  const sign = (list: object, more: object = {}): Promise<StatusListSignResult> =>
    one.scoped((agent) => agent.statusListSign({ ...list, ...more } as never))

  beforeEach(async () => {
    now = START
    folder = await mkdtemp(join(tmpdir(), 'vidimus-renewal-'))
    database = new Database({ url: null, dataDirectory: folder, migrations: [migrations] })
    await database.lifecycle.start()
    const envelope = new PrivateKeyEnvelope({ secret: '5e'.repeat(32) })
    const kept = new Store({ database, envelope, clock })
    // Whose DIDs there are is in tables of another package.
    const renewals = Object.assign(Object.create(kept.renewals) as Store['renewals'], {
      holders: () => Promise.resolve(holders),
    })
    store = Object.assign(Object.create(kept) as Store, { renewals })
    one = createTestAgent({ options: { store }, clock })
    holders = [one.account]
  })

  afterEach(async () => {
    await one.plugin.lifecycle.stop?.()
    await database.lifecycle.stop()
    await rm(folder, { recursive: true, force: true })
  })

  for (const { listType, resourceType } of LISTS) {
    describe(`of type ${listType}`, () => {
      const versionsOf = ({ did, statusListName }: { did: string; statusListName: string }) =>
        one.ledger.history({ did, resourceName: statusListName, resourceType })

      it('is done once a third of the validity is left, for the same span again', async () => {
        const list = await create(listType, days(30))
        await one.scoped((agent) => agent.statusListUpdate({ ...list, statusAction: 'revoke', indices: [7] }))
        now = START + 20 * DAY - 2000
        assert.equal(await renew(), 0)
        assert.equal(versionsOf(list).length, 2)

        now = START + 20 * DAY
        assert.equal(await renew(), 1)
        assert.equal(versionsOf(list).length, 3)
        const { validUntil } = await sign(list, { onlyOtherKeys: true })
        assert.equal(Date.parse(validUntil ?? ''), now + 30 * DAY)
        const check = await one.scoped((agent) =>
          agent.statusListCheck({ ...list, statusPurpose: 'revocation', indices: [7, 8] }),
        )
        assert.deepEqual(
          check.results?.map(({ revoked }) => revoked),
          [true, false],
        )
        assert.equal(await renew(), 0)

        now += 20 * DAY
        assert.equal(await renew(), 1)
        assert.equal(versionsOf(list).length, 4)
      })

      it('is done on demand, without changing the content', async () => {
        const list = await create(listType)
        const { resourceMetadata } = await sign(list)
        assert.equal(resourceMetadata.previousVersionId, versionsOf(list)[0]?.metadata.resourceId)
        assert.equal((await sign(list)).signed, true)
        assert.equal(versionsOf(list).length, 3)
      })
    })
  }

  it('is done even after the lists have expired, if no process was running', async () => {
    const list = await create('TokenStatusList', days(30))
    now += 300 * DAY
    assert.equal(await renew(), 1)
    assert.equal(Date.parse((await sign(list, { onlyOtherKeys: true })).validUntil ?? ''), now + 30 * DAY)
  })

  it('keeps the span of a list without a record, however often it was updated', async () => {
    const list = await create('TokenStatusList', days(30))
    for (const index of [1, 2, 3]) {
      now += 5 * DAY
      await one.scoped((agent) =>
        agent.statusListUpdate({ ...list, statusAction: 'revoke', indices: [index] }),
      )
    }
    const location = {
      did: asDid(list.did),
      statusListName: asListName('members'),
      resourceType: 'TokenStatusList',
    }
    await database.write((connection) =>
      connection.run(sql`DELETE FROM work_item WHERE home = ${homeOfDid(list.did)} AND kind = 'renewal'`),
    )
    await store.renewals.note({ list: location, at: new Date(0) })
    assert.equal(await renew(), 0)
    assert.equal((await store.renewals.find(location))?.spanMs, 30 * DAY)
    now = START + 20 * DAY
    assert.equal(await renew(), 1)
  })

  it('is requested from each account that holds the DID, and forgotten if none does', async () => {
    const stranger = { ...one.account, id: '00000000-0000-4000-8000-000000000000' }
    const list = await create('BitstringStatusList', days(3))
    const location = {
      did: asDid(list.did),
      statusListName: asListName('members'),
      resourceType: 'BitstringStatusListCredential',
    }
    now += 2 * DAY
    holders = [one.account, stranger]
    assert.equal(await renew(), 1)
    now += 2 * DAY
    holders = []
    assert.equal(await renew(), 0)
    assert.equal(await store.renewals.find(location), undefined)

    // Another account has the DID again, and writes the list where it was known.
    holders = [one.account]
    await one.scoped((agent) => agent.statusListUpdate({ ...list, statusAction: 'revoke', indices: [7] }))
    assert.equal(await renew(), 1)
  })

  it('is retried after a failure', async () => {
    await create('BitstringStatusList', days(3))
    now += 2 * DAY
    one.ledger.beforeCommit = () => Promise.reject(new Error('the ledger is away'))
    assert.equal(await renew(), 0)
    one.ledger.beforeCommit = () => Promise.resolve()
    now += 60_000
    assert.equal(await renew(), 1)
  })

  it('uses the current key if it differs, and only then if so requested', async () => {
    const key = await one.createDid()
    const list = { did: key.did, statusListName: 'members', listType: 'BitstringStatusList' }
    await one.scoped((agent) => agent.statusListCreate({ ...list, statusPurpose: 'revocation' }))
    assert.equal((await sign(list, { onlyOtherKeys: true })).signed, false)

    const next = newKey(key.did, 'key-2')
    await one.importDid(next)
    setKey(one.ledger, next)
    const signed = await sign(list, { onlyOtherKeys: true })
    assert.equal(signed.signed, true)
    assert.equal(headerOf((signed.resource as { jwt: string }).jwt).kid, `${key.did}#key-2`)
    assert.equal((await sign(list, { onlyOtherKeys: true })).signed, false)
  })

  it('requires the purpose if there is one list per purpose', async () => {
    const list = await create('StatusList2021')
    await one.scoped((agent) => agent.statusListCreate({ ...list, statusPurpose: 'suspension' }))
    await assert.rejects(sign(list), { code: 'invalid_input' })
    const { resourceMetadata } = await sign(list, { statusPurpose: 'suspension' })
    assert.equal(resourceMetadata.resourceType, 'StatusList2021Suspension')
    await assert.rejects(sign(list, { statusPurpose: 'message' }), { code: 'purpose_mismatch' })
  })
})
