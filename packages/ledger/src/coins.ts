/** The name of the smallest unit of the ledger; 10^9 of them are one CHEQ. */
const DENOMINATION = 'ncheq'
const NCHEQ_PER_CHEQ = 1_000_000_000n
/** The largest amount of one coin, as a ledger's 64-bit numbers hold it. */
const MOST_NCHEQ = 2n ** 63n - 1n
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

/** For figures; sums of money are counted in ncheq. */
export const inCheq = (ncheq: bigint): number => Number(ncheq) / Number(NCHEQ_PER_CHEQ)
