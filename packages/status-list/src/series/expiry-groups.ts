import { LAST_TIME_MS, timeAfter } from '@vidimus/core-types'

const DAY_MS = 86_400_000
const EPOCH = new Date(0)

/** Of series without a period: all credentials share members. */
export const ANY_EXPIRY = ''
/** Of credentials that never expire, in series with a period. */
export const NO_EXPIRY = 'never'

/** Calendar months, or a fixed time. */
type Step = { months: number } | { ms: number }

/**
 * The group of a credential in a series: the end of the period in which it expires. Periods follow each other from
 * 1970 on, in UTC: with `P3M` they are the quarters of the calendar.
 */
export function expiryGroup(period: string | undefined, expiresAt: string | undefined): string {
  if (period === undefined) return ANY_EXPIRY
  if (expiresAt === undefined) return NO_EXPIRY
  const step = readStep(period)
  if (typeof step === 'string') throw new RangeError(`the period ${step}`)
  return new Date(Math.min(periodEnd(step, new Date(expiresAt)), LAST_TIME_MS)).toISOString()
}

/** Why a duration cannot be the period of a series; `undefined` if it can. */
export function periodProblem(period: string): string | undefined {
  const step = readStep(period)
  return typeof step === 'string' ? step : undefined
}

function periodEnd(step: Step, expiry: Date): number {
  if ('ms' in step) return (Math.floor(expiry.getTime() / step.ms) + 1) * step.ms
  const month = (expiry.getUTCFullYear() - 1970) * 12 + expiry.getUTCMonth()
  const end = (Math.floor(month / step.months) + 1) * step.months
  return Date.UTC(1970 + Math.floor(end / 12), end % 12)
}

/** @returns the problem, if there is one */
function readStep(period: string): Step | string {
  const [date = '', time = ''] = period.split('T')
  const ofCalendar = /[YM]/.test(date)
  if (ofCalendar && (/[WD]/.test(date) || time !== '')) {
    return 'must be in years and months, or in weeks, days and shorter, not in both'
  }
  const end = timeAfter(EPOCH, period)
  if (!end) return 'must end before the year 10000'
  if (end.getTime() < DAY_MS) return 'must be at least a day (P1D)'
  if (!ofCalendar) return { ms: end.getTime() }
  return { months: (end.getUTCFullYear() - 1970) * 12 + end.getUTCMonth() }
}
