import { checkArguments, type IStatusListDelivery, type StatusListType } from '@vidimus/core-types'
import type { StatusListMethods } from '@vidimus/core-types/schemas'
import { deliveryOf, formsOf } from '../versions/list-delivery.js'
import type { ListAddresses } from './list-addresses.js'

/** The methods for serving published lists to verifiers. */
export const deliveryMethods = (
  types: readonly StatusListType[],
  addresses: ListAddresses,
  described: StatusListMethods,
): IStatusListDelivery => ({
  async statusListDelivery(args) {
    checkArguments(described.statusListDelivery.arguments, args)
    return Promise.resolve(deliveryOf(types, args))
  },

  async statusListForms(args) {
    checkArguments(described.statusListForms.arguments, args)
    return Promise.resolve({ forms: formsOf(types, args) })
  },

  async statusListLocate(args) {
    checkArguments(described.statusListLocate.arguments, args)
    return addresses.located(args.statusListId)
  },

  async statusListAggregation(args) {
    checkArguments(described.statusListAggregation.arguments, args)
    const { did } = args
    const resourceTypes = types.flatMap((type) => (type.entryMember === 'status' ? type.resourceTypes() : []))
    const urls = await Promise.all(resourceTypes.map((resourceType) => addresses.urls({ resourceType, did })))
    return { urls: urls.flat() }
  },
})
