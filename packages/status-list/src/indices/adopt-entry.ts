import { isAgentError, problemsError, type NamedIndex } from '@vidimus/core-types'
import { publishingAct, holdsDid } from '../agent-context.js'
import { isInRange, outsideList } from './index-range.js'
import { tellingNearlyFull, type AllocationSources } from './allocate-index.js'
import { knownEntries, locatedEntry, type KnownEntry } from '../credentials/entries-of-credential.js'

/** The requirements of a ready entry. */
export interface PlannedAdoption {
  /** absent if nothing must be allocated: the entry is of an unknown type, or of a list elsewhere */
  wanted?: NamedIndex
  contexts: readonly string[]
}

/**
 * Finds the requirements of an entry written by a caller: one of a configured type must be readable; its index in a
 * list of the account must no longer be allocated. It may be allocated already: a credential may be reissued with its
 * old entry.
 *
 * @throws AgentError `invalid_input`, `index_out_of_range`, both with a detail at the entry itself; `malformed_list`
 */
export async function planAdoption(
  entry: Record<string, unknown>,
  { typesOf, lists, addresses, series, events, context }: AllocationSources,
  credential?: { expiresAt?: string | undefined },
): Promise<PlannedAdoption> {
  const known = readEntry(entry, typesOf(undefined))
  if (!known) return { contexts: [] }
  const { entryContexts: contexts = [] } = known.type
  const located = await locatedEntry(known, addresses)
  if (!located || !(await holdsDid(located.location.did, publishingAct(located.type), context)))
    return { contexts }
  const { type, location, index, purpose } = located
  const published = await lists.read(type, location, context)
  if (!published) return { contexts }
  const { entries, layout } = published.list
  if (!layout.encrypted && !isInRange(index, entries)) {
    const message = outsideList(index, entries)
    throw problemsError('index_out_of_range', [{ path: '', message }])
  }
  const { expiresAt: expiry = 'never' } = credential ?? {}
  const isMember = (await series?.memberAt(location)) !== undefined
  const wanted = {
    lists: [location],
    entries,
    index,
    again: true,
    ...(purpose !== undefined && { purpose }),
    ...(series && { expiry }),
    ...(!isMember && tellingNearlyFull({ events }, [{ ...location, url: located.listUrl }])),
  }
  return { wanted, contexts }
}

/** Here an unreadable entry is the caller's error, not a problem of a credential. */
function readEntry(
  entry: Record<string, unknown>,
  types: Parameters<typeof knownEntries>[1],
): KnownEntry | undefined {
  try {
    const [known] = knownEntries({ credentialStatus: entry }, types)
    return known
  } catch (error) {
    if (!isAgentError(error)) throw error
    throw problemsError('invalid_input', [{ path: '', message: error.message }])
  }
}
