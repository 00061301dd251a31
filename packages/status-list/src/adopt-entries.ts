import {
  isAgentError,
  problemsError,
  type Problem,
  type StatusListIndices,
  type StatusListType,
} from '@vidimus/core-types'
import { holdsDid, type WritingContext } from './agent-context.js'
import { knownEntries, locatedEntry, type LocatedEntry } from './entries-of-credential.js'
import type { PublishedLists } from './published-lists.js'

/**
 * Takes note of entries that a caller wrote: those of configured types have to be readable; an index in a list of the
 * account is not given out any more.
 *
 * @param indices - left out: nothing is given out here anyway
 * @returns the contexts that the entries need
 * @throws AgentError `invalid_input`, `index_out_of_range`, with a detail at `entries[n]` for each
 */
export async function adoptEntries(
  entries: readonly Record<string, unknown>[],
  types: readonly StatusListType[],
  indices: StatusListIndices | undefined,
  lists: PublishedLists,
  context: WritingContext,
): Promise<{ contexts: string[] }> {
  const problems: Problem[] = []
  const known = entries.flatMap((entry, n) => {
    try {
      return knownEntries({ credentialStatus: [entry] }, types).map((one) => ({ ...one, n }))
    } catch (error) {
      if (!isAgentError(error)) throw error
      problems.push({ path: `entries[${n}]`, message: error.message })
      return []
    }
  })
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  for (const entry of known) {
    const located = locatedEntry(entry)
    if (located) await adopt(located, `entries[${entry.n}]`, indices, lists, context)
  }
  return { contexts: [...new Set(known.flatMap(({ type }) => type.entryContexts ?? []))] }
}

/** Whether the index is taken already makes no difference: a credential may be issued anew with its old entry. */
async function adopt(
  { type, location, index }: LocatedEntry,
  path: string,
  indices: StatusListIndices | undefined,
  lists: PublishedLists,
  context: WritingContext,
): Promise<void> {
  if (!(await holdsDid(location.did, context))) return
  const published = await lists.read(type, location, context)
  if (!published) return
  const { entries, layout } = published.list
  if (!layout.encrypted && index >= entries) {
    const message = `${index} is outside the list (0 to ${entries - 1})`
    throw problemsError('index_out_of_range', [{ path, message }])
  }
  await indices?.reserve(location, index)
}
