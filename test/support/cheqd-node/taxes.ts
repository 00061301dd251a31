import type { FeeRange } from '@cheqd/ts-proto/cheqd/did/v2/fee.js'
import { detectMediaType, type LedgerMessage } from '@vidimus/ledger'
import type { Fees } from './fee-params.js'

/** 18 decimals of a US dollar over 9 of a CHEQ, with a price of 18 decimals. */
const NCHEQ_PER_CHEQ = 10n ** 9n
/** The chain reckons ranges in millionths of a dollar. */
const MICRO = 10n ** 12n

export interface Market {
  fees: Fees
  /** US dollars for one CHEQ, with 18 decimals; 0 where the oracle knows none */
  price: bigint
}

const dollarsToNcheq = (usd18: bigint, price: bigint): bigint => (usd18 * NCHEQ_PER_CHEQ) / price
const ncheqToDollars = (ncheq: bigint, price: bigint): bigint => (ncheq * price) / NCHEQ_PER_CHEQ

/** Thrown where the declared fee does not do: the chain registers no code for it. */
export class FeeTooLow extends Error {}

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
 * messages alone, and what it exceeds a fixed fee by is not taken; in a true range the offer itself is taken, for each
 * message again (`GetFeeForMsg` of cheqd-node).
 *
 * @param offered - in ncheq, for the whole transaction
 * @throws FeeTooLow
 */
export function taxOf(message: LedgerMessage, offered: bigint, { fees, price }: Market): bigint {
  const ranges = rangesFor(message, fees)
  const fixed = ranges.find(({ minAmount, maxAmount }) => minAmount !== '' && minAmount === maxAmount)
  if (fixed) return fixedTax(fixed, offered, price)
  if (price === 0n) return fallbackTax(ranges, offered)
  const least = highest(ranges.map(({ denom, minAmount }) => inMicroDollars(denom, minAmount, price)))
  const most = lowest(ranges.map(({ denom, maxAmount }) => inMicroDollars(denom, maxAmount, price)))
  const offer = ncheqToDollars(offered, price) / MICRO
  if (least !== undefined && offer < least) {
    throw new FeeTooLow(`fee too low: expected ≥ ${least} USD, got ${offer} USD`)
  }
  const taken = most !== undefined && offer > most ? (least ?? most) : offer
  return dollarsToNcheq(taken * MICRO, price)
}

function fixedTax({ denom, minAmount }: FeeRange, offered: bigint, price: bigint): bigint {
  if (denom === 'ncheq') {
    const expected = BigInt(minAmount)
    if (offered >= expected) return expected
    throw new FeeTooLow(`invalid fixed fee: expected at least ${expected}ncheq, got ${offered}ncheq`)
  }
  if (price === 0n) throw new FeeTooLow('cannot verify cross-denom fixed fee: cheq price not available')
  const required = dollarsToNcheq(BigInt(minAmount), price)
  if (offered >= required) return required
  throw new FeeTooLow(`insufficient ncheq: need at least ${required}, got ${offered}`)
}

function fallbackTax(ranges: readonly FeeRange[], offered: bigint): bigint {
  const range = ranges.find(({ denom }) => denom === 'ncheq')
  if (!range) throw new FeeTooLow('cheq price not available and no ncheq fallback fee defined')
  const expected = BigInt(range.minAmount === '' ? range.maxAmount : range.minAmount)
  if (offered >= expected) return expected
  throw new FeeTooLow(`cheq price unavailable; expected fee ≥ ${expected}ncheq`)
}

const inMicroDollars = (denom: string, amount: string, price: bigint): bigint | undefined => {
  if (amount === '') return undefined
  return (denom === 'usd' ? BigInt(amount) : ncheqToDollars(BigInt(amount), price)) / MICRO
}

const known = (amounts: readonly (bigint | undefined)[]) => amounts.filter((amount) => amount !== undefined)
const highest = (amounts: readonly (bigint | undefined)[]) =>
  known(amounts).reduce<bigint | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined)
const lowest = (amounts: readonly (bigint | undefined)[]) =>
  known(amounts).reduce<bigint | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined)

/** Answers `ConvertUSDCtoCHEQ`. @param amount - `<18 decimals>usd` @returns `undefined` where it cannot be told */
export function convertToCheq(amount: string, price: bigint): string | undefined {
  const [, digits] = /^(\d+)usd$/.exec(amount) ?? []
  if (digits === undefined || price === 0n) return undefined
  return `${dollarsToNcheq(BigInt(digits), price)}ncheq`
}
