import { setTimeout } from 'node:timers/promises'
import { isPassing, told, type Asking, type Caller } from './caller.js'
import { asked, check, read, undo } from './changes.js'
import { ModelList, type ModelDid } from './facts.js'
import type { TrialList } from '../list-kinds.js'

const PACED: Omit<TrialList, 'did' | 'statusListName'> = {
  listType: 'BitstringStatusList',
  statusPurpose: 'suspension',
  actions: ['revoke', 'suspend', 'reinstate'],
  values: { revoke: 1, suspend: 2, reinstate: 0 },
}
const PURPOSES = ['revocation', 'suspension']
export const CREATE = '/credential-status/create/unencrypted'

/** A new DID; what nobody answered is asked for with the same key, and is there once. */
export async function createDid(caller: Caller, asking: Asking = {}): Promise<ModelDid | undefined> {
  const { random, facts } = caller
  const said = await caller.insist('POST', '/did/create', {
    json: { network: 'testnet' },
    headers: { 'idempotency-key': random.uuid() },
    fragile: random.chance(0.2),
    ...asking,
  })
  if (said?.kind !== 'done') {
    if (said) facts.find(`a DID was refused: ${told(said)}`)
    return undefined
  }
  const did: ModelDid = { did: (said.body as { did: string }).did, state: 'there', service: null }
  if (asking.account === undefined) facts.dids.push(did)
  facts.acknowledge()
  return did
}

/** Services of a DID, which is changed again once the first change is seen, whatever became of its answer. */
export async function changeDocument(caller: Caller, did: ModelDid): Promise<void> {
  const { random, facts } = caller
  const replace = (idFragment: string, fragile: boolean): Asking => ({
    json: {
      did: did.did,
      service: [{ idFragment, type: 'LinkedDomains', serviceEndpoint: ['https://example.com'] }],
    },
    headers: { 'idempotency-key': random.uuid() },
    fragile,
  })
  const first = `s${random.between(0, 1e9)}`
  const request = replace(first, random.chance(0.4))
  const said = await caller.ask('POST', '/did/update', request)
  did.service = undefined
  let second: string | undefined
  if (said.kind === 'lost' && random.chance(0.6) && (await serviceOf(caller, did.did)) === first) {
    second = `s${random.between(0, 1e9)}`
    const other = await caller.insist('POST', '/did/update', replace(second, false))
    if (other?.kind !== 'done') return facts.find(`a document could not be changed: ${told(other)}`)
  }
  const repeated = await caller.insist('POST', '/did/update', request)
  if (repeated?.kind !== 'done') return facts.find(`a document could not be changed: ${told(repeated)}`)
  did.service = second ?? first
  facts.acknowledge()
}

/** The fragment of its service; `null`: none, `undefined`: nobody said. */
export async function serviceOf(caller: Caller, did: string): Promise<string | null | undefined> {
  const said = await caller.ask('GET', `/1.0/identifiers/${did}`)
  if (said.kind !== 'done') return undefined
  const { didDocument } = said.body as { didDocument: { service?: { id: string }[] } }
  return didDocument.service?.[0]?.id.slice(did.length + 1) ?? null
}

/** A list that somebody has looked for before it was there, which publishes at intervals. */
export async function createPaced(
  caller: Caller,
  did: string,
  publishEvery: string,
  account?: string,
): Promise<ModelList | undefined> {
  const { random, facts, world } = caller
  const paced = new ModelList({ ...PACED, did, statusListName: `paced-${random.uuid()}` }, publishEvery)
  const mine = account === undefined ? {} : { account }
  for (let n = 0; n <= world.fleet.size; n += 1)
    await caller.ask('POST', paced.updates, { ...asked(paced, 'suspend', [5]), ...mine })
  const said = await caller.insist('POST', CREATE, {
    query: { listType: PACED.listType, statusPurpose: PURPOSES },
    json: { ...paced.name, publishEvery },
    headers: { 'idempotency-key': random.uuid(), prefer: 'return=minimal' },
    ...mine,
  })
  if (said?.kind !== 'done') {
    facts.find(`a list was refused: ${told(said)}`)
    return undefined
  }
  facts.acknowledge()
  facts.lists.push(paced)
  return paced
}

/** Changes that wait, of a list that nobody else changes: to and fro, by all processes in turn. */
async function changeAtRandom(caller: Caller, list: ModelList): Promise<void> {
  const { random } = caller
  for (let changes = random.between(2, 6); changes > 0; changes -= 1) {
    const index = random.between(0, 12)
    const value = list.value(index)
    if (value === undefined || value === list.list.values.revoke) continue
    const action = value === 0 ? random.pick(['suspend', 'suspend', 'revoke'] as const) : 'reinstate'
    await undo(caller, list, action, [index])
    if (random.chance(0.4)) await check(caller, list, [index])
  }
}

/** A DID with a list whose changes wait when it goes, or whose beats go on. */
export async function livePaced(caller: Caller): Promise<void> {
  const { random, facts } = caller
  const did = await createDid(caller)
  const pace = random.pick(['PT1S', 'PT3S', 'PT1H'] as const)
  const list = did && (await createPaced(caller, did.did, pace))
  if (!list) return
  // A beat that is late takes along what has been stored since it came.
  if (pace === 'PT1H' && random.chance(0.6)) await notBefore(caller, list)
  await changeAtRandom(caller, list)
  const end = random.weighted([
    [3, 'removed'],
    [2, 'deactivated'],
    [2, 'signed'],
    [2, 'there'],
  ] as const)
  if (end === 'signed') {
    const said = await caller.insist('POST', '/credential-status/sign', {
      query: { listType: PACED.listType },
      json: list.name,
    })
    facts.hold(said?.kind === 'done', () => `a list could not be signed again: ${told(said)}`)
    list.mustBePublished = said?.kind === 'done'
  } else if (end !== 'there') list.mustBePublished = await endDid(caller, did, end)
}

/** What waits is not visible before its time. */
async function notBefore(caller: Caller, list: ModelList): Promise<void> {
  const said = await caller.ask('POST', list.updates, asked(list, 'suspend', [20]))
  if (said.kind !== 'done') return list.doubt([20], list.list.values.suspend)
  const found = await read(caller, list, [20], 'published')
  const { visibleFrom, published } = said.body as { visibleFrom?: string; published?: boolean }
  list.settle([20], list.list.values.suspend)
  const isEarly = found?.get(20) !== 0 && found !== undefined
  const isDue = visibleFrom === undefined || Date.parse(visibleFrom) <= Date.now()
  caller.facts.hold(
    published === false && (isDue || !isEarly),
    () => `not before: 20 of ${list.address} was answered ${JSON.stringify({ visibleFrom, published })}`,
  )
}

/** Removes a DID from its account, or deactivates it. @returns whether it is so */
async function endDid(caller: Caller, did: ModelDid, end: 'removed' | 'deactivated'): Promise<boolean> {
  const { facts } = caller
  did.state = 'in doubt'
  const [path, json] =
    end === 'removed' ? ['/agent/didManagerDelete', { did: did.did }] : [`/did/deactivate/${did.did}`, {}]
  const said = await caller.insist('POST', path, {
    json,
    headers: { 'idempotency-key': caller.random.uuid() },
  })
  // Once it is gone, nobody can tell who has removed it.
  const isGone = said?.kind === 'refused' && ['did_not_found', 'did_deactivated'].includes(said.code)
  if (said?.kind !== 'done' && !isGone) {
    facts.find(`${did.did} could not be ${end}: ${told(said)}`)
    return false
  }
  did.state = end
  facts.acknowledge()
  return true
}

/**
 * Puts a new key into the document and takes the others out of it, step by step, then has the lists signed with it; of a DID
 * that nobody else does this to.
 */
export async function replaceKey(caller: Caller, did: string, lists: readonly ModelList[]): Promise<void> {
  const { random, facts } = caller
  const call = async (method: string, json: object) => {
    const said = await caller.insist('POST', method, { json, headers: { 'idempotency-key': random.uuid() } })
    if (said?.kind === 'done') return said.body
    // What a lost request has done is refused to its repetition, as it is so already.
    const isSo = said?.kind === 'refused' && /didManager(Add|Remove)Key$/.test(method)
    if (!isSo) facts.find(`a key could not be replaced, ${method}: ${told(said)}`)
    return undefined
  }
  const held = async () => {
    const found = (await call('/agent/didManagerGet', { did })) as { keys: { kid: string }[] } | undefined
    return (found?.keys ?? []).map(({ kid }) => kid)
  }
  const key = (await call('/key/create', {})) as { kid: string } | undefined
  if (!key) return
  await call('/agent/didManagerAddKey', { did, key, options: { first: true } })
  if (random.chance(0.3)) caller.world.faults.strike()
  const kids = await held()
  if (!kids.includes(key.kid)) return
  for (const kid of kids.filter((each) => each !== key.kid))
    await call('/agent/didManagerRemoveKey', { did, kid })
  for (const { list, name } of lists) {
    const said = await caller.insist('POST', '/credential-status/sign', {
      query: { listType: list.listType },
      json: name,
    })
    facts.hold(said?.kind === 'done', () => `a list could not be signed again: ${told(said)}`)
  }
  facts.acknowledge()
}

/** The key that signs for lists of others, who change them meanwhile. */
export async function rotate(caller: Caller, did: string): Promise<void> {
  const said = await caller.ask('POST', '/did/rotate-key', { json: { did, gracePeriod: 'PT0S' } })
  if (said.kind === 'refused') {
    // One is under way: the answer of another caller's is as good. Or another process has gone on with it.
    if (!isPassing(said)) caller.facts.find(`a rotation was refused: ${told(said)}`)
    return
  }
  if (said.kind !== 'done') return
  caller.facts.rotations.push({ did, key: (said.body as { key: string }).key })
  caller.facts.acknowledge()
}

/** An account of its own, whose list has changes that wait when it ends. */
export async function liveAccount(caller: Caller): Promise<void> {
  const { random, facts, world } = caller
  const name = `tenant-${random.uuid()}`
  const operator = { account: world.operatorKey }
  const made = await caller.ask('POST', '/operator/accounts', { json: { name, firstKey: {} }, ...operator })
  if (made.kind !== 'done') {
    if (made.kind === 'refused') facts.find(`an account was refused: ${told(made)}`)
    return
  }
  facts.acknowledge()
  const account = (made.body as { firstKey: { apiKey: string } }).firstKey.apiKey
  const did = await createDid(caller, { account })
  const list = did && (await createPaced(caller, did.did, 'PT1H', account))
  if (!list) return
  for (const index of new Set(Array.from({ length: 4 }, () => random.between(0, 30)))) {
    list.doubt([index], list.list.values.revoke)
    const said = await caller.insist('POST', list.updates, { ...asked(list, 'revoke', [index]), account })
    if (said?.kind !== 'done') return facts.find(`a revocation was refused: ${told(said)}`)
    list.settle([index], list.list.values.revoke)
    facts.acknowledge()
  }
  list.mustBePublished = await endAccount(caller, name)
  list.isOfStranger = true
}

/** @returns whether it is gone */
async function endAccount(caller: Caller, name: string): Promise<boolean> {
  const path = `/operator/accounts/${name}`
  // What waits is published first, which takes blocks on a network.
  const mostMs = caller.world.onNetwork ? 300_000 : 90_000
  for (const startedAt = performance.now(); performance.now() - startedAt < mostMs;) {
    const said = await caller.insist('DELETE', path, { account: caller.world.operatorKey })
    if ((said?.kind === 'refused' && said.status === 404) || (said?.kind === 'done' && said.status === 200)) {
      caller.facts.acknowledge()
      return true
    }
    if (said?.kind === 'refused') caller.facts.find(`an account could not be deleted: ${told(said)}`)
    await setTimeout(200)
  }
  caller.facts.find(`${name} was not deleted within ${mostMs / 1000} s`)
  return false
}
