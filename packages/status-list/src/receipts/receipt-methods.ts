import {
  checkArguments,
  type StatusListReceiptVerifyArgs,
  type StatusListReceiptVerifyResult,
  type StatusListType,
} from '@vidimus/core-types'
import type { StatusListMethods } from '@vidimus/core-types/schemas'
import type { ListAddresses } from '../addresses/list-addresses.js'
import type { ReadingContext } from '../agent-context.js'
import type { PublishedLists } from '../versions/published-lists.js'
import { verifyReceipt } from './verify-receipt.js'

interface MethodParts {
  types: readonly StatusListType[]
  lists: PublishedLists
  addresses: ListAddresses
  described: StatusListMethods
}

/** Receipts of updates by any publisher. */
export const receiptMethods = ({ described, ...parts }: MethodParts) => ({
  /** {@inheritDoc @vidimus/core-types#IStatusList.statusListReceiptVerify} */
  statusListReceiptVerify: async (
    given: StatusListReceiptVerifyArgs,
    context: ReadingContext,
  ): Promise<StatusListReceiptVerifyResult> => {
    const { receipt } = checkArguments(described.statusListReceiptVerify.arguments, given)
    const result = await verifyReceipt(receipt, { ...parts, context })
    parts.lists.counts.receipts.add(1, result.verified ? 'verified' : 'refused')
    return result
  },
})
