import { AgentError, isAgentError, runWhileWanted } from '@vidimus/core-types'
import type { Request, Response } from 'express'
import type { ServerSettings } from '../options.js'
import type { PublicRequests } from '../admission/public-requests.js'
import type { Readiness } from '../health/readiness.js'
import { contextOf } from '../request/request-context.js'
import type { ServiceAgent, ServiceMethod } from '../service-agent.js'
import { answerBody } from './answer-body.js'
import { answerDocument, answerParts } from './answer-document.js'
import { answerFailure, answerThrown } from './answer-failure.js'
import { answerResource } from './answer-resource.js'
import { REVALIDATE } from './cache-control.js'
import { DeliveryMemory } from './delivery-memory.js'
import { answerPreflight, setPublicHeaders } from './public-headers.js'
import { documentRepresentation, resultRepresentation } from './representations.js'
import { requestedDidUrl } from './requested-did-url.js'

/** Where resolvers are, by the convention of the Universal Resolver. */
export const IDENTIFIERS_PATH = '/1.0/identifiers'

const NEEDS: readonly ServiceMethod[] = ['didUrlDereference', 'linkedResourceGet']

/** The methods that the agent lacks for this route; with one missing it is not served. */
export function missingForIdentifiers(agent: ServiceAgent): ServiceMethod[] {
  const methods = new Set(agent.availableMethods())
  return NEEDS.filter((method) => !methods.has(method))
}

export interface IdentifiersParts {
  settings: ServerSettings
  strangers: PublicRequests
  readiness: Readiness
}

/**
 * Resolves DIDs and dereferences DID URLs for everybody, without an API key. Its errors are results of their own, as
 * clients of resolvers expect them.
 *
 * @see DID Resolution, HTTPS binding; cheqd ADR 005
 */
export function identifiersRoute({
  settings,
  readiness,
  strangers,
}: IdentifiersParts): (req: Request, res: Response) => Promise<void> {
  const answer = answerer(settings)
  return async (req, res) => {
    contextOf(res).route = `${IDENTIFIERS_PATH}/{didUrl}`
    setPublicHeaders(res)
    if (req.method === 'OPTIONS') {
      answerPreflight(res)
      return
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.setHeader('allow', 'GET, HEAD')
      throw new AgentError('method_not_allowed', `${IDENTIFIERS_PATH} takes GET, HEAD, not ${req.method}`)
    }
    const requested = requestedDidUrl(req.url.replace(/^\//, ''))
    const { didUrl } = requested
    try {
      if (readiness.isStarting) throw new AgentError('unavailable', 'the service is starting')
      if ('problem' in requested) {
        answerFailure(req, res, didUrl, { error: requested.error, message: requested.problem })
      } else if (!settings.publicDidMethods.includes(requested.method)) {
        const message = `did:${requested.method} is not resolved for everybody here`
        answerFailure(req, res, didUrl, { error: 'methodNotSupported', message })
      } else await strangers.run(res, () => whileWanted(res, () => answer(req, res, didUrl)))
    } catch (error) {
      // the transport's, in its own form
      if (isAgentError(error) && error.code === 'too_many_requests') throw error
      answerThrown(req, res, didUrl, error)
    }
  }
}

function whileWanted(res: Response, work: () => Promise<void>): Promise<void> {
  const { gone } = contextOf(res).life
  gone.throwIfAborted()
  return runWhileWanted(gone, work)
}

function answerer({ agent, publicUrl }: ServerSettings) {
  const source = { agent, deliveries: new DeliveryMemory(agent) }
  return async (req: Request, res: Response, didUrl: string): Promise<void> => {
    const representation = documentRepresentation(req)
    const linkedResourceMetadata = representation?.kind === 'result'
    const result = await agent.didUrlDereference({ didUrl, linkedResourceMetadata })
    switch (result.found) {
      case 'nothing':
        return answerFailure(req, res, didUrl, result)
      case 'resource':
        return answerResource(req, res, didUrl, result, source)
      case 'serviceEndpoint':
        return answerEndpoint(req, res, didUrl, result)
      case 'renamed': {
        const path = `${IDENTIFIERS_PATH}/${result.didUrl.replace('#', '%23')}`
        return answerLocation(res, 301, `${publicUrl ?? ''}${path}`)
      }
      case 'document':
        if (representation) return answerDocument(req, res, didUrl, result, representation)
        break
      case 'documentPart':
      case 'documentMetadata':
      case 'documentVersions':
      case 'resourceMetadata': {
        const shown = resultRepresentation(req)
        if (shown) return answerParts(res, didUrl, result, shown)
      }
    }
    const message = 'there is JSON and JSON-LD, as results of DID resolution and as documents'
    answerFailure(req, res, didUrl, { error: 'representationNotSupported', message })
  }
}

/** Other schemes mean something to a browser, or to its plugins, that nobody has asked for. */
function answerEndpoint(req: Request, res: Response, didUrl: string, { uri }: { uri: string }): void {
  if (/^https?:/i.test(uri)) return answerLocation(res, 303, uri)
  const message = 'the endpoint of the service is no http or https URL, and nobody is sent to others'
  answerFailure(req, res, didUrl, { error: 'representationNotSupported', message })
}

const answerLocation = (res: Response, status: number, location: string): void =>
  answerBody(res, status, { location, 'cache-control': REVALIDATE }, '')
