/** When what failed is tried again, in milliseconds. */
export interface BackOff {
  firstMs: number
  mostMs: number
}

/**
 * How long after a failure the next attempt follows, in milliseconds: twice as long with each failure, and by chance up to
 * a quarter more or less, so that what failed together does not come together again.
 *
 * @param failures - so far, from 1 on
 * @param chance - 0 to 1
 */
export const backOff = (
  failures: number,
  { firstMs, mostMs }: BackOff,
  chance: number = Math.random(),
): number => Math.round(Math.min(firstMs * 2 ** Math.min(failures - 1, 30), mostMs) * (0.75 + chance / 2))
