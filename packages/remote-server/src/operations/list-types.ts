import type { ServiceAgent } from '../service-agent.js'

/** The types of status lists that are configured, by the types of the resources that such lists are. */
export async function listTypesByResourceType(
  agent: Pick<ServiceAgent, 'statusListTypes'>,
): Promise<ReadonlyMap<string, string>> {
  const types = await agent.statusListTypes()
  return new Map(
    types.flatMap(({ type, resourceTypes }) =>
      resourceTypes.map((resourceType) => [resourceType, type] as const),
    ),
  )
}
