import { randomUUID } from 'node:crypto'
import {
  AgentError,
  overdueWork,
  type LinkedResourceMetadata,
  type StatusListType,
  type WithVersion,
} from '@vidimus/core-types'
import { getEntry, setEntry } from '../encoding/entries.js'
import type { StartingPoint } from './overtaken-versions.js'
import {
  actionFor,
  planUpdate,
  type PlannedUpdate,
  type RefusedIndex,
  type UpdateOperation,
} from './plan-update.js'
import type { DocumentedList } from '../versions/decoded-list.js'

export interface UpdateOutcome {
  published: DocumentedList
  /** ascending */
  changed: number[]
  value: number
  /** only where each index stands alone */
  refused: readonly RefusedIndex[]
  /** what the network was paid for the version, in ncheq */
  paid: bigint
  /** only if the list publishes at intervals */
  pace?: {
    /** whether `published` contains the change */
    published: boolean
    /** when it will */
    visibleFrom?: Date
  }
}

/** A caller whose update shares a version with others. */
export interface WaitingCaller {
  operation: UpdateOperation
  resolve: (outcome: UpdateOutcome) => void
  reject: (error: unknown) => void
}

/**
 * The result of applying a batch to a list: the bits with all accepted changes, and the callers still to be answered.
 */
export interface AppliedBatch {
  bits: Uint8Array
  /** entries */
  changed: number
  /** the actions that change them, each once */
  actions: string[]
  applied: { caller: WaitingCaller; plan: PlannedUpdate }[]
  /** callers for the next version, as they change entries that another caller changes in this version */
  deferred: WaitingCaller[]
}

/** Applies the accepted operations to a copy of the bits; callers whose operation is refused are notified at once. */
export function applyInOrder(
  type: StatusListType,
  { list: { bits: published, entries, layout }, differs, waiting }: StartingPoint,
  callers: readonly WaitingCaller[],
): AppliedBatch {
  const bits = new Uint8Array(published)
  const valueAt = (index: number) => getEntry(bits, layout, index)
  const changedHere = new Set<number>()
  const settledHere = new Set<number>()
  const applied: AppliedBatch['applied'] = []
  const deferred: WaitingCaller[] = []
  for (const caller of callers) {
    const { operation } = caller
    const meetsAnother = () => differs || operation.indices.some((index) => changedHere.has(index))
    try {
      if (operation.stored && operation.indices.some((index) => settledHere.has(index))) {
        deferred.push(caller)
        continue
      }
      const plan = operation.stored
        ? planStored(operation, valueAt)
        : planUpdate(type, layout, { valueAt, entries }, operation)
      if (plan.changes.some(([index]) => changedHere.has(index) || settledHere.has(index))) {
        deferred.push(caller)
        continue
      }
      for (const [index, value] of plan.changes) {
        setEntry(bits, layout, index, value)
        changedHere.add(index)
      }
      if (operation.receipt) for (const index of operation.indices) settledHere.add(index)
      applied.push({ caller, plan })
    } catch (error) {
      // refused because of an unpublished change, which may fail: checked again afterwards
      if (meetsAnother()) deferred.push(caller)
      else caller.reject(error)
    }
  }
  const actions = [...new Set([...appliedActions(applied), ...(waiting?.actions ?? [])])].sort()
  return { bits, changed: changedHere.size + (waiting?.changed ?? 0), actions, applied, deferred }
}

/**
 * An operation whose changes are in the list already.
 *
 * @throws AgentError `version_conflict` if another one has changed its entries again
 */
function planStored({ indices, stored }: UpdateOperation, valueAt: (index: number) => number): PlannedUpdate {
  const [value = 0] = stored?.values.values() ?? []
  if (indices.every((index) => valueAt(index) === stored?.values.get(index)))
    return { changes: [], value, refused: [] }
  const message = 'the update is stored, but another one changed its entries before a receipt could be signed'
  throw new AgentError('version_conflict', message)
}

const appliedActions = (applied: AppliedBatch['applied']): string[] => {
  const effective = applied.filter(({ plan, caller }) => plan.changes.length > 0 || caller.operation.anew)
  return effective.flatMap(({ plan, caller: { operation } }) =>
    operation.actions ? plan.changes.map(([index]) => actionFor(operation, index)) : operation.action,
  )
}

/** What callers record with the version that contains their changes. */
export const recordsOf = (applied: AppliedBatch['applied']): Map<WaitingCaller, WithVersion> =>
  new Map(
    applied.flatMap(({ caller, plan }) => {
      const record = caller.operation.recordOf?.(plan)
      return record ? [[caller, record]] : []
    }),
  )

/** A caller whose work is another's by now must not keep the others from their version. @returns whether it was for that */
export function dismissOverdue(
  waiting: WaitingCaller[],
  records: ReadonlyMap<WaitingCaller, WithVersion>,
  error: unknown,
): boolean {
  const overdue = overdueWork(error)
  const [caller] = [...records].find(([, record]) => record === overdue) ?? []
  if (!caller) return false
  waiting.splice(waiting.indexOf(caller), 1)
  caller.reject(error)
  return true
}

/** Whether a version is wanted without changes, and its id; a named version that exists is not made again. */
export function requestedVersion(applied: AppliedBatch['applied'], newest: LinkedResourceMetadata) {
  const operations = applied
    .map(({ caller }) => caller.operation)
    .filter(({ resourceId }) => resourceId !== newest.resourceId)
  const named = operations.flatMap(({ resourceId }) => resourceId ?? [])
  return { isAnew: operations.some(({ anew }) => anew), resourceId: named[0] ?? randomUUID() }
}

/** Resolves the callers whose changes are published. */
export function settle(
  { applied, changed: all }: AppliedBatch,
  published: DocumentedList,
  paid: bigint,
): void {
  for (const { caller, plan } of applied) {
    const changed = plan.changes.map(([index]) => index)
    // A version without changed entries has new conditions, which all of its callers requested.
    const isShared = changed.length > 0 || all === 0 || caller.operation.anew
    const { value, refused } = plan
    caller.resolve({ published, changed, value, refused, paid: isShared ? paid : 0n })
  }
}
