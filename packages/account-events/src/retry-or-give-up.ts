import type { BackOff } from '@vidimus/core-types'

const HOUR_MS = 3_600_000

export interface RetrySchedule {
  /** how long events are tried to be delivered, hours */
  retryHours: number
  /** after the first failure, seconds */
  firstRetrySeconds: number
  /** the most between two attempts, seconds */
  longestRetrySeconds: number
}

/** When a failed attempt is repeated. */
export const backOffOf = ({ firstRetrySeconds, longestRetrySeconds }: RetrySchedule): BackOff => ({
  firstMs: firstRetrySeconds * 1000,
  mostMs: longestRetrySeconds * 1000,
})

/**
 * When a webhook gives up: deliveries due at this time or before become dead letters.
 *
 * @param retryAt - time of the next attempt, in milliseconds since 1970
 */
export const giveUpBefore = (retryAt: number, { retryHours }: Pick<RetrySchedule, 'retryHours'>): Date =>
  new Date(retryAt - retryHours * HOUR_MS)
