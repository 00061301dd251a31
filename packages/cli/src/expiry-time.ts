import { InvalidArgumentError } from 'commander'

const ISO_8601 =
  /^(\d{4}-\d{2}-\d{2})(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?$/

/**
 * Reads a date (its beginning in UTC) or a date and time with its zone, both in the extended format of ISO 8601.
 *
 * @returns the time in UTC
 * @throws InvalidArgumentError for anything else, also for days that are in no calendar
 */
export function expiryTime(text: string): string {
  const [, date] = ISO_8601.exec(text) ?? []
  if (date === undefined) {
    throw new InvalidArgumentError(
      'It has to be an ISO 8601 date such as 2027-01-31, or a time with its zone such as 2027-01-31T12:00:00Z.',
    )
  }
  // Date.parse makes 3 March of 31 February.
  const day = Date.parse(date)
  if (Number.isNaN(day) || !new Date(day).toISOString().startsWith(date)) {
    throw new InvalidArgumentError(`There is no day ${date}; it has to be an ISO 8601 date or time.`)
  }
  return new Date(text).toISOString()
}
