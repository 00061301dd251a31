import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  asDid,
  asListName,
  type Account,
  type IStatusListRenewals,
  type StatusListStore,
  type StatusListUpdateResult,
} from '@vidimus/core-types'
import { Database, sql } from '@vidimus/database'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { migrations, StatusListStore as Store } from '@vidimus/status-list-store'
import { createTestAgent, type DidKey, type TestAgent } from '../test-agent.js'

const HOUR = 3_600_000
const START = Date.parse('2026-01-01T00:00:00Z')
const LISTS = [
  { listType: 'StatusList2021', resourceType: 'StatusList2021Revocation' },
  { listType: 'BitstringStatusList', resourceType: 'BitstringStatusListCredential' },
  { listType: 'TokenStatusList', resourceType: 'TokenStatusList' },
]

interface List {
  did: string
  statusListName: string
  listType: string
}

describe('beats of lists', () => {
  let folder: string
  let database: Database
  let now = START
  let one: TestAgent
  let holders: Account[]
  let store: StatusListStore
  const agents: TestAgent[] = []
  const keys: DidKey[] = []
  const clock = () => new Date(now)

  const newAgent = (more: { ledger?: TestAgent['ledger'] } = {}) => {
    const agent = createTestAgent({ options: { store }, clock, ...more })
    agents.push(agent)
    return agent
  }
  /** Looks once, and waits for what that has begun. */
  const look = async (agent: TestAgent) => {
    await (agent.agent as unknown as IStatusListRenewals).statusListRenew({})
    await agent.plugin.lifecycle.stop?.()
  }
  /** A process that has just been started; each looks once. */
  const beat = async () => {
    const process = newAgent({ ledger: one.ledger })
    for (const key of keys) await process.importDid(key)
    await look(process)
  }

  const createDid = async () => {
    const key = await one.createDid()
    keys.push(key)
    return key
  }
  const create = async (more: object = {}, listType = 'BitstringStatusList'): Promise<List> => {
    const { did } = await createDid()
    const list = { did, statusListName: 'members', listType }
    const pace = { statusPurpose: 'revocation', publishEvery: 'PT1H', ...more }
    await one.scoped((agent) => agent.statusListCreate({ ...list, ...pace }))
    return list
  }
  const update = (
    list: List,
    indices: number[],
    statusAction = 'revoke',
    more: object = {},
  ): Promise<StatusListUpdateResult> =>
    one.scoped((agent) => agent.statusListUpdate({ ...list, statusAction, indices, ...more }))
  const history = ({ did, statusListName, listType }: List) => {
    const { resourceType = '' } = LISTS.find((known) => known.listType === listType) ?? {}
    return one.ledger.history({ did, resourceName: statusListName, resourceType })
  }
  const revoked = async (list: List, indices: number[], more: object = {}) => {
    const check = { ...list, statusPurpose: 'revocation', indices, ...more }
    const { results = [] } = await one.scoped((agent) => agent.statusListCheck(check))
    return results.filter((result) => !result.valid).map(({ index }) => index)
  }

  beforeEach(async () => {
    now = START
    keys.length = 0
    folder = await mkdtemp(join(tmpdir(), 'vidimus-beats-'))
    database = new Database({ url: null, dataDirectory: folder, migrations: [migrations] })
    await database.lifecycle.start()
    const envelope = new PrivateKeyEnvelope({ secret: '5e'.repeat(32) })
    const kept = new Store({ database, envelope, clock })
    // Whose DIDs there are is in tables of another package.
    const renewals = Object.assign(Object.create(kept.renewals) as Store['renewals'], {
      holders: () => Promise.resolve(holders),
    })
    store = Object.assign(Object.create(kept) as Store, { renewals })
    one = newAgent()
    holders = [one.account]
  })

  afterEach(async () => {
    for (const { plugin } of agents.splice(0)) await plugin.lifecycle.stop?.()
    await database.lifecycle.stop()
    await rm(folder, { recursive: true, force: true })
  })

  for (const { listType } of LISTS) {
    it(`publish one version with all changes of a ${listType}, and not before`, async () => {
      const list = await create({}, listType)
      const { visibleFrom } = await update(list, [7])
      assert.equal(Date.parse(visibleFrom ?? ''), START + HOUR)
      now += HOUR / 2
      await update(list, [8, 9])
      await beat()
      assert.equal(history(list).length, 1)

      now = START + HOUR
      await beat()
      assert.equal(history(list).length, 2)
      assert.deepEqual(await revoked(list, [6, 7, 8, 9]), [7, 8, 9])

      now += HOUR
      await beat()
      assert.equal(history(list).length, 2)
    })
  }

  it('make exactly one version in several processes, also if one is repeated', async () => {
    const list = await create()
    await update(list, [7])
    now += HOUR
    await Promise.all([beat(), beat(), beat()])
    assert.equal(history(list).length, 2)
    await beat()
    assert.equal(history(list).length, 2)
  })

  it('make one version even if the process that published it could not note that', async () => {
    const list = await create({ always: true })
    const settle = store.paces.settle.bind(store.paces)
    await update(list, [7])
    now += HOUR
    const at = clock().toISOString()
    Object.assign(store.paces, { settle: () => Promise.reject(new Error('the process is gone')) })
    await beat()
    Object.assign(store.paces, { settle })
    assert.equal(history(list).length, 2)
    await database.write((connection) =>
      connection.run(sql`UPDATE work_item SET due_at = ${at}, since = ${at} WHERE kind = ${'slot'}`),
    )
    now += 60_000
    await beat()
    assert.equal(history(list).length, 2)
    assert.deepEqual(await revoked(list, [7]), [7])
    await update(list, [8])
    now = START + 2 * HOUR
    await beat()
    assert.equal(history(list).length, 3)
    assert.deepEqual(await revoked(list, [7, 8]), [7, 8])
  })

  it('make a version without changes if always, which is valid for the same span again', async () => {
    const validUntil = new Date(START + 30 * 24 * HOUR).toISOString()
    const list = await create({ always: true, validUntil })
    for (let beats = 1; beats <= 3; beats++) {
      now = START + beats * HOUR
      await beat()
      assert.equal(history(list).length, 1 + beats)
    }
    const { resource } = await one.scoped((agent) => agent.statusListSearch(list))
    const credential = (resource as { credential?: { validUntil: string } }).credential
    assert.ok(
      JSON.stringify(credential ?? resource).includes(
        new Date(now + 30 * 24 * HOUR).toISOString().slice(0, 13),
      ),
    )
  })

  it('make up for what was missed once', async () => {
    const list = await create({ always: true })
    await update(list, [7])
    now += 5.5 * HOUR
    await beat()
    assert.equal(history(list).length, 2)
    const { visibleFrom } = await update(list, [8])
    assert.equal(Date.parse(visibleFrom ?? ''), START + 6 * HOUR)
  })

  it('are retried while the ledger cannot be reached, and lose nothing', async () => {
    const list = await create()
    await update(list, [7])
    now += HOUR
    one.ledger.beforeCommit = () => Promise.reject(new Error('the ledger is away'))
    await beat()
    one.ledger.beforeCommit = () => Promise.resolve()
    assert.equal(history(list).length, 1)
    now += 10_000
    await beat()
    assert.deepEqual(await revoked(list, [7]), [7])
  })

  it('come when they were promised for what is stored meanwhile, however long a version takes', async () => {
    const list = await create()
    await update(list, [7])
    now += HOUR
    let promised: string | undefined
    one.ledger.beforeCommit = async () => {
      one.ledger.beforeCommit = () => Promise.resolve()
      promised = (await update(list, [8])).visibleFrom
      now += 1.5 * HOUR
    }
    await beat()
    assert.equal(Date.parse(promised ?? ''), START + 2 * HOUR)
    await beat()
    assert.deepEqual(await revoked(list, [7, 8]), [7, 8])
  })

  it('go on for a list whose creation was interrupted after its first version, if always', async () => {
    const { paces } = store
    const note = paces.note.bind(paces)
    const interrupted: typeof note = (list, pace, options) =>
      options.made ? Promise.reject(new Error('the process is gone')) : note(list, pace, options)
    Object.assign(paces, { note: interrupted })
    const { did } = await createDid()
    const list = { did, statusListName: 'members', listType: 'BitstringStatusList' }
    const pace = { statusPurpose: 'revocation', publishEvery: 'PT1H', always: true }
    await assert.rejects(one.scoped((agent) => agent.statusListCreate({ ...list, ...pace })))
    Object.assign(paces, { note })
    assert.equal(history(list).length, 1)
    now += HOUR
    await beat()
    assert.equal(history(list).length, 2)
  })

  it('end for a list that nobody can publish any more', async () => {
    const list = await create()
    await update(list, [7])
    now += HOUR
    holders = []
    await beat()
    const location = {
      did: asDid(list.did),
      statusListName: asListName(list.statusListName),
      resourceType: 'BitstringStatusListCredential',
    }
    assert.equal(await store.paces.find(location), undefined)
  })

  it('keep what somebody else has revoked meanwhile', async () => {
    const list = await create({ statusPurpose: ['revocation', 'suspension'] })
    const suspended = await update(list, [7], 'suspend')
    assert.equal(suspended.published, false)
    // another installation with the same DID, which knows nothing of this database
    const elsewhere = createTestAgent({ ledger: one.ledger, clock })
    for (const key of keys) await elsewhere.importDid(key)
    await elsewhere.scoped((agent) =>
      agent.statusListUpdate({ ...list, statusAction: 'revoke', indices: [7] }),
    )
    now += HOUR
    await beat()
    assert.deepEqual(await revoked(list, [7]), [7])
    assert.equal(history(list).length, 2)
  })

  it('contain changes that came before a receipt, whose version is published at once', async () => {
    const list = await create()
    await update(list, [1])
    const { receipt, published } = await update(list, [2], 'revoke', { receipt: true })
    assert.deepEqual([published, typeof receipt], [true, 'string'])
    assert.deepEqual(await revoked(list, [1, 2]), [1, 2])
    now += HOUR
    await beat()
    assert.equal(history(list).length, 2)
  })

  it('do not concern a list that was created without a pace after an attempt with one', async () => {
    const { did } = await createDid()
    const list = { did, statusListName: 'members', listType: 'BitstringStatusList' }
    const make = (more: object) =>
      one.scoped((agent) => agent.statusListCreate({ ...list, statusPurpose: 'revocation', ...more }))
    one.ledger.beforeCommit = () => Promise.reject(new Error('the ledger is away'))
    await assert.rejects(make({ publishEvery: 'PT1H' }))
    one.ledger.beforeCommit = () => Promise.resolve()
    await make({})
    const { published } = await update(list, [1])
    assert.equal(published, undefined)
    assert.deepEqual(await revoked(list, [1]), [1])
  })
})
