import { isAgentError, type StatusListDelivery, type StatusListType } from '@vidimus/core-types'

/**
 * How a published resource is to be handed out to verifiers, by the first type that can read it.
 *
 * @returns `null` where it is no list of one of the types
 */
export function deliveryOf(
  types: readonly StatusListType[],
  { resourceType, data }: { resourceType: string; data: string },
): StatusListDelivery | null {
  const content = Buffer.from(data, 'base64url')
  for (const type of types) {
    const delivery = type.resourceTypes().includes(resourceType) ? readAs(type, content) : undefined
    if (delivery) return delivery
  }
  return null
}

function readAs(type: StatusListType, content: Uint8Array): StatusListDelivery | undefined {
  try {
    const doc = type.parse(content)
    const { ttlMs, validUntil } = type.describe(doc)
    // A type that secures its lists may know older ones that are not secured, and not of that media type.
    const hasMediaType = !type.securingOf || type.securingOf(doc) !== undefined
    return {
      ...(hasMediaType && type.mediaType !== undefined && { mediaType: type.mediaType }),
      ...(ttlMs !== undefined && { ttlMs }),
      ...(validUntil !== undefined && { validUntil }),
    }
  } catch (error) {
    if (isAgentError(error) && error.code === 'malformed_list') return undefined
    throw error
  }
}
