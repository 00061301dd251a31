import { isUuid, readTime } from '@vidimus/ledger'

/** Which version of a DID document is asked for (DID Core 3.2.1: the parameters `versionId` and `versionTime`). */
export interface VersionQuery {
  versionId?: string
  versionTime?: Date
}

/**
 * Reads the version from the query of a DID URL or, if that has none, from the resolution options.
 *
 * @returns `undefined` if a parameter is repeated or malformed
 */
export function readVersionQuery(
  query: string | undefined,
  options: Readonly<Record<string, unknown>>,
): VersionQuery | undefined {
  const parameters = new URLSearchParams(query)
  const [versionId, isIdRead] = singleValue(parameters.getAll('versionId'), options.versionId)
  const [timeText, isTimeRead] = singleValue(parameters.getAll('versionTime'), options.versionTime)
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
function singleValue(
  inQuery: readonly string[],
  option: unknown,
): [value: string | undefined, isRead: boolean] {
  const values = inQuery.length > 0 ? inQuery : option === undefined ? [] : [option]
  const [value] = values
  if (value !== undefined && typeof value !== 'string') return [undefined, false]
  return [value, values.length <= 1]
}
