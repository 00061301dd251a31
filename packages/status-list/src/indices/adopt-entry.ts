import { isAgentError, problemsError, type NamedIndex } from '@vidimus/core-types'
import { actOf, holdsDid } from '../agent-context.js'
import { isInRange, outsideList } from './index-range.js'
import type { AllocationSources } from './allocate-index.js'
import { knownEntries, locatedEntry, type KnownEntry } from '../credentials/entries-of-credential.js'

/** What a ready entry needs. */
export interface PlannedAdoption {
  /** left out where nothing is to be taken: the entry is of an unknown type, or of a list elsewhere */
  wanted?: NamedIndex
  contexts: readonly string[]
}

/**
 * Finds out what an entry that a caller wrote needs: one of a configured type must be readable; its index in a list of
 * the account is not to be given out any more. Whether it is taken already makes no difference: a credential may be
 * issued anew with its old entry.
 *
 * @throws AgentError `invalid_input`, `index_out_of_range`, both with a detail at the entry itself; `malformed_list`
 */
export async function planAdoption(
  entry: Record<string, unknown>,
  { typesOf, lists, addresses, context }: AllocationSources,
): Promise<PlannedAdoption> {
  const known = readEntry(entry, typesOf(undefined))
  if (!known) return { contexts: [] }
  const { entryContexts: contexts = [] } = known.type
  const located = await locatedEntry(known, addresses)
  if (!located || !(await holdsDid(located.location.did, actOf(located.type), context))) return { contexts }
  const { type, location, index } = located
  const published = await lists.read(type, location, context)
  if (!published) return { contexts }
  const { entries, layout } = published.list
  if (!layout.encrypted && !isInRange(index, entries)) {
    const message = outsideList(index, entries)
    throw problemsError('index_out_of_range', [{ path: '', message }])
  }
  return { wanted: { lists: [location], index, again: true }, contexts }
}

/** What cannot be read is a mistake of the caller's here, not something wrong with a credential. */
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
