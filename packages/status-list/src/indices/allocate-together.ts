import {
  AgentError,
  problemsError,
  type StatusListAllocateArgs,
  type StatusListAllocateTogetherArgs,
  type StatusListAllocation,
  type StatusListAllocationsTogether,
  type StatusListIndices,
} from '@vidimus/core-types'
import { planAdoption } from './adopt-entry.js'
import {
  planAllocation,
  newRegistration,
  refusalNow,
  type AllocationSources,
  type PlannedAllocation,
} from './allocate-index.js'
import { Refusals } from '../updates/refusals.js'

/**
 * Allocates everything that one credential asks for, or nothing: all problems are found first, and the indices are
 * allocated in one step.
 *
 * @param indices - absent: nothing is allocated here, and ready entries must only be readable
 * @throws AgentError as `statusListAllocateTogether`
 */
export async function allocateTogether(
  { requests, entries, entryMember, register }: StatusListAllocateTogetherArgs,
  indices: StatusListIndices | undefined,
  everySource: AllocationSources,
): Promise<StatusListAllocationsTogether> {
  const sources = entryMember ? sourcesFor(entryMember, everySource) : everySource
  const refusals = new Refusals()
  const adoptions = await refusals.gather('entries', entries, (entry) =>
    planAdoption(entry, sources, register),
  )
  const adopted = adoptions.flatMap(({ wanted }) => wanted ?? [])
  const contexts = [...new Set(adoptions.flatMap((adoption) => adoption.contexts))]
  for (;;) {
    const plan = planner(indices, sources, register)
    const allocations = await refusals.gather('requests', requests, plan)
    refusals.throwIfAny()
    const wanted = [...adopted, ...allocations.map((allocation) => allocation.wanted)]
    const taken = (await indices?.take(wanted, newRegistration(register, sources))) ?? []
    const full: (() => Promise<void>)[] = []
    const given = await refusals.gather('requests', allocations, async (planned, n) => {
      const index = taken[adopted.length + n]
      if (index !== undefined) return planned.allocationAt(index)
      if (!planned.advance) throw indices ? await refusalNow(planned, indices) : planned.refusal
      full.push(planned.advance)
      return undefined
    })
    refusals.throwIfAny()
    const allocated = given.filter((allocation) => allocation !== undefined)
    if (full.length === 0) return { allocations: allocated, contexts }
    // One after the other: requests may name the same series.
    for (const advance of full) await advance()
  }
}

/** Only the types whose entries are for one member of a credential. */
function sourcesFor(
  member: StatusListAllocation['entryMember'],
  sources: AllocationSources,
): AllocationSources {
  const typesOf = (listType?: string) => {
    const types = sources
      .typesOf(listType)
      .filter(({ entryMember = 'credentialStatus' }) => entryMember === member)
    if (types.length > 0) return types
    const message = `must be a type whose entries go into the member "${member}" of this credential format`
    throw problemsError('invalid_input', [{ path: 'listType', message }])
  }
  return { ...sources, typesOf }
}

/** Plans the requests one after the other. */
function planner(
  indices: StatusListIndices | undefined,
  sources: AllocationSources,
  credential: StatusListAllocateTogetherArgs['register'],
) {
  const members = new Set<StatusListAllocation['entryMember']>()
  return async (request: StatusListAllocateArgs): Promise<PlannedAllocation> => {
    if (!indices)
      throw new AgentError('invalid_input', 'this agent does not allocate indices; send a ready entry')
    const planned = await planAllocation(request, sources, credential)
    if (planned.entryMember === 'status' && members.has('status')) {
      const message = 'is a second one for the member "status", which can hold only one'
      throw problemsError('invalid_input', [{ path: '', message }])
    }
    members.add(planned.entryMember)
    return planned
  }
}
