const SHAPE =
  /^(\d{4}-\d{2}-\d{2})(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?$/i

/** How wide a time is as text: only times of the same width compare as text. */
const WIDTH = '9999-12-31T23:59:59.999Z'.length

/** The last millisecond that ISO 8601 writes with a four-digit year: later times would compare as earlier texts. */
export const LAST_TIME_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** The message for an invalid time. */
export const NO_TIME = 'must be an ISO 8601 time such as 2027-01-31T00:00:00Z, in the year 9999 at the latest'

/**
 * Reads a time given by a caller: a date, which means its beginning in UTC, or a date and time with its zone (RFC
 * 3339).
 *
 * @returns in UTC with milliseconds, always 24 characters; `undefined` for anything else, for days that do not exist,
 *   and if the zone moves the time out of the years 0 to 9999
 */
export function pointInTime(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const [, date] = SHAPE.exec(text) ?? []
  if (date === undefined || !isInCalendar(date)) return undefined
  const time = new Date(text).toISOString()
  return time.length === WIDTH ? time : undefined
}

/** The day of a text that looks like a time, if no calendar has that day. */
export function dayInNoCalendar(text: string): string | undefined {
  const [, date] = SHAPE.exec(text) ?? []
  return date === undefined || isInCalendar(date) ? undefined : date
}

function isInCalendar(date: string): boolean {
  // Date.parse makes 3 March of 31 February.
  const day = Date.parse(date)
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(date)
}

export const isPointInTime = (value: unknown): boolean => pointInTime(value) !== undefined
