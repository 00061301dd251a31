import type { IAgentContext, IPluginMethodMap } from '@veramo/core-types'
import {
  AgentError,
  type IStatusList,
  type IStatusListDelivery,
  type LinkedResourceCreateArgs,
} from '@vidimus/core-types'
import { askLedger, type LocatedDid } from './ledgers-by-network.js'

type ListMethods = Pick<IStatusList, 'statusListTypes'> & Pick<IStatusListDelivery, 'statusListDelivery'>

/**
 * The version that a new version of a resource must follow. Only the engine writes a status list: otherwise an older
 * version could become the newest one, and undo revocations. So if a resource could be such a list, the new version
 * must follow the one that was checked.
 *
 * @returns `undefined`: whatever is newest
 * @throws AgentError `list_exists` for a current status list
 */
export async function findPredecessor(
  args: LinkedResourceCreateArgs,
  { id, ledger }: LocatedDid,
  context: IAgentContext<IPluginMethodMap>,
): Promise<string | null | undefined> {
  const { resourceName, resourceType, expectedPrevious } = args
  if (!(await isListType(resourceType, context))) return expectedPrevious
  const newest = await askLedger(ledger.getLatestResource(id, resourceName, resourceType))
  if (!newest) return null
  const data = Buffer.from(newest.data).toString('base64url')
  if ((await listMethods(context).statusListDelivery({ resourceType, data })) === null)
    return expectedPrevious ?? newest.metadata.id
  const message = 'is a status list of this DID: update the list to publish a version'
  throw new AgentError('list_exists', `resourceName: ${message}`, {
    details: [{ path: 'resourceName', message }],
  })
}

/** An agent without status lists keeps none. */
async function isListType(resourceType: string, context: IAgentContext<IPluginMethodMap>): Promise<boolean> {
  const methods = context.agent.availableMethods()
  if (!methods.includes('statusListTypes') || !methods.includes('statusListDelivery')) return false
  const types = await listMethods(context).statusListTypes()
  return types.some(({ resourceTypes }) => resourceTypes.includes(resourceType))
}

const listMethods = ({ agent }: IAgentContext<IPluginMethodMap>) => agent as unknown as ListMethods
