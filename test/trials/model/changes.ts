import type { Action } from '../list-kinds.js'
import { isPassing, standsWithoutReceipt, told, type Asking, type Caller, type Said } from './caller.js'
import type { ModelList } from './facts.js'

/** Entries of a list that each caller has to itself: every so manyth of these. */
export const CALLERS = 8
const ROWS = 1500

interface Updated {
  changed: number[]
  published?: boolean
  visibleFrom?: string
  receipt?: string
  resourceMetadata: { resourceId: string }
}

const UNDOING: Readonly<Record<Action, Action>> = {
  revoke: 'reinstate',
  suspend: 'reinstate',
  reinstate: 'suspend',
}

/** What a caller may do to an entry whose value it knows; what is revoked stays so. */
export function actionsFor({ list }: ModelList, value: number): readonly Action[] {
  const isRevoked = list.actions.includes('revoke') && value === list.values.revoke
  return isRevoked ? ['revoke'] : list.actions
}

/** Own entries whose value is known and the same. */
export function someIndices(
  caller: Caller,
  list: ModelList,
  most: number,
): { indices: number[]; value: number } {
  const { random, n } = caller
  const indices = new Set<number>()
  let value: number | undefined
  for (let tries = 0; tries < 4 * most && indices.size < most; tries += 1) {
    const index = random.between(0, ROWS) * CALLERS + n
    const found = list.value(index)
    value ??= found
    if (found !== undefined && found === value) indices.add(index)
  }
  return { indices: [...indices], value: value ?? 0 }
}

/** A request to change entries. */
export const asked = (
  { list, name }: ModelList,
  statusAction: Action,
  indices: readonly number[],
): Asking => ({
  query: { listType: list.listType, statusAction },
  json: { ...name, indices },
  headers: { prefer: 'return=minimal' },
})

/** Changes own entries of a list that others change as well. */
export async function change(caller: Caller, list: ModelList): Promise<void> {
  const { random } = caller
  const { indices, value } = someIndices(caller, list, random.chance(0.7) ? 1 : random.between(2, 9))
  if (indices.length === 0) return
  if (value !== 0 && actionsFor(list, value).length === 1 && random.chance(0.3))
    return refusal(caller, list, indices)
  const action = random.pick(actionsFor(list, value))
  const request = asked(list, action, indices)
  const json = { ...(request.json as object) }
  if (random.chance(0.15)) Object.assign(json, { receipt: true })
  if (random.chance(0.05)) Object.assign(json, { statusListVersion: `v${random.between(0, 9)}` })
  const asking = { ...request, json, fragile: random.chance(0.25) }
  await (random.chance(0.5)
    ? keyed(caller, list, action, indices, asking)
    : plain(caller, list, action, indices, asking))
  if (random.chance(0.3)) await check(caller, list, indices)
}

/** Revoked is final. */
async function refusal(caller: Caller, list: ModelList, indices: readonly number[]): Promise<void> {
  const said = await caller.ask('POST', list.updates, asked(list, 'reinstate', indices))
  if (said.kind === 'lost' || isPassing(said)) return
  const isRefused =
    said.kind === 'refused' && ['irreversible', 'unknown_action', 'purpose_mismatch'].includes(said.code)
  caller.facts.hold(isRefused, () => `final: reinstating what is revoked in ${list.address}: ${told(said)}`)
}

/** Without a key nobody knows whether a lost request is still on its way: its entries are not used any more. */
async function plain(
  caller: Caller,
  list: ModelList,
  action: Action,
  indices: readonly number[],
  asking: Asking,
): Promise<void> {
  const said = await caller.ask('POST', list.updates, asking)
  if (said.kind === 'lost') list.doubt(indices, list.list.values[action])
  else settleChange(caller, list, action, indices, said)
}

/** With a key it is asked until there is an answer; meanwhile the caller may change its mind, once it sees the effect. */
async function keyed(
  caller: Caller,
  list: ModelList,
  action: Action,
  indices: readonly number[],
  asking: Asking,
): Promise<void> {
  const { random } = caller
  const value = list.list.values[action]
  const before = list.value(indices[0] ?? 0)
  const withKey = { ...asking, headers: { ...asking.headers, 'idempotency-key': random.uuid() } }
  const said = await caller.ask('POST', list.updates, withKey)
  if (said.kind !== 'lost' && !isPassing(said)) return settleChange(caller, list, action, indices, said)
  list.doubt(indices, value)
  const undoing = UNDOING[action]
  const mayUndo = before !== value && actionsFor(list, value).includes(undoing) && random.chance(0.7)
  const isUndone =
    mayUndo && (await sees(caller, list, indices, value)) && (await undo(caller, list, undoing, indices))
  const repeated = await caller.insist('POST', list.updates, withKey)
  if (!repeated) return
  if (!isUndone) return settleChange(caller, list, action, indices, repeated, before)
  caller.facts.hold(
    repeated.kind === 'done' || standsWithoutReceipt(repeated),
    () => `exactly once: a repeated ${action} was refused: ${told(repeated)}`,
  )
}

/** @returns whether it was acknowledged */
export async function undo(
  caller: Caller,
  list: ModelList,
  action: Action,
  indices: readonly number[],
): Promise<boolean> {
  const headers = { prefer: 'return=minimal', 'idempotency-key': caller.random.uuid() }
  const said = await caller.insist('POST', list.updates, { ...asked(list, action, indices), headers })
  if (said) settleChange(caller, list, action, indices, said)
  else list.doubt(indices, list.list.values[action])
  return said?.kind === 'done'
}

/** What an answer says is so from now on. */
function settleChange(
  caller: Caller,
  list: ModelList,
  action: Action,
  indices: readonly number[],
  said: Exclude<Said, { kind: 'lost' }>,
  before = list.value(indices[0] ?? 0),
): void {
  const { facts } = caller
  if (said.kind === 'refused') {
    if (isPassing(said)) return list.note(indices, `${action} was refused: ${told(said)}`)
    list.doubt(indices, list.list.values[action])
    if (!standsWithoutReceipt(said))
      facts.find(`a valid ${action} of ${list.address} was refused: ${told(said)}`)
    return
  }
  const { changed, resourceMetadata, receipt, published } = said.body as Updated
  const value = list.list.values[action]
  const isNew = before !== undefined && before !== value
  const expected = isNew ? [...indices].sort((a, b) => a - b) : []
  const found = [...changed].sort((a, b) => a - b)
  if (before !== undefined && found.join() !== expected.join())
    facts.find(
      `exactly once: ${action} of ${indices.join()} in ${list.address} changed ${found.join() || 'nothing'}`,
    )
  list.settle(indices, value)
  if (published !== false) list.versions.add(resourceMetadata.resourceId)
  if (receipt !== undefined) facts.receipts.push({ receipt, resourceId: resourceMetadata.resourceId })
  facts.acknowledge()
}

/** The values of entries, as any process tells them; `undefined`: it did not answer. */
export async function read(
  caller: Caller,
  { list, name, isPaced }: ModelList,
  indices: readonly number[],
  state = 'stored',
): Promise<Map<number, number> | undefined> {
  const said = await caller.ask('POST', '/credential-status/check', {
    query: { listType: list.listType, statusPurpose: list.statusPurpose },
    json: { ...name, indices, ...(isPaced && { state }) },
  })
  if (said.kind !== 'done') return undefined
  const { results } = said.body as { results: { index: number; status: number }[] }
  return new Map(results.map(({ index, status }) => [index, status]))
}

/** Whether all of them are seen to be so. */
export async function sees(
  caller: Caller,
  list: ModelList,
  indices: readonly number[],
  value: number,
): Promise<boolean> {
  const found = await read(caller, list, indices)
  return found !== undefined && indices.every((index) => found.get(index) === value)
}

/** What was acknowledged is seen by every process at once. */
export async function check(caller: Caller, list: ModelList, indices: readonly number[]): Promise<void> {
  const found = await read(caller, list, indices)
  for (const [index, value] of found ?? [])
    caller.facts.hold(
      list.possible(index).has(value),
      () =>
        `acknowledged: ${index} of ${list.address} reads ${value}, not ${[...list.possible(index)].join(' or ')}`,
    )
}
