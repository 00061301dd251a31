import { isAgentError, log } from '@vidimus/core-types'
import { sameConditions } from '../encryption/payment-conditions.js'
import type { ReadingContext } from '../agent-context.js'
import type { UpdateOutcome, WaitingCaller } from '../updates/applied-batch.js'
import type { UpdateOperation } from '../updates/plan-update.js'
import { listOfKind, type UpdateTarget } from '../updates/update-target.js'
import type { LocatedList } from '../versions/list-location.js'
import type { PublishedLists } from '../versions/published-lists.js'
import type { PacedLists } from './paced-lists.js'

export interface PacedParts {
  paces: PacedLists
  lists: PublishedLists
  context: ReadingContext
  read: () => Promise<LocatedList>
  /** publishes a version now, which contains everything that is stored */
  publish: (operation: UpdateOperation) => Promise<UpdateOutcome>
}

/** An operation on a list with a pace that has not been stored yet. */
const TO_BE_STORED = new Error('changes of a list with a pace are stored first')

/** Rejects callers that took a list for one without a pace, before another process created it. @returns whether others are left */
export function sendBack(batch: { waiting: WaitingCaller[] }): boolean {
  batch.waiting = batch.waiting.filter(({ operation, reject }) => {
    const isEarly = storesFirst(operation) && !operation.stored
    if (isEarly) reject(TO_BE_STORED)
    return !isEarly
  })
  return batch.waiting.length > 0
}

/** Updates a list, in the way that its pace demands as of the version that the update is applied to. */
export async function storedOrPublished(
  target: UpdateTarget,
  operation: UpdateOperation,
  parts: PacedParts,
): Promise<UpdateOutcome> {
  for (;;) {
    try {
      return (await pacedUpdate(target, operation, parts)) ?? (await parts.publish(operation))
    } catch (error) {
      if (error !== TO_BE_STORED) throw error
    }
  }
}

/**
 * Updates a list that publishes at intervals: its changes are stored, and published at once only if the caller needs a
 * version of its own, or the DID is about to end.
 *
 * @returns `undefined` if the list has no pace, so that nothing was done
 */
async function pacedUpdate(
  target: UpdateTarget,
  operation: UpdateOperation,
  parts: PacedParts,
): Promise<UpdateOutcome | undefined> {
  const { paces, lists, context, read, publish } = parts
  if (!storesFirst(operation) || !(await hasPace(target, paces))) return undefined
  const first = await read()
  if (!(await paces.of(first.location))) return undefined
  await repair(first, publish)
  const readOfKind = async () => {
    const located = await read()
    listOfKind(located, target)
    return located
  }
  const { located, stored } = await paces.store(target.type, first, operation, readOfKind)
  const { result, number, visibleFrom, isHurried } = stored
  const { values, value, refused } = result
  const changed = result.changes.map(([index]) => index)
  const pace = visibleFrom ? { published: false, visibleFrom } : { published: true }
  if (isHurried || isUrgent(target, operation, located)) {
    const { action, indices, receipt } = operation
    const now = { action, indices: receipt ? indices : [], receipt, stored: { values, number } }
    try {
      return { ...(await publish(now)), changed, value, refused, pace: { published: true } }
    } catch (error) {
      if (isHurried || changed.length === 0 || !isAgentError(error) || error.code === 'did_deactivated')
        throw error
      log('warn', 'stored changes of a status list could not be published at once, and wait', {}, error)
    }
  }
  const published = await lists.documented(target.type, located, context)
  return { published, changed, value, refused, paid: 0n, pace }
}

/** Whether an operation on a list with a pace is stored before anything else happens to it. */
const storesFirst = ({ anew = false, resourceId, indices }: UpdateOperation): boolean =>
  !anew && resourceId === undefined && indices.length > 0

/** A version that cannot be trusted is replaced before anything is planned on it. */
async function repair({ list }: LocatedList, publish: PacedParts['publish']): Promise<void> {
  const { failure } = list
  if (!failure || failure.keyRetired) return
  if (!failure.outdated) throw failure.error
  await publish({ action: 'sign', indices: [], anew: true })
}

async function hasPace(
  { did, statusListName, resourceTypes }: UpdateTarget,
  paces: PacedLists,
): Promise<boolean> {
  for (const resourceType of resourceTypes) {
    if (await paces.of({ did, statusListName, resourceType })) return true
  }
  return false
}

/** Receipts, versions and conditions of payment belong to a version. */
function isUrgent(
  { statusListVersion, paymentConditions }: UpdateTarget,
  { receipt }: UpdateOperation,
  { list: { layout } }: LocatedList,
): boolean {
  const hasNewConditions =
    paymentConditions !== undefined && !sameConditions(paymentConditions, layout.paymentConditions ?? [])
  return receipt === true || statusListVersion !== undefined || hasNewConditions
}
