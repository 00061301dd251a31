import type { ServiceAgent } from '../service-agent.js'

/** The configured types of status lists, by resource type. */
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
