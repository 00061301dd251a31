import { LAST_TIME_MS } from '@vidimus/core-types'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const MONTH = `(?<month>${MONTHS.join('|')})`
const WEEKDAY = '(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?'
const CLOCK = String.raw`(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2}))?`
/** Time zone names have the meaning of RFC 822 5.1; others would be ambiguous. */
const ZONE_NAMES: Readonly<Record<string, string>> = {
  Z: '+0000',
  UT: '+0000',
  UTC: '+0000',
  GMT: '+0000',
  EST: '-0500',
  EDT: '-0400',
  CST: '-0600',
  CDT: '-0500',
  MST: '-0700',
  MDT: '-0600',
  PST: '-0800',
  PDT: '-0700',
}
const ZONE = String.raw`(?<zone>[+-]\d{4}|${Object.keys(ZONE_NAMES).join('|')})`

/** The layouts that cheqd's resolver reads, by the names that they have in Go's package `time`. */
const LAYOUTS = [
  // RFC3339, RFC3339Nano; a `+` may have become a space in the query
  String.raw`(?<year>\d{4})-(?<monthNumber>\d{2})-(?<day>\d{2})[Tt]${CLOCK}(?<fraction>\.\d{1,9})?(?<zone>[Zz]|[+ -]\d{2}:\d{2})`,
  // DateOnly, DateTime
  String.raw`(?<year>\d{4})-(?<monthNumber>\d{2})-(?<day>\d{2})(?: ${CLOCK})?`,
  // RFC1123, RFC1123Z
  String.raw`${WEEKDAY}, (?<day>\d{2}) ${MONTH} (?<year>\d{4}) ${CLOCK} ${ZONE}`,
  // RFC850
  String.raw`${WEEKDAY}, (?<day>\d{2})-${MONTH}-(?<year>\d{2}) ${CLOCK} ${ZONE}`,
  // RFC822, RFC822Z
  String.raw`(?<day>\d{2}) ${MONTH} (?<year>\d{2}) ${CLOCK} ${ZONE}`,
  // ANSIC, UnixDate, RubyDate
  String.raw`${WEEKDAY} ${MONTH} (?<day>[ \d]?\d) ${CLOCK}(?: ${ZONE})? (?<year>\d{4})`,
].map((layout) => new RegExp(`^${layout}$`))

const FIRST_TIME_MS = Date.parse('0000-01-01T00:00:00.000Z')

/** Longer texts are not a time. */
const LONGEST = 64

/**
 * Reads a time in RFC 3339, as a day (its first moment), or as written by RFC 1123, 850 and 822, ANSI C, `date` of
 * Unix and Ruby; in UTC if it names no zone.
 *
 * @returns `undefined` for everything else, including days and hours that do not exist, and if the zone moves the
 *   time out of the years 0 to 9999
 */
export function readTime(text: string): Date | undefined {
  if (text.length > LONGEST) return undefined
  const match = LAYOUTS.map((layout) => layout.exec(text)).find((found) => found !== null)
  return match?.groups ? matchedTime(match.groups) : undefined
}

function matchedTime(groups: Partial<Record<string, string>>): Date | undefined {
  const { year = '', monthNumber, month = '', day = '', hour = '0', minute = '0', second = '0' } = groups
  const monthIndex = monthNumber === undefined ? MONTHS.indexOf(month) : Number(monthNumber) - 1
  const parts = [
    fullYear(year),
    monthIndex,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  ] as const
  // `Date.UTC` treats years below 100 as those of the last century.
  const time = new Date(0)
  time.setUTCFullYear(parts[0], parts[1], parts[2])
  time.setUTCHours(parts[3], parts[4], parts[5], Number(`0${groups.fraction ?? ''}`) * 1000)
  if (!isSame(time, parts)) return undefined
  const offset = parseOffset(groups.zone ?? 'Z')
  if (offset === undefined) return undefined
  const utc = time.getTime() - offset
  return utc >= FIRST_TIME_MS && utc <= LAST_TIME_MS ? new Date(utc) : undefined
}

/** Two digits mean 1969 to 2068, as with POSIX and Go. */
function fullYear(year: string): number {
  if (year.length === 4) return Number(year)
  return Number(year) + (Number(year) >= 69 ? 1900 : 2000)
}

/** A day that a month does not have would become one of the next month. */
const isSame = (time: Date, [year, month, day, hour, minute, second]: readonly number[]): boolean =>
  time.getUTCFullYear() === year &&
  time.getUTCMonth() === month &&
  time.getUTCDate() === day &&
  time.getUTCHours() === hour &&
  time.getUTCMinutes() === minute &&
  time.getUTCSeconds() === second

/** In milliseconds; `undefined` beyond a day's hours. */
function parseOffset(zone: string): number | undefined {
  const numeric = ZONE_NAMES[zone.toUpperCase()] ?? zone.replace(':', '').replace(/^ /, '+')
  const hours = Number(numeric.slice(1, 3))
  const minutes = Number(numeric.slice(3))
  if (hours > 23 || minutes > 59) return undefined
  return (numeric.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
