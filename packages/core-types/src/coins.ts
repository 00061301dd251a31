/** 10^9 of the smallest unit of the ledger are one CHEQ. */
export const NCHEQ_PER_CHEQ = 1_000_000_000n
/** The largest amount of one coin, as a ledger's 64-bit numbers hold it. */
export const MOST_NCHEQ = 2n ** 63n - 1n

/** For figures; sums of money are counted in ncheq. */
export const inCheq = (ncheq: bigint): number => Number(ncheq) / Number(NCHEQ_PER_CHEQ)

/** @param amount - `<n>ncheq`, which has been checked */
export const ncheqIn = (amount: string): bigint => BigInt(amount.replace('ncheq', ''))

/** For people: whole CHEQ, and what of the next is needed. */
export function cheqText(ncheq: bigint): string {
  const fraction = (ncheq % NCHEQ_PER_CHEQ).toString().padStart(9, '0').replace(/0+$/, '')
  return `${ncheq / NCHEQ_PER_CHEQ}${fraction && `.${fraction}`} CHEQ`
}
