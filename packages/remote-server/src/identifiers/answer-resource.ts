import type { DidUrlResult, LinkedResource, StatusListDelivery } from '@vidimus/core-types'
import type { Request, Response } from 'express'
import type { ServiceAgent } from '../service-agent.js'
import { answerBody, answerNotModified } from './answer-body.js'
import { answerFailure } from './answer-failure.js'
import { cacheControlOf, IMMUTABLE, REVALIDATE } from './cache-control.js'
import type { DeliveryMemory } from './delivery-memory.js'
import { resourceRepresentation } from './representations.js'
import { contentStreamOf, dereferencingBody } from './result-bodies.js'

type FoundResource = DidUrlResult & { found: 'resource' }

/** What resources are answered from. */
export interface ResourceSource {
  agent: ServiceAgent
  deliveries: DeliveryMemory
}

/** Answers the content of a resource, or a result around it, or that the client has it already. */
export async function answerResource(
  req: Request,
  res: Response,
  didUrl: string,
  found: FoundResource,
  { agent, deliveries }: ResourceSource,
): Promise<void> {
  const { metadata } = found
  let resource: LinkedResource | null = null
  let delivery = deliveries.recall(metadata)
  if (!delivery) {
    resource = await contentOf(agent, found)
    delivery = resource ? await deliveries.look(resource) : {}
  }
  const { mediaType = metadata.mediaType } = delivery
  const representation = resourceRepresentation(req, [mediaType, metadata.mediaType])
  if (!representation) {
    const message = `its media type is ${[...new Set([mediaType, metadata.mediaType])].join(' or ')}`
    answerFailure(req, res, didUrl, { error: 'representationNotSupported', message })
    return
  }
  const isContent = representation.kind === 'content'
  const headers = isContent && contentHeaders(found, delivery, representation.mediaType)
  if (headers && answerNotModified(req, res, headers)) return
  resource ??= await contentOf(agent, found)
  if (!resource) {
    answerFailure(req, res, didUrl, { error: 'notFound', message: 'the content of the resource is not kept' })
  } else if (headers) {
    answerBody(res, 200, headers, Buffer.from(resource.data, 'base64url'))
  } else if (!isContent) {
    const origin = { didUrl, contentType: metadata.mediaType, now: new Date() }
    const body = dereferencingBody(contentStreamOf(resource), resource.metadata, origin)
    const { contentType } = representation
    const shown = { 'content-type': contentType, 'cache-control': REVALIDATE }
    answerBody(res, 200, shown, JSON.stringify(body))
  }
}

const contentOf = (agent: ServiceAgent, { metadata }: FoundResource): Promise<LinkedResource | null> => {
  const { resourceURI, resourceId } = metadata
  return agent.linkedResourceGet({ did: resourceURI.slice(0, resourceURI.indexOf('/')), resourceId })
}

/** The checksum is that of the content; what it is called is part of what the tag stands for (RFC 9110 8.8.3). */
function contentHeaders(
  { metadata, pinned }: FoundResource,
  delivery: StatusListDelivery,
  mediaType: string,
) {
  const isUsual = mediaType === metadata.mediaType
  return {
    'content-type': mediaType,
    etag: isUsual ? `"${metadata.checksum}"` : `"${metadata.checksum}-${mediaType.replace(/^[^/]*\//, '')}"`,
    'last-modified': new Date(metadata.created).toUTCString(),
    'cache-control': pinned ? IMMUTABLE : cacheControlOf(delivery, new Date()),
  }
}
