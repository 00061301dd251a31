import { detectMediaType } from '@vidimus/ledger'
import type { FeeKind, Fees } from '@vidimus/ledger-cheqd'
import { feeKind } from '../../packages/ledger-cheqd/src/fees.js'
import type { ChainHistory } from '../../test/support/cheqd-node/chain-history.js'

/** What a run has paid for. */
export interface Counted {
  messages: Partial<Record<FeeKind, number>>
  payments: number
  /** what they were of, in CHEQ */
  paidCheq: number
}

/** The gas of a payment, in CHEQ, generously. */
const PAYMENT_CHEQ = 2
const NCHEQ_PER_CHEQ = 1e9

/** What stands in the blocks of a double, by what the chain asks for it. */
export function countedMessages({ messages }: ChainHistory): Counted {
  const counted: Counted = { messages: {}, payments: 0, paidCheq: 0 }
  for (const { message: one } of messages.filter(({ executed }) => executed)) {
    if (one.kind === 'payment') {
      counted.payments += 1
      for (const { amount } of one.message.amount) counted.paidCheq += Number(amount) / NCHEQ_PER_CHEQ
      continue
    }
    const { message } = one
    const data = message.type === 'createResource' ? message.payload.data : new Uint8Array()
    const kind = feeKind(message.type, detectMediaType(data))
    counted.messages[kind] = (counted.messages[kind] ?? 0) + 1
  }
  return counted
}

/** In CHEQ, as a network prices it now. @param fees - with the driver's margin, so that it is less in the end */
export function costOf({ messages, payments, paidCheq }: Counted, fees: Fees): number {
  const kinds = Object.entries(messages) as [FeeKind, number][]
  const taxes = kinds.reduce((sum, [kind, count]) => sum + (count * Number(fees[kind])) / NCHEQ_PER_CHEQ, 0)
  return Math.ceil(taxes + payments * PAYMENT_CHEQ + paidCheq)
}
