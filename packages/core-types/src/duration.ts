import { LAST_TIME_MS } from './point-in-time.js'

const PARTS =
  /^P(?=\d|T\d)(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/

const SECONDS_OF_UNITS = [
  ['H', 3600],
  ['M', 60],
] as const

/** Whether a text is an ISO 8601 duration in whole numbers, such as `PT15M` or `P3M`. */
export const isDuration = (text: string): boolean => PARTS.test(text)

/**
 * The time after a duration. Years and months are those of the calendar in UTC, a day has 24 hours.
 *
 * @param duration - as {@link isDuration} accepts it
 * @returns `undefined` beyond the year 9999
 */
export function timeAfter(start: Date, duration: string): Date | undefined {
  const [years, months, weeks, days, hours, minutes, seconds] = (PARTS.exec(duration) ?? [])
    .slice(1)
    .map((part) => Number(part ?? 0))
  const end = new Date(start)
  end.setUTCFullYear(end.getUTCFullYear() + (years ?? 0), end.getUTCMonth() + (months ?? 0))
  // the 31st of a month that has none is its last day
  if (end.getUTCDate() !== start.getUTCDate()) end.setUTCDate(0)
  const wholeDays = (weeks ?? 0) * 7 + (days ?? 0)
  const wholeSeconds = ((wholeDays * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)
  const time = end.getTime() + wholeSeconds * 1000
  return time <= LAST_TIME_MS ? new Date(time) : undefined
}

/** Its length in milliseconds; months and years count as those that begin on 1 January 1970. */
export const durationMs = (duration: string): number =>
  timeAfter(new Date(0), duration)?.getTime() ?? Infinity

/**
 * Why something is not a duration, for callers. A number is refused with the text that it probably means: one in
 * seconds.
 */
export function durationSentence(input: unknown): string {
  const seconds = typeof input === 'string' && /^\d{1,9}$/.test(input) ? Number(input) : input
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 0) {
    return 'must be an ISO 8601 duration such as PT15M or P3M'
  }
  const [unit, size] = SECONDS_OF_UNITS.find(([, size]) => seconds > 0 && seconds % size === 0) ?? ['S', 1]
  return `must be an ISO 8601 duration; ${seconds} seconds are PT${seconds / size}${unit}`
}
