import { checkArguments, type IStatusListDelivery, type StatusListType } from '@vidimus/core-types'
import type { ArgumentSchemas } from '../arguments.js'
import { deliveryOf, formsOf } from '../versions/list-delivery.js'
import type { ListAddresses } from './list-addresses.js'

/** The methods for whoever serves published lists to verifiers. */
export const deliveryMethods = (
  types: readonly StatusListType[],
  addresses: ListAddresses,
  schemas: ArgumentSchemas,
): IStatusListDelivery => ({
  async statusListDelivery(args) {
    checkArguments(schemas.statusListDelivery, args)
    return Promise.resolve(deliveryOf(types, args))
  },

  async statusListForms(args) {
    checkArguments(schemas.statusListForms, args)
    return Promise.resolve({ forms: formsOf(types, args) })
  },

  async statusListLocate(args) {
    checkArguments(schemas.statusListLocate, args)
    return addresses.located(args.statusListId)
  },

  async statusListAggregation(args) {
    checkArguments(schemas.statusListAggregation, args)
    const { did } = args
    const resourceTypes = types.flatMap((type) => (type.entryMember === 'status' ? type.resourceTypes() : []))
    const urls = await Promise.all(resourceTypes.map((resourceType) => addresses.urls({ resourceType, did })))
    return { urls: urls.flat() }
  },
})
