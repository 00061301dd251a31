import {
  cheqText,
  AgentError,
  type PaymentClaim,
  type PaymentCondition,
  type PaymentLimitName,
  type PaymentRefusal,
  type Problem,
  type StatusListLocation,
} from '@vidimus/core-types'
import { conditionText } from '../encryption/payment-conditions.js'

type LimitName = PaymentLimitName | 'call'

/** The names under which callers and `agent.yml` set the limits, and what each is for. */
const LIMITS: Readonly<Record<LimitName, [name: string, what: (network: string) => string]>> = {
  call: ['maxFee', () => 'this call may pay'],
  list: ['maxFeeCheq', () => 'an account pays for one list'],
  accountDay: ['maxFeesPerDayCheq', (network) => `the account may pay on ${network} per day`],
  networkDay: ['maxFeesPerDayCheq', (network) => `all accounts together may pay on ${network} per day`],
}

/** @param isMissing - whether the condition of that number is unmet */
export function paymentRequired(
  { statusListName }: StatusListLocation,
  conditions: readonly PaymentCondition[],
  isMissing: (n: number) => boolean,
): AgentError {
  const details = conditions.flatMap((condition, n): Problem[] =>
    isMissing(n) ? [{ path: `paymentConditions[${n}]`, message: conditionText(condition) }] : [],
  )
  const payments = details.map(({ message }) => message).join('; ')
  const reason = `the encrypted status list "${statusListName}" requires a payment: ${payments}`
  return new AgentError('payment_required', reason, { details })
}

/** @param asked - ncheq that the list asks for */
export function paymentLimit(
  { list, network }: PaymentClaim,
  asked: bigint,
  { limit, most, left, moreAt }: Omit<PaymentRefusal, 'limit'> & { limit: LimitName },
): AgentError {
  const [name, what] = LIMITS[limit]
  const more = moreAt ? `; more is available at ${moreAt.toISOString()}` : ''
  const numbers = `${cheqText(asked)} are charged, but only ${cheqText(left)} of ${cheqText(most)} is left that ${what(network)}${more}`
  const message = `the encrypted status list "${list.statusListName}" charges more than the limit ${name}: ${numbers}`
  return new AgentError('payment_limit', message, { details: [{ path: name, message: numbers }] })
}
