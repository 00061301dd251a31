import { AgentError, type StatusListType } from '@vidimus/core-types'
import { publishingAct, holdsDid, type UnlockingContext } from '../agent-context.js'
import type { FeeAllowance } from '../fees/fee-allowance.js'
import type { FeePayments } from '../fees/fee-payments.js'
import type { LocatedList } from '../versions/list-location.js'
import { openOwnList, type DecodedList } from '../versions/decoded-list.js'

/** Whether a call pays missing fees, and how much. */
export interface Payer {
  makeFeePayment: boolean
  allowance: FeeAllowance
}

/**
 * Decides, for each call, who may read the bits of an encrypted list: the account that holds the DID of the publisher
 * and could publish the next version, and accounts that have met every payment condition of the list.
 */
export class ListAccess {
  /** @param fees - absent: nobody can meet a condition */
  constructor(private readonly fees: FeePayments | undefined) {}

  /**
   * @throws AgentError `list_encrypted` if it cannot be decrypted here, or is only open to its publisher, and what
   *   {@link FeePayments.demand} throws
   */
  async open(
    type: StatusListType,
    located: LocatedList,
    { makeFeePayment, allowance }: Payer,
    context: UnlockingContext,
  ): Promise<DecodedList> {
    const list = openOwnList(located)
    const { encrypted, paymentConditions = [] } = list.layout
    const { location } = located
    if (!encrypted || (await holdsDid(location.did, publishingAct(type), context))) return list
    if (paymentConditions.length === 0 || !this.fees) {
      const message = `the status list "${location.statusListName}" is encrypted, and only its publisher can read it`
      throw new AgentError('list_encrypted', message)
    }
    await this.fees.demand({ location, paymentConditions, makeFeePayment, allowance }, context)
    return list
  }
}
