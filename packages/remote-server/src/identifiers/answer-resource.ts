import type { DidUrlResult, LinkedResource, StatusListDelivery } from '@vidimus/core-types'
import { namesEntityTag } from '../answers/entity-tag.js'
import type { ServedRequest } from '../request/served-request.js'
import type { ServiceAgent } from '../service-agent.js'
import type { Failure } from './answer-failure.js'
import { cacheControlOf, IMMUTABLE, REVALIDATE } from './cache-control.js'
import type { DeliveryMemory } from './delivery-memory.js'
import { publicAnswer, type PublicAnswer } from './public-answer.js'
import { resourceRepresentation } from './representations.js'
import { contentStreamOf, dereferencingBody } from './result-bodies.js'

type FoundResource = DidUrlResult & { found: 'resource' }

/** The sources of resource responses. */
export interface ResourceSource {
  agent: ServiceAgent
  deliveries: DeliveryMemory
}

/** Sends the content of a resource, alone or within a result, or 304 without reading it. */
export async function resourceAnswer(
  req: ServedRequest,
  didUrl: string,
  found: FoundResource,
  { agent, deliveries }: ResourceSource,
): Promise<PublicAnswer | Failure> {
  const { metadata } = found
  let resource: LinkedResource | null = null
  let delivery = deliveries.recall(metadata)
  if (!delivery) {
    resource = await readResource(agent, found)
    delivery = resource ? await deliveries.look(resource) : {}
  }
  const { mediaType = metadata.mediaType } = delivery
  const representation = resourceRepresentation(req, [mediaType, metadata.mediaType])
  if (!representation) {
    const message = `its media type is ${[...new Set([mediaType, metadata.mediaType])].join(' or ')}`
    return { error: 'representationNotSupported', message }
  }
  const isContent = representation.kind === 'content'
  const shown = isContent && contentHeaders(found, delivery, representation.mediaType)
  if (shown && namesEntityTag(req.headers['if-none-match'], shown.headers.etag))
    return { status: 200, ...shown }
  resource ??= await readResource(agent, found)
  if (!resource) return { error: 'notFound', message: 'the content of the resource is not stored' }
  if (shown) return { status: 200, ...shown, body: Buffer.from(resource.data, 'base64url') }
  const origin = { didUrl, contentType: metadata.mediaType, now: new Date() }
  const body = dereferencingBody(contentStreamOf(resource), resource.metadata, origin)
  const contentType = isContent ? metadata.mediaType : representation.contentType
  const headers = { 'content-type': contentType, 'cache-control': REVALIDATE }
  return { ...publicAnswer(200, headers, JSON.stringify(body)), timed: true }
}

const readResource = (agent: ServiceAgent, { metadata }: FoundResource): Promise<LinkedResource | null> => {
  const { resourceURI, resourceId } = metadata
  return agent.linkedResourceGet({ did: resourceURI.slice(0, resourceURI.indexOf('/')), resourceId })
}

/** The checksum covers the content only; the tag must also cover the media type (RFC 9110 8.8.3). */
function contentHeaders(
  { metadata, pinned }: FoundResource,
  delivery: StatusListDelivery,
  mediaType: string,
) {
  const isUsual = mediaType === metadata.mediaType
  return {
    headers: {
      'content-type': mediaType,
      etag: isUsual
        ? `"${metadata.checksum}"`
        : `"${metadata.checksum}-${mediaType.replace(/^[^/]*\//, '')}"`,
      'last-modified': new Date(metadata.created).toUTCString(),
    },
    cacheControl: (now: Date) => (pinned ? IMMUTABLE : cacheControlOf(delivery, now)),
  }
}
