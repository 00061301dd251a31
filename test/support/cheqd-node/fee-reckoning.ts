import type { FeeRange } from '@cheqd/ts-proto/cheqd/did/v2/fee.js'

/** 18 decimals of a US dollar over 9 of a CHEQ, with a price of 18 decimals. */
const NCHEQ_PER_CHEQ = 10n ** 9n
/** The chain reckons ranges in millionths of a dollar. */
const MICRO = 10n ** 12n
/** Factors have 18 decimals as well. */
const ONE = 10n ** 18n
/** Of what is not burned the oracle has half a hundredth. */
const ORACLE_SHARE = 5n * 10n ** 15n

/** Thrown where the declared fee does not do: the chain registers no code for it. */
export class FeeTooLow extends Error {}

/** `usd` has 18 decimals. */
export interface Cost {
  denom: 'ncheq' | 'usd'
  amount: bigint
}

/** What is offered. */
export interface Offer {
  denom: string
  amount: bigint
  /** what coins of another chain are worth here, in ncheq */
  worth?: bigint
}

export const dollarsToNcheq = (usd18: bigint, price: bigint): bigint => (usd18 * NCHEQ_PER_CHEQ) / price
const ncheqToDollars = (ncheq: bigint, price: bigint): bigint => (ncheq * price) / NCHEQ_PER_CHEQ

export const inNcheq = ({ denom, amount }: Cost, price: bigint): bigint =>
  denom === 'ncheq' ? amount : dollarsToNcheq(amount, price)

/**
 * What one message costs. What an offer exceeds a fixed fee by is not taken; in a true range the offer itself is taken
 * (`GetFeeForMsg` of cheqd-node).
 *
 * @param price - of one CHEQ in dollars, with 18 decimals; 0 where the oracle knows none
 * @throws FeeTooLow
 */
export function costOf(ranges: readonly FeeRange[], offer: Offer, price: bigint): Cost {
  const fixed = ranges.find(({ minAmount, maxAmount }) => minAmount !== '' && minAmount === maxAmount)
  if (fixed?.denom === 'usd' && offer.denom === 'usd')
    return costInDollars(BigInt(fixed.minAmount), offer.amount)
  const ncheq = worthOf(offer)
  if (fixed)
    return {
      denom: 'ncheq',
      amount: fixedCost(fixed, { ncheq, isForeign: offer.worth !== undefined }, price),
    }
  if (price === 0n) return { denom: 'ncheq', amount: costWithoutPrice(ranges, ncheq) }
  const least = highest(ranges.map(({ denom, minAmount }) => inMicroDollars(denom, minAmount, price)))
  const most = lowest(ranges.map(({ denom, maxAmount }) => inMicroDollars(denom, maxAmount, price)))
  if (least !== undefined && most !== undefined && least > most) {
    throw new FeeTooLow('no valid overlapping USD range')
  }
  if (least === undefined && most === undefined) throw new FeeTooLow('no fee range is defined')
  const offered = ncheqToDollars(ncheq, price) / MICRO
  if (least !== undefined && offered < least) {
    throw new FeeTooLow(`fee too low: expected ≥ ${least} USD, got ${offered} USD`)
  }
  const taken = most !== undefined && offered > most ? (least ?? most) : offered
  const cost: Cost = { denom: 'usd', amount: taken * MICRO }
  return ranges.some(({ denom }) => denom === 'usd') ? cost : { denom: 'ncheq', amount: inNcheq(cost, price) }
}

function worthOf({ denom, amount, worth }: Offer): bigint {
  if (worth !== undefined) return worth
  if (denom === 'ncheq') return amount
  throw new FeeTooLow(`unsupported cross-denom fixed fee: user paid ${denom}`)
}

function costInDollars(asked: bigint, offered: bigint): Cost {
  if (offered >= asked) return { denom: 'usd', amount: asked }
  throw new FeeTooLow(`invalid fixed fee: expected at least ${asked}usd, got ${offered}usd`)
}

function fixedCost(
  { denom, minAmount }: FeeRange,
  { ncheq, isForeign }: { ncheq: bigint; isForeign: boolean },
  price: bigint,
): bigint {
  const asked = BigInt(minAmount)
  if (denom === 'ncheq') {
    if (ncheq >= asked) return isForeign ? ncheq : asked
    throw new FeeTooLow(
      isForeign
        ? `insufficient IBC-equivalent ncheq: expected ${asked}, got ${ncheq}`
        : `invalid fixed fee: expected at least ${asked}ncheq, got ${ncheq}ncheq`,
    )
  }
  if (price === 0n) throw new FeeTooLow('cannot verify cross-denom fixed fee: cheq price not available')
  if (isForeign) return foreignCost(asked, ncheq, price)
  const required = dollarsToNcheq(asked, price)
  if (ncheq >= required) return required
  throw new FeeTooLow(`insufficient fee: need at least ${required}, got ${ncheq}`)
}

/** Of coins of another chain all that they are worth is taken. */
function foreignCost(asked: bigint, ncheq: bigint, price: bigint): bigint {
  const [required, offered] = [asked / MICRO, ncheqToDollars(ncheq, price) / MICRO]
  if (offered >= required) return ncheq
  throw new FeeTooLow(`insufficient fee: requires ≥ ${required} µUSD, got ${offered} µUSD (via ${ncheq})`)
}

function costWithoutPrice(ranges: readonly FeeRange[], offered: bigint): bigint {
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

/** What becomes of a fee. @param burnFactor - with 18 decimals */
export function shared({ denom, amount }: Cost, burnFactor: bigint, price: bigint) {
  const burn = { denom, amount: (amount * burnFactor) / ONE }
  const reward = { denom, amount: amount - burn.amount }
  const [burned, rewarded] = [inNcheq(burn, price), inNcheq(reward, price)]
  const toOracle = (rewarded * ORACLE_SHARE) / ONE
  return {
    burn,
    reward,
    burned,
    rewarded,
    taken: burned + rewarded,
    toOracle,
    toFeeCollector: rewarded - toOracle,
  }
}

/** Answers `ConvertUSDCtoCHEQ`. @throws FeeTooLow where it cannot be told */
export function converted(amount: string, price: bigint): bigint {
  const [, digits, denom] = /^(\d+)([a-z]+)$/.exec(amount) ?? []
  if (digits === undefined || denom !== 'usd') throw new FeeTooLow(`only usd can be converted, not ${amount}`)
  if (price === 0n) throw new FeeTooLow('price not available')
  const ncheq = dollarsToNcheq(BigInt(digits), price)
  if (ncheq === 0n) throw new FeeTooLow('converted amount is zero')
  return ncheq
}
