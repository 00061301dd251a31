import type { StatusListType, StatusListUpdateResult } from '@vidimus/core-types'
import type { UpdateOutcome } from './applied-batch.js'

/** What now is true of the entries, by the name of the action. */
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
