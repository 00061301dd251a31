import { z } from 'zod'
import { isAccountAddress } from '../account-address.js'
import { BOUNDS } from '../bounds.js'
import { MOST_NCHEQ, parseCoins } from '../coins.js'

/** What others must pay before the service unlocks an encrypted list for them. */
export const PaymentCondition = z.strictObject({
  feePaymentAddress: z
    .string('must be an address on the ledger')
    .refine(isAccountAddress, 'must be an address on the ledger: cheqd1... with a valid checksum')
    .meta({ description: 'Account on the ledger that the fee goes to' }),
  feePaymentAmount: z
    .string('must be an amount such as 2000000000ncheq')
    .refine((amount) => (parseCoins(amount) ?? 0n) > 0n, `must be 1ncheq to ${MOST_NCHEQ}ncheq`)
    .meta({ description: 'With its unit: `20000000000ncheq` are 20 CHEQ' }),
  feePaymentWindow: z
    .int('must be a whole number of minutes')
    .min(1, 'must be at least one minute')
    .max(BOUNDS.paymentWindowMinutes, `must be at most ${BOUNDS.paymentWindowMinutes} minutes`)
    .meta({ description: 'Minutes for which a payment unlocks the list' }),
})

/** The conditions of a new or changed list. */
export const PaymentConditions = z
  .array(PaymentCondition, 'must be a list of conditions')
  .max(BOUNDS.paymentConditions, `must hold at most ${BOUNDS.paymentConditions} conditions`)
  .superRefine((conditions, context) => {
    conditions.forEach((condition, n) => {
      const earlier = conditions.findIndex((other) => claimOf(other) === claimOf(condition))
      if (earlier === n) return
      const message = `duplicates condition ${earlier}: one payment would meet both`
      context.addIssue({ code: 'custom', path: [n], message })
    })
  })

/** What identifies a payment, apart from its time. */
const claimOf = ({ feePaymentAddress, feePaymentAmount }: z.output<typeof PaymentCondition>): string =>
  `${feePaymentAmount} ${feePaymentAddress}`
