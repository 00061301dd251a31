import { AgentError, runWhileWanted, webDidAt } from '@vidimus/core-types'
import type { Request, Response } from 'express'
import type { PublicRequests } from '../admission/public-requests.js'
import { entityTagOf } from '../answers/entity-tag.js'
import { errorBody } from '../errors/error-body.js'
import type { Readiness } from '../health/readiness.js'
import { REVALIDATE } from '../identifiers/cache-control.js'
import { PreparedAnswers } from '../identifiers/prepared-answers.js'
import { publicAnswer, type PublicAnswer } from '../identifiers/public-answer.js'
import { PREFLIGHT, type PublicHeaders } from '../identifiers/public-headers.js'
import type { ServerSettings } from '../options.js'
import { contextOf } from '../request/request-context.js'

/** The last step of every path that a did:web leads to. */
const FILE = '/did.json'

export const isWebDidPath = ({ path }: Pick<Request, 'path'>): boolean => path.endsWith(FILE)

export interface WebDidParts {
  settings: Pick<ServerSettings, 'agent' | 'publicUrl'>
  headers: PublicHeaders
  strangers: PublicRequests
  readiness: Readiness
}

/**
 * Serves the DID documents of did:web DIDs under the public URL for everybody, without an API key. Which DID it is the public URL
 * says, and never the request: one that was sent to another host finds none.
 *
 * @see did:web Method Specification, "Read (Resolve)"
 */
export function webDidRoute({
  settings: { agent, publicUrl },
  headers,
  strangers,
  readiness,
}: WebDidParts): (req: Request, res: Response) => Promise<void> {
  const answers = new PreparedAnswers(headers)
  return async (req, res) => {
    const context = contextOf(res)
    context.route = '/{path}/did.json'
    context.isPublic = true
    if (req.method === 'OPTIONS') return answers.sendNew(req, res, '', { status: 204, headers: PREFLIGHT })
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.setHeader('allow', 'GET, HEAD')
      throw new AgentError('method_not_allowed', `${req.path} takes GET, HEAD, not ${req.method}`)
    }
    if (readiness.isStarting) throw new AgentError('unavailable', 'the service is starting')
    const did = requestedDid(req, publicUrl)
    const find = async () => {
      const document = did === undefined ? null : await agent.webDidDocument({ did })
      answers.sendNew(req, res, '', document ? found(document) : notFound(context.requestId))
    }
    await strangers.run(res, () => runWhileWanted(context.life, find))
  }
}

/** `undefined` for another host than that of the public URL, and for a path that no DID leads to. */
function requestedDid(req: Request, publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined) return undefined
  const url = new URL(publicUrl)
  const asked = `${url.protocol}//${req.headers.host ?? ''}`
  if (!URL.canParse(asked) || new URL(asked).host !== url.host) return undefined
  return webDidAt(new URL(`${publicUrl}${req.path}`))
}

function found(document: object): PublicAnswer {
  const body = JSON.stringify(document)
  const headers = {
    'content-type': 'application/did+ld+json',
    'cache-control': REVALIDATE,
    etag: entityTagOf(body),
  }
  return publicAnswer(200, headers, body)
}

function notFound(requestId: string): PublicAnswer {
  const body = errorBody(
    new AgentError('did_not_found', 'no DID has its document at this address'),
    requestId,
  )
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  return publicAnswer(404, headers, JSON.stringify(body))
}
