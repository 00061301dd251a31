import type { StatusListType, StatusListUpdateResult } from '@vidimus/core-types'
import type { UpdateOutcome } from './applied-batch.js'

/** Whether verifiers see an update already; only of lists that publish at intervals. */
export function updateVisibility({
  pace,
}: UpdateOutcome): Pick<StatusListUpdateResult, 'published' | 'visibleFrom'> {
  if (!pace) return {}
  const { published, visibleFrom } = pace
  return { published, ...(visibleFrom && { visibleFrom: visibleFrom.toISOString() }) }
}

/** The resulting flag of the entries, by action name. */
export function flagOfUpdate(
  type: StatusListType,
  action: string,
  { value, published: { list } }: UpdateOutcome,
): Partial<StatusListUpdateResult> {
  if (action === 'revoke') return { revoked: true }
  if (action === 'suspend') return { suspended: true }
  if (action === 'reinstate') return { unsuspended: true }
  const { status, message } = type.report(list.layout, value, 'message')
  return { status, ...(message !== undefined && { message }) }
}
