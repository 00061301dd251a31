import {
  checkArguments,
  type IStatusListRestores,
  type StatusListIdentifyArgs,
  type StatusListRestoreArgs,
  type StatusListStore,
  type StatusListType,
} from '@vidimus/core-types'
import type { StatusListMethods } from '@vidimus/core-types/schemas'
import type { ListAddresses } from '../addresses/list-addresses.js'
import type { WritingContext } from '../agent-context.js'
import type { UpdateBatches } from '../updates/update-batches.js'
import type { PublishedLists } from '../versions/published-lists.js'
import { readCopy } from './published-copy.js'
import { restoreList } from './restore-list.js'

interface MethodParts {
  types: readonly StatusListType[]
  lists: PublishedLists
  addresses: ListAddresses
  batches: UpdateBatches
  store: StatusListStore | undefined
  described: StatusListMethods
}

/** For the command `vidimus restored`: they act for all accounts. */
export const restoreMethods = ({ store, described, ...parts }: MethodParts) =>
  store && {
    statusListRestoreIdentify: async (
      given: StatusListIdentifyArgs,
      context: WritingContext,
    ): ReturnType<IStatusListRestores['statusListRestoreIdentify']> => {
      const { data } = checkArguments(described.statusListRestoreIdentify.arguments, given)
      const { location } = await readCopy(Buffer.from(data, 'base64url'), undefined, { ...parts, context })
      const { did, statusListName, resourceType } = location
      return { did, statusListName, resourceType }
    },
    statusListRestore: async (
      given: StatusListRestoreArgs,
      context: WritingContext,
    ): ReturnType<IStatusListRestores['statusListRestore']> => {
      const args = checkArguments(described.statusListRestore.arguments, given)
      return restoreList(args, { ...parts, store }, context)
    },
  }
