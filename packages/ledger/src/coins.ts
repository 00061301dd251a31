import { MOST_NCHEQ, NCHEQ_PER_CHEQ } from '@vidimus/core-types'

/** The name of the smallest unit of the ledger. */
const DENOMINATION = 'ncheq'
const COINS = new RegExp(`^(0|[1-9][0-9]{0,18})${DENOMINATION}$`)

/** Whether an amount in ncheq can be that of an account or a payment. */
export const isAmount = (ncheq: bigint): boolean => ncheq >= 0n && ncheq <= MOST_NCHEQ

/** Reads `<n>ncheq`. @returns `undefined` for everything else, also for more than 2^63 - 1 */
export function parseCoins(text: string): bigint | undefined {
  const [, digits] = COINS.exec(text) ?? []
  if (digits === undefined) return undefined
  const ncheq = BigInt(digits)
  return isAmount(ncheq) ? ncheq : undefined
}

/** Writes `<n>ncheq`. */
export const formatCoins = (ncheq: bigint): string => `${ncheq}${DENOMINATION}`

/** @param cheq - a whole number @returns `undefined` where it is none, or too many */
export function ncheqOf(cheq: number): bigint | undefined {
  if (!Number.isSafeInteger(cheq)) return undefined
  const ncheq = BigInt(cheq) * NCHEQ_PER_CHEQ
  return isAmount(ncheq) ? ncheq : undefined
}
