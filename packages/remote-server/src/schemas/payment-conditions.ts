import { BOUNDS, isAccountAddress, type PaymentCondition } from '@vidimus/core-types'
import { z } from 'zod'

const NCHEQ_PER_CENT = 10_000_000n
const AMOUNT = /^(?:0|[1-9]\d{0,8})(?:\.\d{1,2})?$/
const isAmount = (text: string) => AMOUNT.test(text) && /[1-9]/.test(text)
const NO_AMOUNT = 'must be an amount in CHEQ above 0 with at most two decimals, such as 20 or 2.50'

const address = () =>
  z
    .string()
    .max(BOUNDS.word)
    .refine(isAccountAddress, 'must be an address on the ledger: cheqd1... with a valid checksum')
    .meta({
      description: 'Account on the ledger that the fee goes to',
      example: 'cheqd18as2jngwqpqp5hjadecg25mh8rtjt4l0vzczu5',
    })

const amount = () =>
  z
    .union(
      [
        z.number().refine((value) => isAmount(String(value)), NO_AMOUNT),
        z.string().refine(isAmount, NO_AMOUNT),
      ],
      {
        error: ({ input }) => (input === undefined ? 'is required' : NO_AMOUNT),
      },
    )
    .meta({ description: 'In CHEQ, with at most two decimals', example: 20 })

const window = () =>
  z
    .int()
    .min(1)
    .max(BOUNDS.paymentWindowMinutes)
    .meta({ description: 'Minutes for which a payment unlocks the list', example: 10 })

const Condition = z.strictObject({
  feePaymentAddress: address(),
  feePaymentAmount: amount(),
  feePaymentWindow: window(),
})

/** The conditions of an encrypted list: as a list or, for a single one, as flat form fields. */
export const conditionFields = {
  paymentConditions: z.array(Condition).max(BOUNDS.paymentConditions).optional().meta({
    description: 'What others must pay to check the list, all of them; none: only the publisher can check it',
  }),
  feePaymentAddress: address().optional(),
  feePaymentAmount: amount().optional(),
  feePaymentWindow: window().optional(),
  symmetricKey: z
    .unknown()
    .optional()
    .refine(
      (key) => key === undefined,
      'is not needed: the service keeps the key of the list and never discloses it',
    )
    .meta({
      description: 'Rejected: the service keeps the key of the list and never discloses it',
      deprecated: true,
    }),
}

const FLAT = ['feePaymentAddress', 'feePaymentAmount', 'feePaymentWindow'] as const

type Fields = { [Name in keyof typeof conditionFields]?: unknown }

/**
 * Requires the flat fields together, and not beside the list. Checked even if the body has other problems, so that a
 * response reports all of them.
 */
export function withConditionRules<Shape extends z.core.$ZodLooseShape>(
  body: z.ZodObject<Shape, z.core.$strict>,
): z.ZodObject<Shape, z.core.$strict> {
  const always = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null }
  const isFlat = (fields: Fields) => FLAT.some((name) => fields[name] !== undefined)
  let ruled = body.refine((fields: Fields) => !(isFlat(fields) && fields.paymentConditions !== undefined), {
    path: ['paymentConditions'],
    error: `must not be combined with ${FLAT.join(', ')}`,
    ...always,
  })
  for (const name of FLAT) {
    ruled = ruled.refine((fields: Fields) => !isFlat(fields) || fields[name] !== undefined, {
      path: [name],
      error: `is required with the others of ${FLAT.join(', ')}`,
      ...always,
    })
  }
  return ruled
}

type ConditionFields = { [Name in keyof typeof conditionFields]?: z.output<(typeof conditionFields)[Name]> }

/** The agent arguments: no conditions if none were sent. */
export function conditionsOf(fields: ConditionFields): { paymentConditions?: PaymentCondition[] } {
  const { feePaymentAddress, feePaymentAmount, feePaymentWindow, paymentConditions } = fields
  if (feePaymentAddress !== undefined && feePaymentAmount !== undefined && feePaymentWindow !== undefined) {
    return { paymentConditions: [inNcheq({ feePaymentAddress, feePaymentAmount, feePaymentWindow })] }
  }
  return paymentConditions ? { paymentConditions: paymentConditions.map(inNcheq) } : {}
}

function inNcheq({ feePaymentAmount, ...condition }: z.output<typeof Condition>): PaymentCondition {
  const [whole = '', cents = ''] = String(feePaymentAmount).split('.')
  const ncheq = BigInt(whole + cents.padEnd(2, '0')) * NCHEQ_PER_CENT
  return { ...condition, feePaymentAmount: `${ncheq}ncheq` }
}

export const exampleCondition = {
  feePaymentAddress: 'cheqd18as2jngwqpqp5hjadecg25mh8rtjt4l0vzczu5',
  feePaymentAmount: 20,
  feePaymentWindow: 10,
}
