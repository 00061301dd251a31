import {
  checkArguments,
  demandHolding,
  type StatusListAllocateOneArgs,
  type StatusListAllocateTogetherArgs,
  type StatusListStore,
  type StatusListType,
} from '@vidimus/core-types'
import type { StatusListMethods } from '@vidimus/core-types/schemas'
import type { WritingContext } from '../agent-context.js'
import { typeNamed } from '../types/type-named.js'
import { allocateIndex, type AllocationSources } from './allocate-index.js'
import { allocateTogether } from './allocate-together.js'

interface MethodParts extends Pick<AllocationSources, 'lists' | 'addresses' | 'series' | 'events'> {
  types: readonly StatusListType[]
  store: StatusListStore | undefined
  described: StatusListMethods
  clock: () => Date
}

/** Indices for credentials; the first method only if there is a store for allocated indices. */
export function allocationMethods({ types, store, described, clock, ...found }: MethodParts) {
  const sourcesIn = (context: WritingContext): AllocationSources => ({
    typesOf: (listType?: string) => (listType === undefined ? types : [typeNamed(types, listType)]),
    ...found,
    context,
    now: clock(),
  })
  return {
    ...(store && {
      /** {@inheritDoc @vidimus/core-types#IStatusListCredentials.statusListAllocate} */
      statusListAllocate: async (given: StatusListAllocateOneArgs, context: WritingContext) => {
        const args = checkArguments(described.statusListAllocate.arguments, given)
        return allocateIndex(args, store.indices, sourcesIn(context))
      },
    }),
    /** {@inheritDoc @vidimus/core-types#IStatusListCredentials.statusListAllocateTogether} */
    statusListAllocateTogether: async (given: StatusListAllocateTogetherArgs, context: WritingContext) => {
      const { holding, ...asked } = given ?? {}
      const args = checkArguments(described.statusListAllocateTogether.arguments, asked)
      const held = holding ? { ...context, holding: demandHolding(holding) } : context
      return allocateTogether(args, store?.indices, sourcesIn(held))
    },
  }
}
