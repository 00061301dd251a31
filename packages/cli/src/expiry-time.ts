import { dayInNoCalendar, pointInTime } from '@vidimus/core-types'
import { InvalidArgumentError } from 'commander'

/**
 * Reads a date (its beginning in UTC) or a date and time with its zone, both in the extended format of ISO 8601.
 *
 * @returns the time in UTC
 * @throws InvalidArgumentError for anything else, also for days that are in no calendar
 */
export function expiryTime(text: string): string {
  const time = pointInTime(text)
  if (time !== undefined) return time
  const day = dayInNoCalendar(text)
  if (day !== undefined) {
    throw new InvalidArgumentError(`${day} does not exist; it must be an ISO 8601 date or time.`)
  }
  throw new InvalidArgumentError(
    'It must be an ISO 8601 date such as 2027-01-31, or a time with its zone such as 2027-01-31T12:00:00Z, in the ' +
      'year 9999 at the latest.',
  )
}
