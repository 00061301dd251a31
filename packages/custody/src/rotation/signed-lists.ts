import type { IAgentContext } from '@veramo/core-types'
import {
  isAgentError,
  log,
  type ILinkedResource,
  type IStatusList,
  type LinkedResourceMetadata,
  type NewestResource,
  type StatusListTypeFacts,
} from '@vidimus/core-types'

type ListContext = IAgentContext<ILinkedResource & IStatusList>

/** Lists in one step: so many are signed at the same time, and written down together. */
const TOGETHER = 20

/** A list that could not be read before cannot be signed again, and must not block the others. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'list_not_found',
  'malformed_list',
  'invalid_credential',
  'algorithm_not_supported',
  'list_encrypted',
])

/**
 * Signs the next few lists of a DID with the current signing key, if another key signed them.
 *
 * @param after - the position after those that were signed
 * @returns the position after these; `undefined` if there are no further ones
 */
export async function signNextLists(
  did: string,
  after: string | null,
  context: ListContext,
): Promise<{ signed: number; next: string | undefined }> {
  const methods = context.agent.availableMethods()
  if (!methods.includes('statusListSign') || !methods.includes('linkedResourceListNewest'))
    return { signed: 0, next: undefined }
  const types = await context.agent.statusListTypes()
  const { resources, next } = await context.agent.linkedResourceListNewest({
    did,
    resourceTypes: types.flatMap(({ resourceTypes }) => resourceTypes),
    limit: TOGETHER,
    ...(after !== null && { after }),
  })
  const outcomes = await Promise.allSettled(
    resources.map(({ metadata }: NewestResource) => signList(did, metadata, types, context)),
  )
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
  return { signed: resources.length, next }
}

async function signList(
  did: string,
  { resourceName: statusListName, resourceType }: LinkedResourceMetadata,
  types: readonly StatusListTypeFacts[],
  context: ListContext,
): Promise<void> {
  for (const { type: listType } of types.filter((one) => one.resourceTypes.includes(resourceType))) {
    try {
      await context.agent.statusListSign({ did, statusListName, listType, resourceType, onlyOtherKeys: true })
      return
    } catch (error) {
      if (!isAgentError(error) || !UNREADABLE.has(error.code)) throw error
      log('warn', 'a status list could not be signed with the new key', { listType, code: error.code })
    }
  }
}
