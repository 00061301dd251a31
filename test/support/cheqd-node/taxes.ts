import type { FeeRange } from '@cheqd/ts-proto/cheqd/did/v2/fee.js'
import { detectMediaType, type LedgerMessage } from '@vidimus/ledger'
import type { Fees } from './fee-params.js'
import { converted, costOf, FeeTooLow, shared } from './fee-reckoning.js'

export { FeeTooLow }

export interface Market {
  fees: Fees
  /** US dollars for one CHEQ, with 18 decimals; 0 where the oracle knows none */
  price: bigint
}

/** The ranges that a message is taxed by. */
export function rangesFor(message: LedgerMessage, fees: Fees): readonly FeeRange[] {
  switch (message.type) {
    case 'createDidDoc':
      return fees.did.createDid
    case 'updateDidDoc':
      return fees.did.updateDid
    case 'deactivateDidDoc':
      return fees.did.deactivateDid
    case 'createResource': {
      const mediaType = detectMediaType(message.payload.data)
      if (mediaType.startsWith('image/')) return fees.resource.image
      return mediaType.startsWith('application/json') ? fees.resource.json : fees.resource.default
    }
  }
}

/**
 * What one message costs, in ncheq. The fee that is declared for the whole transaction is held against each of its
 * messages alone.
 *
 * @param offered - in ncheq, for the whole transaction
 * @throws FeeTooLow
 */
export function taxOf(message: LedgerMessage, offered: bigint, { fees, price }: Market): bigint {
  const { burnFactor } = message.type === 'createResource' ? fees.resource : fees.did
  const cost = costOf(rangesFor(message, fees), { denom: 'ncheq', amount: offered }, price)
  return shared(cost, BigInt(burnFactor.replace('.', '')), price).taken
}

/** Answers `ConvertUSDCtoCHEQ`. @param amount - `<18 decimals>usd` @returns `undefined` where it cannot be told */
export function convertToCheq(amount: string, price: bigint): string | undefined {
  try {
    return `${converted(amount, price)}ncheq`
  } catch (error) {
    if (error instanceof FeeTooLow) return undefined
    throw error
  }
}
