import assert from 'node:assert/strict'
import { gunzipSync, gzipSync } from 'node:zlib'
import {
  AgentError,
  requireNetwork,
  runInAccountScope,
  type Network,
  type StatusListStore,
  type StatusListTurns,
  type StatusListUpdateResult,
  type QueueName,
} from '@vidimus/core-types'
import { refused } from '../refused.js'
import { createTestAgent, newKey, setKey, type TestAgent } from '../test-agent.js'

const BITSTRING = 'BitstringStatusListCredential'
const STATUS_LIST_2021 = 'StatusList2021Revocation'

interface List {
  did: string
  statusListName: string
  listType: string
}

async function newList(
  { scoped, createDid }: TestAgent,
  {
    listType = 'BitstringStatusList',
    statusPurpose = 'revocation',
  }: { listType?: string; statusPurpose?: string | string[] } = {},
): Promise<List> {
  const { did } = await createDid()
  const list = { did, statusListName: 'list', listType }
  await scoped((agent) => agent.statusListCreate({ ...list, statusPurpose }))
  return list
}

const update = (
  { scoped }: TestAgent,
  list: List,
  indices: number[],
  statusAction = 'revoke',
  statusListVersion?: string,
): Promise<StatusListUpdateResult> =>
  scoped((agent) =>
    agent.statusListUpdate({
      ...list,
      indices,
      statusAction,
      ...(statusListVersion !== undefined && { statusListVersion }),
    }),
  )

const setIndices = async ({ scoped }: TestAgent, list: List, end: number, statusPurpose = 'revocation') => {
  const { results = [] } = await scoped((agent) =>
    agent.statusListCheck({ ...list, statusPurpose, indexRangeStart: 0, indexRangeEnd: end }),
  )
  return results.filter(({ status }) => status !== 0).map(({ index }) => index)
}

const named = ({ did, statusListName }: List, resourceType = BITSTRING) => ({
  did,
  resourceName: statusListName,
  resourceType,
})

/** Every version names the one before it. */
function assertLinear({ ledger }: TestAgent, list: List, resourceType?: string): void {
  const history = ledger.history(named(list, resourceType))
  const ids = history.map(({ metadata }) => metadata.resourceId)
  assert.deepEqual(
    history.map(({ metadata }) => metadata.previousVersionId),
    [null, ...ids.slice(0, -1)],
  )
}

/** Holds back publications until it is opened. */
function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Lets everything that is ready run, so that calls reach the point where they wait. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe('concurrent updates', () => {
  for (const listType of ['BitstringStatusList', 'StatusList2021']) {
    it(`of a ${listType} share few versions and lose nothing`, async () => {
      const test = createTestAgent()
      const list = await newList(test, { listType })
      const resourceType = listType === 'StatusList2021' ? 'StatusList2021Revocation' : BITSTRING
      test.ledger.beforeCommit = () => new Promise((resolve) => setImmediate(resolve))
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, n) => update(test, list, [n * 2, n * 2 + 400])),
      )
      const expected = [
        ...Array.from({ length: 200 }, (_, n) => n * 2),
        ...Array.from({ length: 200 }, (_, n) => n * 2 + 400),
      ]
      assert.deepEqual(
        await setIndices(test, list, 1000),
        expected.sort((a, b) => a - b),
      )
      answers.forEach(({ changed }, n) => {
        assert.deepEqual(changed, [n * 2, n * 2 + 400])
      })
      const versions = test.ledger.history(named(list, resourceType))
      assert.ok(versions.length <= 5, `${versions.length} versions`)
      assertLinear(test, list, resourceType)
    })
  }

  it('share versions even if callers return shortly after a response', async () => {
    const agent = createTestAgent()
    const list = await newList(agent)
    const rounds = 12
    const caller = async (n: number) => {
      for (let round = 0; round < rounds; round++) {
        await update(agent, list, [round * 16 + n])
        // an answer that travels to a client, and its next request
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const first = Array.from({ length: 8 }, (_, n) => caller(n))
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([...first, ...Array.from({ length: 8 }, (_, n) => caller(8 + n))])
    const versions = agent.ledger.history(named(list)).length
    // Of 192 updates 25 versions; more if a busy machine delays the callers, 179 if nobody waits.
    assert.ok(versions <= 5 * rounds, `${versions} versions`)
  })

  it('need one compression, one signature and one publication together', async () => {
    const test = createTestAgent()
    const list = await newList(test)
    const before = { ...test.ledger.calls }
    await Promise.all(Array.from({ length: 50 }, (_, n) => update(test, list, [n])))
    assert.deepEqual(test.ledger.calls, {
      create: before.create + 1,
      getLatest: before.getLatest,
      getLatestMetadata: before.getLatestMetadata + 1,
    })
  })

  it('are counted as one batch', async () => {
    const test = createTestAgent()
    const list = await newList(test)
    await Promise.all(Array.from({ length: 10 }, (_, n) => update(test, list, [n])))
    await update(test, list, [77])
    await update(test, list, [77])
    const read = (name: string) => test.plugin.measurements.find(({ form }) => form.name === name)?.read()
    const type = { list_type: 'BitstringStatusList' }
    // Buckets up to 1, 2, 5 and 10 callers, and above; then sum and count. Updates without changes publish no version.
    const callers = (await read('vidimus_status_list_update_callers')) ?? []
    assert.ok(callers.every(({ labels }) => labels.list_type === type.list_type))
    assert.deepEqual(
      callers.map(({ value }) => value),
      [1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 11, 2],
    )
    assert.deepEqual(await read('vidimus_status_list_versions_total'), [{ labels: type, value: 3 }])
  })

  it('are counted while waiting', async () => {
    const test = createTestAgent()
    const list = await newList(test)
    const { opened, open } = gate()
    test.ledger.beforeCommit = () => opened
    const read = (name: string) => test.plugin.measurements.find(({ form }) => form.name === name)?.read()
    const first = update(test, list, [1])
    await settled()
    const others = [update(test, list, [2]), update(test, list, [3])]
    await settled()
    assert.deepEqual(await read('vidimus_status_list_waiting_updates'), [{ labels: {}, value: 2 }])
    assert.deepEqual(await read('vidimus_status_list_writers'), [{ labels: {}, value: 1 }])
    open()
    await Promise.all([first, ...others])
    await settled()
    assert.deepEqual(await read('vidimus_status_list_waiting_updates'), [{ labels: {}, value: 0 }])
    assert.deepEqual(await read('vidimus_status_list_writers'), [{ labels: {}, value: 0 }])
  })

  it('return the version with the change, after its publication', async () => {
    const test = createTestAgent()
    const list = await newList(test)
    const { opened, open } = gate()
    test.ledger.beforeCommit = () => opened
    let answered = 0
    const count = (result: StatusListUpdateResult) => {
      answered++
      return result
    }
    const first = update(test, list, [1]).then(count)
    await settled()
    const others = [update(test, list, [2]).then(count), update(test, list, [3]).then(count)]
    await settled()
    assert.equal(answered, 0)
    open()
    const [one, two, three] = await Promise.all([first, ...others])
    assert.notEqual(one.resourceMetadata.resourceId, two?.resourceMetadata.resourceId)
    assert.deepEqual(two?.resourceMetadata, three?.resourceMetadata)
    assert.equal(two?.resourceMetadata.previousVersionId, one.resourceMetadata.resourceId)
  })

  it('fail individually if invalid', async () => {
    const test = createTestAgent()
    const list = await newList(test)
    await update(test, list, [9])
    const outcomes = await Promise.allSettled([
      update(test, list, [1]),
      update(test, list, [2, 131_072]),
      update(test, list, [3, 9], 'reinstate'),
      update(test, list, [4], 'explode'),
      update(test, list, [5]),
    ])
    assert.deepEqual(
      outcomes.map((outcome) =>
        outcome.status === 'fulfilled' ? 'ok' : (outcome.reason as AgentError).code,
      ),
      ['ok', 'index_out_of_range', 'irreversible', 'unknown_action', 'ok'],
    )
    assert.deepEqual(await setIndices(test, list, 20), [1, 5, 9])
    assert.equal(test.ledger.calls.create, 3)
  })

  it('of the same entry follow each other in separate versions', async () => {
    const test = createTestAgent()
    const list = await newList(test, { statusPurpose: ['revocation', 'suspension'] })
    const [suspended, lifted, again, revoked] = await Promise.all([
      update(test, list, [5], 'suspend'),
      update(test, list, [5, 6], 'reinstate'),
      update(test, list, [7], 'suspend'),
      update(test, list, [5], 'revoke'),
    ])
    const bits = (result: StatusListUpdateResult) => JSON.stringify(result.resource)
    assert.deepEqual(suspended.changed, [5])
    assert.deepEqual(lifted.changed, [5])
    assert.deepEqual(revoked.changed, [5])
    assert.equal(suspended.resourceMetadata.resourceId, again.resourceMetadata.resourceId)
    assert.equal(lifted.resourceMetadata.previousVersionId, suspended.resourceMetadata.resourceId)
    assert.equal(revoked.resourceMetadata.previousVersionId, lifted.resourceMetadata.resourceId)
    assert.notEqual(bits(suspended), bits(lifted))
    assertLinear(test, list)
  })

  it("are refused because of others' changes only once those are published", async () => {
    const test = createTestAgent()
    const list = await newList(test, { statusPurpose: ['revocation', 'suspension'] })
    test.ledger.beforeCommit = () => {
      test.ledger.beforeCommit = () => Promise.resolve()
      return Promise.reject(new AgentError('ledger_unavailable', 'the ledger is away'))
    }
    const [revoked, reinstated] = await Promise.allSettled([
      update(test, list, [5], 'revoke'),
      update(test, list, [5], 'suspend'),
    ])
    assert.equal(revoked.status, 'rejected')
    assert.equal((revoked.reason as AgentError).code, 'ledger_unavailable')
    assert.equal(reinstated.status, 'rejected')
    assert.equal((reinstated.reason as AgentError).code, 'ledger_unavailable')
    assert.deepEqual(await setIndices(test, list, 10), [])
    assert.deepEqual((await update(test, list, [5], 'suspend')).changed, [5])
  })

  it('with different version labels are never merged', async () => {
    const test = createTestAgent()
    const list = await newList(test)
    const versions = ['1.0', '2', undefined, '1.0', '2', undefined, '']
    const answers = await Promise.all(
      versions.map((version, n) => update(test, list, [n], 'revoke', version)),
    )
    assert.deepEqual(
      answers.map(({ resourceMetadata }) => resourceMetadata.resourceVersion),
      versions.map((version) => version ?? ''),
    )
    assert.deepEqual(await setIndices(test, list, 10), [0, 1, 2, 3, 4, 5, 6])
    assertLinear(test, list)
  })
})

describe('an update without changes', () => {
  it('publishes no version', async () => {
    const test = createTestAgent()
    const list = await newList(test)
    const first = await update(test, list, [7, 7, 8])
    const second = await update(test, list, [8, 7])
    assert.deepEqual(first.changed, [7, 8])
    assert.equal(second.updated, true)
    assert.equal(second.revoked, true)
    assert.deepEqual(second.changed, [])
    assert.deepEqual(second.resourceMetadata, first.resourceMetadata)
    assert.deepEqual(second.resource, first.resource)
  })
})

/** An agent that needs the lock for writing. */
function withTurns() {
  const turns = { taken: [] as QueueName[], patience: [] as boolean[], before: () => Promise.resolve() }
  const take: StatusListTurns['take'] = async (list, work, { patient }) => {
    turns.taken.push(list)
    turns.patience.push(patient)
    await turns.before()
    return work()
  }
  const addresses = { note: () => Promise.resolve(), find: () => Promise.resolve(undefined) }
  const renewals = { find: () => Promise.resolve(undefined) }
  const series = { find: () => Promise.resolve([]) }
  const paces = { of: () => Promise.resolve(undefined) }
  const kept = { addresses, renewals, series, paces, jobs: { own: () => undefined } }
  const parts = { indices: {}, keys: {}, payments: {}, register: {}, ...kept }
  const nothing = parts as unknown as StatusListStore
  return { turns, test: createTestAgent({ options: { store: { ...nothing, turns: { take } } } }) }
}

/** A list with a version by others, which was noticed; its index 9 is set. */
async function metOthers(test: TestAgent): Promise<List> {
  const list = await newList(test)
  await update(test, list, [9])
  test.ledger.appendText(named(list), test.ledger.newestText(named(list)))
  await update(test, list, [9])
  return list
}

describe('writers in several processes', () => {
  async function twoWriters() {
    const one = createTestAgent()
    const key = newKey('did:cheqd:testnet:9c5f4ae6-4f7d-4d3b-8fd1-3ad4d7c9a001', 'key-1')
    setKey(one.ledger, key)
    const two = createTestAgent({ ledger: one.ledger })
    await one.importDid(key)
    await two.importDid(key)
    const list = { did: key.did, statusListName: 'list', listType: 'BitstringStatusList' }
    await one.scoped((agent) => agent.statusListCreate({ ...list, statusPurpose: 'revocation' }))
    return { one, two, list }
  }

  it('lose no update and never fork the history', async () => {
    const { one, two, list } = await twoWriters()
    one.ledger.beforeCommit = () => new Promise((resolve) => setImmediate(resolve))
    await Promise.all(Array.from({ length: 60 }, (_, n) => update(n % 2 ? one : two, list, [n])))
    for (const reader of [one, two]) {
      assert.deepEqual(
        await setIndices(reader, list, 100),
        Array.from({ length: 60 }, (_, n) => n),
      )
    }
    assertLinear(one, list)
    const conflicts = await Promise.all(
      [one, two].map(async ({ plugin }) =>
        plugin.measurements.find(({ form }) => form.name === 'vidimus_status_list_conflicts_total')?.read(),
      ),
    )
    assert.match(JSON.stringify(conflicts), /"value":[1-9]/, 'lost races are counted')
  })

  it("apply the operation, not the bits, to each other's versions", async () => {
    const { one, two, list } = await twoWriters()
    const { opened, open } = gate()
    one.ledger.beforeCommit = () => {
      one.ledger.beforeCommit = () => Promise.resolve()
      return opened
    }
    const late = update(one, list, [1, 2])
    await settled()
    assert.deepEqual((await update(two, list, [2, 3])).changed, [2, 3])
    open()
    assert.deepEqual((await late).changed, [1])
    assert.deepEqual(await setIndices(one, list, 10), [1, 2, 3])
  })

  it('refuse what the other writer made impossible', async () => {
    const { one, two, list } = await twoWriters()
    const { opened, open } = gate()
    await update(one, list, [1])
    one.ledger.beforeCommit = () => {
      one.ledger.beforeCommit = () => Promise.resolve()
      return opened
    }
    const late = update(one, list, [2])
    await settled()
    one.ledger.append({
      ...named(list),
      data: Buffer.from('no list any more').toString('base64url'),
    })
    open()
    await refused(() => late, { code: 'malformed_list' })
    await refused(() => update(two, list, [4]), { code: 'malformed_list' })
  })

  it('give up after many lost races, and report it', async () => {
    const test = createTestAgent()
    const list = await newList(test)
    test.ledger.beforeCommit = () =>
      Promise.reject(new AgentError('version_conflict', 'another writer was faster'))
    const before = test.ledger.calls.create
    await refused(() => update(test, list, [1]), { code: 'version_conflict' })
    assert.equal(test.ledger.calls.create - before, 25)
    test.ledger.beforeCommit = () => Promise.resolve()
    assert.deepEqual((await update(test, list, [1])).changed, [1])
  })

  describe('on a ledger that detects conflicts afterwards', () => {
    /** Another writer's version comes right before ours; later ones, after ours. */
    const overtakenBy = (
      test: TestAgent,
      list: List,
      before: (content: string) => string,
      after: (content: string) => string | undefined = () => undefined,
    ) => {
      test.ledger.beforeCommit = (args) => {
        test.ledger.beforeCommit = () => Promise.resolve()
        const name = named(list, STATUS_LIST_2021)
        const theirs = before(test.ledger.newestText(name))
        test.ledger.appendText(name, theirs)
        const { expectedPrevious: _unseen, ...written } = args
        test.ledger.append(written)
        const later = after(theirs)
        if (later !== undefined) test.ledger.appendText(name, later)
        return Promise.reject(new AgentError('version_conflict', 'it was written after another one'))
      }
    }
    const with2021 = async () => {
      const test = createTestAgent()
      const list = await newList(test, { listType: 'StatusList2021' })
      return { test, list }
    }
    /** The other writer's version of a list. */
    const setting = (indices: number[]) => (content: string) => {
      const doc = JSON.parse(content) as { StatusList2021: { encodedList: string } }
      const bits = gunzipSync(Buffer.from(doc.StatusList2021.encodedList, 'base64url'))
      for (const index of indices) bits[index >> 3]! |= 0x80 >> (index & 7)
      doc.StatusList2021.encodedList = gzipSync(bits).toString('base64url')
      return JSON.stringify({ ...doc, note: 'theirs' })
    }

    it('preserve the changes of both', async () => {
      const { test, list } = await with2021()
      overtakenBy(test, list, setting([20, 21]))
      assert.deepEqual((await update(test, list, [3])).changed, [3])
      assert.deepEqual(await setIndices(test, list, 30), [3, 20, 21])
      assertLinear(test, list, STATUS_LIST_2021)
      assert.match(test.ledger.newestText(named(list, STATUS_LIST_2021)), /"note":"theirs"/)
    })

    it('preserve the changes of several writers that did not see each other', async () => {
      const { test, list } = await with2021()
      // the third version was made of the second, as if the one between were not there
      overtakenBy(test, list, setting([20]), setting([25]))
      await update(test, list, [3])
      assert.deepEqual(await setIndices(test, list, 30), [3, 20, 25])
      overtakenBy(test, list, setting([10]), () =>
        setting([11])(test.ledger.newestText(named(list, STATUS_LIST_2021))),
      )
      await update(test, list, [4])
      assert.deepEqual(await setIndices(test, list, 30), [3, 4, 10, 11, 20, 25])
    })

    it('repair overwritten changes even if nothing else is left to do', async () => {
      const { test, list } = await with2021()
      const name = named(list, STATUS_LIST_2021)
      overtakenBy(test, list, setting([3, 20]))
      assert.deepEqual((await update(test, list, [3])).changed, [])
      assert.deepEqual(await setIndices(test, list, 30), [3, 20])
      assert.equal(test.ledger.history(name).length, 4)
    })

    it('ignore content that is not a list', async () => {
      const { test, list } = await with2021()
      overtakenBy(test, list, () => '{"nothing":true}')
      await update(test, list, [3])
      assert.deepEqual(await setIndices(test, list, 30), [3])
    })
  })

  it('request no lock while nobody else writes', async () => {
    const { turns, test } = withTurns()
    const list = await newList(test)
    for (const index of [1, 2, 3]) await update(test, list, [index])
    assert.deepEqual(turns.taken, [])
  })

  it('request the lock after losing a race', async () => {
    const { turns, test } = withTurns()
    const list = await newList(test)
    test.ledger.beforeCommit = () => {
      test.ledger.beforeCommit = () => Promise.resolve()
      return Promise.reject(new AgentError('version_conflict', 'another writer was faster'))
    }
    assert.deepEqual((await update(test, list, [1])).changed, [1])
    assert.equal(turns.taken.length, 1)
  })

  it('wait for the lock together with later callers, and continue if it is unavailable', async () => {
    const { turns, test } = withTurns()
    const list = await metOthers(test)
    const { opened, open } = gate()
    turns.before = () => opened
    const before = test.ledger.history(named(list)).length
    const early = update(test, list, [1])
    await settled()
    const late = update(test, list, [2])
    await settled()
    assert.equal(test.ledger.history(named(list)).length, before)
    open()
    await Promise.all([early, late])
    assert.equal(test.ledger.history(named(list)).length, before + 1)
    assert.equal(turns.taken.length, 1)
    turns.before = () => Promise.reject(new AgentError('unavailable', 'the database is away'))
    await refused(() => update(test, list, [3]), { code: 'unavailable' })
    turns.before = () => Promise.resolve()
    assert.deepEqual((await update(test, list, [4])).changed, [4])
    assert.deepEqual(await setIndices(test, list, 10), [1, 2, 4, 9])
    assert.equal(new Set(turns.taken).size, 1)
  })

  it('request the lock again, patiently, after losing a few races', async () => {
    const { turns, test } = withTurns()
    const list = await newList(test)
    test.ledger.beforeCommit = () =>
      turns.patience.includes(true)
        ? Promise.resolve()
        : Promise.reject(new AgentError('version_conflict', 'another writer was faster'))
    const before = test.ledger.calls.create
    assert.deepEqual((await update(test, list, [1])).changed, [1])
    assert.deepEqual(turns.patience, [false, true])
    assert.equal(test.ledger.calls.create - before, 7)
  })

  it('fail together if the ledger is unusable, and continue afterwards', async () => {
    const test = createTestAgent()
    const list = await newList(test)
    const { opened, open } = gate()
    const before = test.ledger.calls.create
    test.ledger.beforeCommit = () =>
      opened.then(() => Promise.reject(new AgentError('unavailable', 'the database is away')))
    const updates = [update(test, list, [1])]
    await settled()
    updates.push(update(test, list, [2]), update(test, list, [3], 'revoke', '2'))
    await settled()
    open()
    for (const one of updates) await refused(() => one, { code: 'unavailable' })
    assert.equal(test.ledger.calls.create - before, 1)
    test.ledger.beforeCommit = () => Promise.resolve()
    assert.deepEqual((await update(test, list, [4])).changed, [4])
    assert.deepEqual(await setIndices(test, list, 10), [4])
  })

  it('pass on other ledger failures, and continue afterwards', async () => {
    const test = createTestAgent()
    const list = await newList(test)
    test.ledger.beforeCommit = () => Promise.reject(new AgentError('insufficient_funds', 'no money'))
    await refused(() => update(test, list, [1]), { code: 'insufficient_funds' })
    test.ledger.beforeCommit = () => Promise.resolve()
    assert.deepEqual(await setIndices(test, list, 10), [])
    assert.deepEqual((await update(test, list, [1])).changed, [1])
  })
})

describe('accounts', () => {
  it('do not sign for each other when sharing a DID', async () => {
    const one = createTestAgent()
    const key = newKey('did:cheqd:testnet:9c5f4ae6-4f7d-4d3b-8fd1-3ad4d7c9a002', 'key-1')
    setKey(one.ledger, key)
    await one.importDid(key)
    const list = { did: key.did, statusListName: 'list', listType: 'BitstringStatusList' }
    await one.scoped((agent) => agent.statusListCreate({ ...list, statusPurpose: 'revocation' }))
    const { currentAccount, runInAccountScope } = await import('@vidimus/core-types')
    const signedIn: string[] = []
    one.ledger.beforeCommit = async () => {
      signedIn.push(currentAccount().name)
    }
    const accounts = ['a', 'b'].map((name) => ({ id: name, name, createdAt: '2026-01-01T00:00:00Z' }))
    await Promise.all(
      [0, 1, 2, 3].map((n) =>
        runInAccountScope(accounts[n % 2] ?? one.account, () =>
          one.agent.statusListUpdate({ ...list, statusAction: 'revoke', indices: [n] }),
        ),
      ),
    )
    assert.deepEqual(signedIn, ['a', 'b'])
    assert.deepEqual(await setIndices(one, list, 10), [0, 1, 2, 3])
  })

  it("are not refused because of another caller's API key", async () => {
    const test = createTestAgent()
    const list = await newList(test)
    // Where ledger messages are signed, the networks of the API key count.
    test.ledger.beforeCommit = async () => {
      requireNetwork('testnet')
      await settled()
    }
    const grants: ({ networks: Network[] } | undefined)[] = [
      { networks: ['mainnet'] },
      undefined,
      { networks: ['mainnet', 'testnet'] },
      { networks: ['testnet'] },
      { networks: ['mainnet'] },
      { networks: ['testnet', 'mainnet'] },
    ]
    const updateAs = (grant: (typeof grants)[number], index: number) =>
      runInAccountScope({ ...test.account, ...(grant && { grant: { id: `key ${index}`, ...grant } }) }, () =>
        test.agent.statusListUpdate({ ...list, statusAction: 'revoke', indices: [index] }),
      )
    const before = test.ledger.history(named(list)).length
    const answers = await Promise.allSettled(grants.map(updateAs))
    assert.deepEqual(
      answers.map((answer) => (answer.status === 'rejected' ? (answer.reason as AgentError).code : 'made')),
      ['forbidden', 'made', 'made', 'made', 'forbidden', 'made'],
    )
    assert.deepEqual(await setIndices(test, list, 10), [1, 2, 3, 5])
    // Callers with the same rights still share a version.
    assert.equal(test.ledger.history(named(list)).length, before + 3)
  })

  it('cannot update outside their scope', async () => {
    const test = createTestAgent()
    const list = await newList(test)
    await refused(() => test.agent.statusListUpdate({ ...list, statusAction: 'revoke', indices: [1] }), {
      code: 'no_account_scope',
    })
  })
})

describe('shutdown', () => {
  it('waits for every accepted update', async () => {
    const test = createTestAgent()
    const list = await newList(test)
    const { opened, open } = gate()
    test.ledger.beforeCommit = () => opened
    const pending = [update(test, list, [1]), update(test, list, [2], 'revoke', 'v2')]
    await settled()
    let stopped = false
    const stopping = test.plugin.lifecycle.stop?.().then(() => {
      stopped = true
    })
    await settled()
    assert.equal(stopped, false)
    open()
    await stopping
    const results = await Promise.all(pending)
    assert.equal(results.length, 2)
    assert.equal(test.ledger.history(named(list)).length, 3)
  })
})
