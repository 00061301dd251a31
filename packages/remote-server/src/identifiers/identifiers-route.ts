import { AgentError, isAgentError, type DidUrlResult } from '@vidimus/core-types'
import { errorStatus } from '../errors/error-status.js'
import type { BodyReader } from '../input/read-body.js'
import { dropUnreadBody } from '../input/unread-body.js'
import type { ServerSettings } from '../options.js'
import { whileWanted } from '../request/while-wanted.js'
import { requestContext } from '../request/request-context.js'
import type { ServedRequest, ServedResponse } from '../request/served-request.js'
import type { ServiceAgent, ServiceMethod } from '../service-agent.js'
import { documentAnswer, partAnswer } from './answer-document.js'
import { failureAnswer, thrownAnswer, type Failure } from './answer-failure.js'
import { resourceAnswer } from './answer-resource.js'
import { REVALIDATE } from './cache-control.js'
import { DeliveryMemory } from './delivery-memory.js'
import { targetOfPost } from './posted-options.js'
import { PreparedAnswers } from './prepared-answers.js'
import { publicAnswer, type PublicAnswer } from './public-answer.js'
import { PREFLIGHT } from './public-headers.js'
import type { PublicReadingParts } from './public-reading.js'
import { documentRepresentation, resultRepresentation } from './representations.js'
import { requestedDidUrl } from './requested-did-url.js'

/** The path of resolvers, by the convention of the Universal Resolver. */
export const IDENTIFIERS_PATH = '/1.0/identifiers'

const METHODS = ['GET', 'HEAD', 'POST']

const NEEDS: readonly ServiceMethod[] = ['didUrlDereference', 'linkedResourceGet']

/** The methods that the agent lacks for this route; if one is absent, it is not served. */
export function missingForIdentifiers(agent: ServiceAgent): ServiceMethod[] {
  const methods = new Set(agent.availableMethods())
  return NEEDS.filter((method) => !methods.has(method))
}

export interface IdentifiersParts extends PublicReadingParts {
  settings: ServerSettings
  bodies: BodyReader
}

/** Handles paths below {@link IDENTIFIERS_PATH}, with the plain request and response of Node.js. */
export type IdentifiersRoute = (req: ServedRequest, res: ServedResponse, target: string) => Promise<void>

/**
 * Resolves DIDs and dereferences DID URLs publicly, without an API key. Its errors are results in the form that clients
 * of resolvers expect.
 *
 * @see DID Resolution, HTTPS binding; cheqd ADR 005
 */
export function identifiersRoute({
  settings,
  headers,
  readiness,
  strangers,
  bodies,
}: IdentifiersParts): IdentifiersRoute {
  const prepared = new PreparedAnswers(headers)
  const answer = answerer(settings, prepared)
  return async (req, res, target) => {
    const context = requestContext(res)
    context.route = `${IDENTIFIERS_PATH}/{didUrl}`
    context.isPublic = true
    if (req.method === 'OPTIONS') {
      prepared.sendNew(req, res, '', {
        status: 204,
        headers: { ...PREFLIGHT, 'access-control-allow-methods': METHODS.join(', ') },
      })
      return
    }
    if (!METHODS.includes(req.method ?? '')) {
      res.setHeader('allow', METHODS.join(', '))
      throw new AgentError(
        'method_not_allowed',
        `${IDENTIFIERS_PATH} takes ${METHODS.join(', ')}, not ${req.method}`,
      )
    }
    const posted = req.method === 'POST' ? await targetOrRefusal(target, req, res, bodies) : target
    const requested = requestedDidUrl(posted instanceof AgentError ? target : posted)
    const { didUrl } = requested
    const fail = (failure: Failure) => prepared.sendNew(req, res, didUrl, failureAnswer(req, didUrl, failure))
    try {
      if (readiness.isStarting) throw new AgentError('unavailable', 'the service is starting')
      if (posted instanceof AgentError) {
        fail({ error: 'invalidOptions', message: posted.message, status: errorStatus(posted) })
      } else if ('problem' in requested) {
        fail({ error: requested.error, message: requested.problem })
      } else if (!settings.publicDidMethods.includes(requested.method)) {
        const message = `did:${requested.method} is not resolved publicly here`
        fail({ error: 'methodNotSupported', message })
      } else await strangers.run(res, () => whileWanted(res, () => answer(req, res, didUrl)))
    } catch (error) {
      // errors of the transport, in their own format
      if (isAgentError(error) && error.code === 'too_many_requests') throw error
      context.failure = error
      if (res.headersSent || res.destroyed) res.destroy()
      else prepared.sendNew(req, res, didUrl, thrownAnswer(req, didUrl, error))
    }
  }
}

/** @returns the refusal if the options cannot be read; rethrows if the client has disconnected */
async function targetOrRefusal(
  target: string,
  req: ServedRequest,
  res: ServedResponse,
  bodies: BodyReader,
): Promise<string | AgentError> {
  // The result differs every time, so it cannot match the copy of the client.
  delete req.headers['if-none-match']
  try {
    return await targetOfPost(target, req, res, bodies)
  } catch (error) {
    if (!isAgentError(error) || errorStatus(error) >= 500) throw error
    dropUnreadBody(req, res)
    return error
  }
}

function answerer(settings: ServerSettings, prepared: PreparedAnswers) {
  const { agent } = settings
  const make = answerMaker(settings)
  return async (req: ServedRequest, res: ServedResponse, didUrl: string): Promise<void> => {
    const linkedResourceMetadata = documentRepresentation(req)?.kind === 'result'
    const result = await agent.didUrlDereference({ didUrl, linkedResourceMetadata })
    if (prepared.send(req, res, didUrl, result)) return
    const made = await make(req, didUrl, result)
    if ('error' in made) prepared.sendNew(req, res, didUrl, failureAnswer(req, didUrl, made))
    else prepared.sendNew(req, res, didUrl, made, result)
  }
}

function answerMaker({ agent, publicUrl }: ServerSettings) {
  const source = { agent, deliveries: new DeliveryMemory(agent) }
  return async (
    req: ServedRequest,
    didUrl: string,
    result: DidUrlResult,
  ): Promise<PublicAnswer | Failure> => {
    switch (result.found) {
      case 'nothing':
        return result
      case 'resource':
        return resourceAnswer(req, didUrl, result, source)
      case 'serviceEndpoint':
        return endpointAnswer(result)
      case 'renamed': {
        const path = `${IDENTIFIERS_PATH}/${result.didUrl.replace('#', '%23')}`
        return locationAnswer(301, `${publicUrl ?? ''}${path}`)
      }
      case 'document': {
        const shown = documentRepresentation(req)
        return shown ? documentAnswer(didUrl, result, shown) : NOT_SHOWN
      }
      case 'documentPart':
      case 'documentMetadata':
      case 'documentVersions':
      case 'resourceMetadata': {
        const shown = resultRepresentation(req)
        return shown ? partAnswer(didUrl, result, shown) : NOT_SHOWN
      }
    }
  }
}

const NOT_SHOWN: Failure = {
  error: 'representationNotSupported',
  message: 'available are JSON and JSON-LD, as DID resolution results and as documents',
}

/** Other schemes have a meaning to browsers or their plugins, which may be abused. */
function endpointAnswer({ uri }: { uri: string }): PublicAnswer | Failure {
  if (/^https?:/i.test(uri)) return locationAnswer(303, uri)
  const message = 'the service endpoint is not an http or https URL, so there is no redirect to it'
  return { error: 'representationNotSupported', message }
}

const locationAnswer = (status: number, location: string): PublicAnswer =>
  publicAnswer(status, { location, 'cache-control': REVALIDATE }, '')
