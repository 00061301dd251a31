import type { FeeRange } from '@cheqd/ts-proto/cheqd/did/v2/fee.js'
import { converted, costOf, FeeTooLow, shared, type Offer } from '../support/cheqd-node/fee-reckoning.js'
import { coinOf, decimal } from './coins.js'
import type { GoldenCase, GoldenFile } from './read-cases.js'
import { agreement, type Verdict } from './verdict.js'

/** Zero is not a coin. */
const told = ({ denom, amount }: { denom: string; amount: bigint }) =>
  amount === 0n ? '' : `${amount}${denom}`

/** The cost of one message, and its outcome. */
export function judgeFee(one: GoldenCase): Verdict {
  const price = decimal(String(one.in.price))
  const worth = one.in.nativeEquivalent
  const offer: Offer = {
    ...coinOf(one.in.offered),
    ...(worth !== undefined && { worth: coinOf(worth).amount }),
  }
  return judge(one, () => {
    const fee = costOf(one.in.ranges as FeeRange[], offer, price)
    const { burn, reward, ...shares } = shared(fee, decimal(String(one.in.burnFactor)), price)
    const amounts = Object.entries(shares).map(([name, amount]) => [name, told({ denom: 'ncheq', amount })])
    return {
      fee: told(fee),
      burn: told(burn),
      reward: told(reward),
      ...(Object.fromEntries(amounts) as Record<string, string>),
    }
  })
}

/** Several messages in one transaction, each held against the whole offer. */
export function judgeFeesOfTransaction(one: GoldenCase, { params }: GoldenFile): Verdict {
  const ranges = params[String(one.in.params)] as Record<string, FeeRange[]> & { burnFactor: string }
  const price = decimal(String(one.in.price))
  const kinds = (one.in.messages as string[]).filter((kind) => kind !== 'send')
  return judge(one, () => {
    if (kinds.length === 0) return { taxed: false }
    const offer = coinOf(one.in.offered)
    const taken = kinds.map((kind) =>
      shared(costOf(ranges[kind] ?? [], offer, price), decimal(String(ranges.burnFactor)), price),
    )
    const sum = (part: 'burned' | 'rewarded' | 'taken') =>
      told({ denom: 'ncheq', amount: taken.reduce((total, shares) => total + shares[part], 0n) })
    return { taxed: true, burn: sum('burned'), reward: sum('rewarded'), taken: sum('taken') }
  })
}

export const judgeConversion = (one: GoldenCase): Verdict =>
  judge(one, () => ({ amount: `${converted(String(one.in.amount), decimal(String(one.in.price)))}ncheq` }))

/** A refusal agrees whatever its text is: it has no code of its own. */
function judge({ out }: GoldenCase, reckon: () => Record<string, unknown>): Verdict {
  try {
    const found = reckon()
    if (out.refusal !== undefined || out.panic !== undefined)
      return agreement(['double: takes what the node refuses'])
    const other = Object.keys(out).filter((name) => found[name] !== out[name])
    return agreement(
      other.map((name) => `double: ${name} is ${String(found[name])}, and not ${String(out[name])}`),
    )
  } catch (error) {
    if (!(error instanceof FeeTooLow)) throw error
    return agreement(
      out.refusal === undefined && out.panic === undefined ? [`double: refuses it: ${error.message}`] : [],
    )
  }
}
