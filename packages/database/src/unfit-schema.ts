import { roomOf } from './baseline.js'

/** The last commit that reads what was written before each package had one baseline. */
const LAST_BEFORE = '8befbbfa'

const OF_VERAMO = 'CreateDatabase1447159020001'

/**
 * Why a version does not read the tables that another one has made: until the first release nothing brings old ones up to date.
 *
 * @param applied - names of the migrations that made a database or an archive
 * @param unknown - those of them that this version does not have
 * @param own - those of this version
 * @returns the end of a sentence; `undefined` if nothing is wrong but that there are unknown ones
 */
export function whyUnfit(
  applied: readonly string[],
  unknown: readonly string[],
  own: readonly string[],
): string | undefined {
  if (unknown.length === 0) return undefined
  const rooms = new Set(own.map(roomOf))
  const other = unknown.filter((name) => rooms.has(roomOf(name)) && roomOf(name) !== undefined)
  if (other.length > 0)
    return `was made with other tables than those of this version (${other.join(', ')}): export it with the commit that made it`
  if (applied.some((name) => roomOf(name) !== undefined)) return undefined
  if (applied.includes(OF_VERAMO) && applied.every((name) => !name.startsWith('CreateAccounts')))
    return "is one of Veramo's own stores: start with another, and bring it in with `vidimus migrate --from-veramo`"
  return `was written before the first release with tables that this version does not read: export it with commit ${LAST_BEFORE}`
}
