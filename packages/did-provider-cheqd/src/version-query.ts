import { isUuid, type DidDocMetadata } from '@vidimus/ledger'
import { z } from 'zod'

/** Which version of a DID document is asked for (DID Core 3.2.1: the parameters `versionId` and `versionTime`). */
export interface VersionQuery {
  versionId?: string
  versionTime?: Date
}

const DATE_TIME = z.iso.datetime({ offset: true })
const DATE = z.iso.date()

/**
 * Reads the version from the query of a DID URL or, where that says nothing, from the resolution options.
 *
 * @returns `undefined` where a parameter is repeated or malformed
 */
export function readVersionQuery(
  query: string | undefined,
  options: Readonly<Record<string, unknown>>,
): VersionQuery | undefined {
  const parameters = new URLSearchParams(query)
  const [versionId, isIdRead] = oneOf(parameters.getAll('versionId'), options.versionId)
  const [timeText, isTimeRead] = oneOf(parameters.getAll('versionTime'), options.versionTime)
  const versionTime = timeText === undefined ? undefined : readTime(timeText)
  if (!isIdRead || !isTimeRead) return undefined
  if (versionId !== undefined && !isUuid(versionId)) return undefined
  if (timeText !== undefined && !versionTime) return undefined
  return {
    ...(versionId === undefined ? {} : { versionId: versionId.toLowerCase() }),
    ...(versionTime ? { versionTime } : {}),
  }
}

/** The value, and whether it could be read: at most one, and a string. */
function oneOf(inQuery: readonly string[], option: unknown): [value: string | undefined, isRead: boolean] {
  const values = inQuery.length > 0 ? inQuery : option === undefined ? [] : [option]
  const [value] = values
  if (value !== undefined && typeof value !== 'string') return [undefined, false]
  return [value, values.length <= 1]
}

/** RFC 3339, or a day, which means its first moment in UTC; a `+` may have become a space in the query. */
function readTime(text: string): Date | undefined {
  const time = text.replace(/ (?=\d{2}:\d{2}$)/, '+')
  return DATE_TIME.safeParse(time).success || DATE.safeParse(time).success ? new Date(time) : undefined
}

/**
 * The newest version that was there at a time. Metadata shows times in whole seconds (DID Core 7.3), so that a version
 * counts from the beginning of its second on.
 *
 * @param versions - oldest first
 */
export const versionAt = (versions: readonly DidDocMetadata[], time: Date): DidDocMetadata | undefined =>
  versions.findLast(({ created, updated }) => wholeSecond(updated ?? created) <= time.getTime())

const wholeSecond = (time: Date): number => Math.floor(time.getTime() / 1000) * 1000
