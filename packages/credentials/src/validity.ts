import { LAST_TIME_MS, type Validity } from '@vidimus/core-types'

/**
 * Tolerated clock skew between issuer and verifier: valid from up to 60 s in the future, and expired for up to 60 s
 * (RFC 7519 sections 4.1.4 and 4.1.5 allow "a few minutes").
 */
export const CLOCK_TOLERANCE_MS = 60_000

/** Why it is not valid now, or `undefined`. */
export function invalidity({ notBefore, notAfter }: Validity, now: Date): string | undefined {
  const start = Math.max(...notBefore)
  if (start > now.getTime() + CLOCK_TOLERANCE_MS) return `it is not valid before ${isoTime(start)}`
  const end = Math.min(...notAfter)
  if (end <= now.getTime() - CLOCK_TOLERANCE_MS) return `it expired at ${isoTime(end)}`
  return undefined
}

/** A NumericDate of a JWT as ISO 8601. */
export const isoTimeOfSeconds = (seconds: number): string => isoTime(seconds * 1000)

/** Whether a claim is a NumericDate that ISO 8601 can represent (RFC 7519 section 2). */
export const isNumericDate = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value * 1000 <= LAST_TIME_MS

/** The NumericDate of a point in time, in whole seconds. */
export const wholeSeconds = (time: string | Date): number =>
  Math.floor((time instanceof Date ? time.getTime() : Date.parse(time)) / 1000)

const isoTime = (ms: number): string => new Date(ms).toISOString()
