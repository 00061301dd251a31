import type { FeeParams as DidFees, FeeRange } from '@cheqd/ts-proto/cheqd/did/v2/fee.js'
import type { FeeParams as ResourceFees } from '@cheqd/ts-proto/cheqd/resource/v2/fee.js'

export interface Fees {
  did: DidFees
  resource: ResourceFees
}

const CHEQ = 10n ** 9n
const CENT = 10n ** 16n

const range = (denom: string, min: bigint, max: bigint): FeeRange[] => [
  { denom, minAmount: String(min), maxAmount: String(max) },
]
const cheq = (min: bigint, max: bigint) => range('ncheq', min * CHEQ, max * CHEQ)
const cents = (amount: bigint) => range('usd', amount * CENT, amount * CENT)

/** The fixed fees in US dollars that cheqd-node has by default. */
export const USD_FEES: Fees = {
  did: {
    createDid: cents(200n),
    updateDid: cents(100n),
    deactivateDid: cents(40n),
    burnFactor: '0.500000000000000000',
  },
  resource: { image: cents(10n), json: cents(40n), default: cents(20n), burnFactor: '0.500000000000000000' },
}

/** Ranges in ncheq, as chains without an oracle have them. */
export const NCHEQ_FEES: Fees = {
  did: {
    createDid: cheq(50n, 100n),
    updateDid: [{ denom: 'ncheq', minAmount: String(25n * CHEQ), maxAmount: '' }],
    deactivateDid: cheq(10n, 20n),
    burnFactor: '0.500000000000000000',
  },
  resource: {
    image: cheq(20n, 30n),
    json: range('ncheq', (35n * CHEQ) / 10n, 60n * CHEQ),
    default: cheq(6n, 20n),
    burnFactor: '0.500000000000000000',
  },
}
