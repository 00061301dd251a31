import {
  BOUNDS,
  cheqText,
  isAccountAddress,
  MOST_NCHEQ,
  NCHEQ_PER_CHEQ,
  ncheqIn,
  type PaymentCondition,
} from '@vidimus/core-types'
import { z } from 'zod'
import { malformedList } from '../types/malformed-list.js'

const AMOUNT = /^[1-9]\d{0,18}ncheq$/

const Condition = z.strictObject({
  feePaymentAddress: z
    .string('has to be an address on the ledger')
    .refine(isAccountAddress, 'has to be an address on the ledger: cheqd1... with its checksum'),
  feePaymentAmount: z
    .string('has to be an amount such as 2000000000ncheq')
    .refine(
      (amount) => AMOUNT.test(amount) && ncheqIn(amount) <= MOST_NCHEQ,
      `has to be 1ncheq to ${MOST_NCHEQ}ncheq`,
    ),
  feePaymentWindow: z
    .int('has to be a whole number of minutes')
    .min(1, 'has to be at least one minute')
    .max(BOUNDS.paymentWindowMinutes, `has to be at most ${BOUNDS.paymentWindowMinutes} minutes`),
})

/** The conditions of a new or changed list. */
export const PaymentConditions = z
  .array(Condition, 'has to be a list of conditions')
  .max(BOUNDS.paymentConditions, `has to hold at most ${BOUNDS.paymentConditions} conditions`)
  .superRefine((conditions, context) => {
    conditions.forEach((condition, n) => {
      const earlier = conditions.findIndex((other) => claimOf(other) === claimOf(condition))
      if (earlier === n) return
      const message = `asks for the same payment as condition ${earlier}, which one payment would meet`
      context.addIssue({ code: 'custom', path: [n], message })
    })
  })

/** What makes a payment this one, apart from its time. */
const claimOf = ({ feePaymentAddress, feePaymentAmount }: PaymentCondition): string =>
  `${feePaymentAmount} ${feePaymentAddress}`

const PublishedConditions = z.array(
  z.looseObject({
    type: z.literal('timelockPayment'),
    ...Condition.shape,
    intervalInSeconds: z.int().positive(),
  }),
)

/**
 * The form in which a list publishes its conditions: that of cheqd's tools, the window beside its seconds.
 */
export const publishedConditions = (conditions: readonly PaymentCondition[]): Record<string, unknown>[] =>
  conditions.map(({ feePaymentAddress, feePaymentAmount, feePaymentWindow }) => ({
    type: 'timelockPayment',
    feePaymentAddress,
    feePaymentAmount,
    feePaymentWindow,
    intervalInSeconds: feePaymentWindow * 60,
  }))

/**
 * Reads the conditions of a published list; none where it names none.
 *
 * @throws AgentError `malformed_list`
 */
export function readConditions(published: unknown): PaymentCondition[] {
  if (published === undefined) return []
  const result = PublishedConditions.safeParse(published)
  if (!result.success) throw malformedList('its paymentConditions have another form')
  return result.data.map(({ feePaymentAddress, feePaymentAmount, feePaymentWindow }) => ({
    feePaymentAddress,
    feePaymentAmount,
    feePaymentWindow,
  }))
}

export const sameConditions = (a: readonly PaymentCondition[], b: readonly PaymentCondition[]): boolean =>
  JSON.stringify(publishedConditions(a)) === JSON.stringify(publishedConditions(b))

/** @param cheq - rounded to 1 ncheq */
export const ncheqOfCheq = (cheq: number): bigint => {
  const whole = Math.floor(cheq)
  return BigInt(whole) * NCHEQ_PER_CHEQ + BigInt(Math.round((cheq - whole) * Number(NCHEQ_PER_CHEQ)))
}

/** As people read it: `2.5 CHEQ to cheqd1... within 10 minutes`. */
export function conditionText(condition: PaymentCondition): string {
  const { feePaymentAddress, feePaymentAmount, feePaymentWindow } = condition
  const minutes = feePaymentWindow === 1 ? 'minute' : 'minutes'
  return `${cheqText(ncheqIn(feePaymentAmount))} to ${feePaymentAddress}, not longer than ${feePaymentWindow} ${minutes} ago`
}
