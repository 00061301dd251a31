/** The name of the smallest unit of the ledger. */
const DENOMINATION = 'ncheq'
const COINS = new RegExp(`^(0|[1-9][0-9]{0,18})${DENOMINATION}$`)

/** 10^9 of the smallest unit of the ledger are one CHEQ. */
export const NCHEQ_PER_CHEQ = 1_000_000_000n
/** The largest amount of one coin, as a ledger's 64-bit numbers hold it. */
export const MOST_NCHEQ = 2n ** 63n - 1n

/** Whether an amount in ncheq is valid for an account or a payment. */
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

/** @param amount - `<n>ncheq`, which has been checked */
export const ncheqIn = (amount: string): bigint => BigInt(amount.slice(0, -DENOMINATION.length))

/** @param cheq - a whole number @returns `undefined` if it is not, or too large */
export function ncheqOf(cheq: number): bigint | undefined {
  if (!Number.isSafeInteger(cheq)) return undefined
  const ncheq = BigInt(cheq) * NCHEQ_PER_CHEQ
  return isAmount(ncheq) ? ncheq : undefined
}

/** For figures; sums of money are counted in ncheq. */
export const inCheq = (ncheq: bigint): number => Number(ncheq) / Number(NCHEQ_PER_CHEQ)

/** For people: whole CHEQ, and what of the next is needed. */
export function cheqText(ncheq: bigint): string {
  const fraction = (ncheq % NCHEQ_PER_CHEQ).toString().padStart(9, '0').replace(/0+$/, '')
  return `${ncheq / NCHEQ_PER_CHEQ}${fraction && `.${fraction}`} CHEQ`
}
