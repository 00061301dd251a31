const HOUR_MS = 3_600_000

export interface RetrySchedule {
  /** how long events are tried to be delivered, hours */
  retryHours: number
  /** after the first failure, seconds */
  firstRetrySeconds: number
  /** the most between two attempts, seconds */
  longestRetrySeconds: number
}

/**
 * How long after a failure the next attempt follows, in milliseconds: twice as long with each failure, and by chance up to
 * a quarter more or less, so that what failed together does not come together again.
 *
 * @param failures - so far, from 1 on
 * @param chance - 0 to 1
 */
export function backOff(
  failures: number,
  { firstRetrySeconds, longestRetrySeconds }: Omit<RetrySchedule, 'retryHours'>,
  chance = Math.random(),
): number {
  const doubled = firstRetrySeconds * 2 ** Math.min(failures - 1, 30)
  return Math.round(Math.min(doubled, longestRetrySeconds) * 1000 * (0.75 + chance / 2))
}

/**
 * When a webhook gives up: deliveries due at this time or before become dead letters.
 *
 * @param retryAt - time of the next attempt, in milliseconds since 1970
 */
export const giveUpBefore = (retryAt: number, { retryHours }: Pick<RetrySchedule, 'retryHours'>): Date =>
  new Date(retryAt - retryHours * HOUR_MS)
