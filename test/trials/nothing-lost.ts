import assert from 'node:assert/strict'
import type { Client } from '../support/client.js'
import { assertLinear, statesOf, versionsOf } from '../support/list-history.js'
import type { TrialList } from './list-kinds.js'
import { ListLoad } from './list-load.js'

/**
 * Holds lists and DIDs against what clients were answered: every acknowledged change is there and nothing else, and the
 * versions of each list are one chain in which every acknowledged version stands.
 *
 * @returns how many versions there are
 */
export async function assertNothingLost(client: Client, load: ListLoad): Promise<number> {
  let versions = 0
  for (const [n, list] of load.lists.entries()) versions += await assertListKept(client, load, list, n)
  await assertDidsKept(client, load.dids)
  return versions
}

async function assertListKept(client: Client, load: ListLoad, list: TrialList, n: number): Promise<number> {
  const states = await statesOf(client, list, list.statusPurpose, list.listType)
  const named = `${list.listType} for ${list.statusPurpose}`
  const entries = load.entries[n] ?? assert.fail()
  for (const [index, possible] of entries) {
    const state = states.get(index) ?? 0
    assert.ok(possible.has(state), `${named}: ${index} is ${state}, and not ${[...possible].join(' or ')}`)
  }
  const versions = await versionsOf(client, list)
  assertLinear(versions)
  const shared = sharedStates(
    list,
    load,
    new Map(versions.map(({ resourceId }, place) => [resourceId, place])),
  )
  for (const [index, state] of states) {
    if (ListLoad.isShared(index)) assert.equal(state, shared.get(index) ?? 0, `${named}: ${index}`)
    else assert.ok(entries.has(index), `${named}: nobody has changed ${index}, which is ${state}`)
  }
  return versions.length
}

/** What the acknowledged changes make of the shared entries, one after the other as their versions are. */
function sharedStates(
  list: TrialList,
  load: ListLoad,
  places: ReadonlyMap<string, number>,
): Map<number, number> {
  const place = (resourceId: string) => places.get(resourceId) ?? assert.fail(`version ${resourceId} is lost`)
  const changes = load.acknowledged
    .filter((change) => change.list === list)
    .map((change) => ({ ...change, place: place(change.resourceId) }))
    .sort((one, other) => one.place - other.place)
  const states = new Map<number, number>()
  for (const { action, changed } of changes) {
    const value = list.values[action]
    for (const index of changed.filter((one) => ListLoad.isShared(one))) {
      assert.notEqual(
        states.get(index) ?? 0,
        value,
        `a change of ${index} that changed nothing was acknowledged`,
      )
      states.set(index, value)
    }
  }
  return states
}

/** Every receipt that was answered is true of a published version, which is the one that the answer named. */
export async function assertReceiptsTrue(client: Client, { receipts }: ListLoad): Promise<void> {
  assert.ok(receipts.length > 0, 'no update was answered with a receipt')
  for (const { receipt, action, indices, resourceId } of receipts) {
    const verdict = (await client.ok('POST', '/credential-status/receipts/verify', {
      json: { receipt },
    })) as {
      verified: boolean
      receipt: { action: string; indices: number[]; resourceId: string }
    }
    assert.equal(verdict.verified, true, JSON.stringify(verdict))
    const { receipt: said } = verdict
    assert.deepEqual([said.action, said.resourceId], [action, resourceId])
    assert.deepEqual(new Set(said.indices), new Set(indices))
  }
}

/** Every DID that was answered is in the account and can sign. */
export async function assertDidsKept(client: Client, dids: readonly string[]): Promise<void> {
  if (dids.length === 0) return
  const known = await allDids(client)
  for (const did of dids) assert.ok(known.has(did), `${did} is lost`)
  for (const did of dids.slice(-50)) {
    const json = { issuerDid: did, subjectDid: did, attributes: { a: 1 } }
    await client.ok('POST', '/credential/issue', { json })
  }
}

export async function allDids(client: Client): Promise<Set<string>> {
  const known = new Set<string>()
  let after: string | undefined
  do {
    const query = { limit: '1000', ...(after !== undefined && { after }) }
    const page = (await client.ok('GET', '/did/list', { query })) as { dids: string[]; next?: string }
    for (const did of page.dids) known.add(did)
    after = page.next
  } while (after !== undefined)
  return known
}
