import { isAgentError, type StatusListDelivery, type StatusListType } from '@vidimus/core-types'

/**
 * How to serve a published resource to verifiers, by the first type that can read it.
 *
 * @returns `null` if it is not a list of one of the types
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

/**
 * The forms of a published resource, the published one first, by the first type that can read it.
 *
 * @returns empty if it is not a list of one of the types
 */
export function formsOf(
  types: readonly StatusListType[],
  { resourceType, data }: { resourceType: string; data: string },
): { mediaType: string; data: string }[] {
  const content = Buffer.from(data, 'base64url')
  for (const type of types) {
    const doc = type.resourceTypes().includes(resourceType) ? parsedAs(type, content) : undefined
    if (doc === undefined) continue
    const forms = type.forms?.(doc) ?? []
    return [
      { mediaType: signedMediaType(type, doc) ?? PLAIN, data },
      ...forms.map((form) => ({
        mediaType: form.mediaType,
        data: Buffer.from(form.content).toString('base64url'),
      })),
    ]
  }
  return []
}

/** For lists without a media type of their own. */
const PLAIN = 'application/json'

function parsedAs(type: StatusListType, content: Uint8Array): unknown {
  try {
    return type.parse(content)
  } catch (error) {
    if (isAgentError(error) && error.code === 'malformed_list') return undefined
    throw error
  }
}

/** A type that secures its lists may know older ones that are not secured, and not of that media type. */
const signedMediaType = (type: StatusListType, doc: unknown): string | undefined =>
  !type.securingOf || type.securingOf(doc) !== undefined ? type.mediaType : undefined

function readAs(type: StatusListType, content: Uint8Array): StatusListDelivery | undefined {
  const doc = parsedAs(type, content)
  if (doc === undefined) return undefined
  const { ttlMs, validUntil } = type.describe(doc)
  const mediaType = signedMediaType(type, doc)
  return {
    ...(mediaType !== undefined && { mediaType }),
    ...(ttlMs !== undefined && { ttlMs }),
    ...(validUntil !== undefined && { validUntil }),
  }
}
