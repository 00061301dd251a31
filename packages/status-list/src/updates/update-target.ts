import { AgentError, type PaymentCondition, type StatusListType } from '@vidimus/core-types'
import { sameConditions } from '../encryption/payment-conditions.js'
import { openList, openOwnList, type DecodedList, type DocumentedList } from '../versions/decoded-list.js'
import type { ListName, LocatedList } from '../versions/list-location.js'

/** Which list a caller updates, and as which version. */
export interface UpdateTarget extends ListName {
  type: StatusListType
  /** where the action looks for the list, in this order */
  resourceTypes: readonly string[]
  statusListVersion?: string | undefined
  /** which kind of list the caller means */
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

/** The document with the conditions that the callers want; the same one where it has them. */
export function withConditions(
  { type, paymentConditions }: UpdateTarget,
  { doc, list: { layout } }: DocumentedList,
): unknown {
  if (!paymentConditions || sameConditions(paymentConditions, layout.paymentConditions ?? [])) return doc
  return type.withPaymentConditions?.(doc, paymentConditions) ?? doc
}
