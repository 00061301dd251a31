import { cheqText, NCHEQ_PER_CHEQ, ncheqIn, type PaymentCondition } from '@vidimus/core-types'
import * as schemas from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { malformedList } from '../types/malformed-list.js'

const PublishedConditions = z.array(
  z.looseObject({
    type: z.literal('timelockPayment'),
    ...schemas.PaymentCondition.shape,
    intervalInSeconds: z.int().positive(),
  }),
)

/** The form in which a list publishes its conditions: that of cheqd's tools, the window beside its seconds. */
export const publishedConditions = (conditions: readonly PaymentCondition[]): Record<string, unknown>[] =>
  conditions.map(({ feePaymentAddress, feePaymentAmount, feePaymentWindow }) => ({
    type: 'timelockPayment',
    feePaymentAddress,
    feePaymentAmount,
    feePaymentWindow,
    intervalInSeconds: feePaymentWindow * 60,
  }))

/**
 * Reads the conditions of a published list; none if it names none.
 *
 * @throws AgentError `malformed_list`
 */
export function readConditions(published: unknown): PaymentCondition[] {
  if (published === undefined) return []
  const result = PublishedConditions.safeParse(published)
  if (!result.success) throw malformedList('its paymentConditions are invalid')
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
  return `${cheqText(ncheqIn(feePaymentAmount))} to ${feePaymentAddress}, at most ${feePaymentWindow} ${minutes} ago`
}
