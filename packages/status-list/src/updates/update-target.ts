import { AgentError, type PaymentCondition, type StatusListType } from '@vidimus/core-types'
import { sameConditions } from '../encryption/payment-conditions.js'
import { openList, openOwnList, type DecodedList, type DocumentedList } from '../versions/decoded-list.js'
import type { ListName, LocatedList } from '../versions/list-location.js'

/** The list that a caller updates, and the name of the new version. */
export interface UpdateTarget extends ListName {
  type: StatusListType
  /** where the action looks for the list, in this order */
  resourceTypes: readonly string[]
  statusListVersion?: string | undefined
  /** kind of list expected by the caller */
  encrypted: boolean
  /** from now on */
  paymentConditions?: readonly PaymentCondition[] | undefined
}

/** @throws AgentError `list_encrypted`, `list_not_encrypted` */
export function listOfKind(located: LocatedList, { encrypted }: UpdateTarget): DecodedList {
  if (!encrypted) return openList(located)
  if (located.list.layout.encrypted) return openOwnList(located)
  const { statusListName } = located.location
  throw new AgentError('list_not_encrypted', `the status list "${statusListName}" is not encrypted`)
}

/** The document with the conditions that the callers want; the same object if they are unchanged. */
export function withConditions(
  { type, paymentConditions }: UpdateTarget,
  { doc, list: { layout } }: DocumentedList,
): unknown {
  if (!paymentConditions || sameConditions(paymentConditions, layout.paymentConditions ?? [])) return doc
  return type.withPaymentConditions?.(doc, paymentConditions) ?? doc
}
