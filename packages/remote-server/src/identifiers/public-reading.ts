import { AgentError } from '@vidimus/core-types'
import type { Request, Response } from 'express'
import type { PublicRequests } from '../admission/public-requests.js'
import { errorBody } from '../errors/error-body.js'
import type { Readiness } from '../health/readiness.js'
import { requestContext } from '../request/request-context.js'
import { whileWanted } from '../request/while-wanted.js'
import { PreparedAnswers } from './prepared-answers.js'
import { publicAnswer, type PublicAnswer } from './public-answer.js'
import { PREFLIGHT, type PublicHeaders } from './public-headers.js'

export interface PublicReadingParts {
  headers: PublicHeaders
  strangers: PublicRequests
  readiness: Readiness
}

/** A public read, without an API key. */
export interface PublicReading {
  /** for log and metrics: it contains nothing of the request */
  routeOf: (req: Request) => string
  /** the resource that supports only GET and HEAD, for a refusal */
  nameOf: (req: Request) => string
  answer: (req: Request, requestId: string) => Promise<PublicAnswer>
}

/** Serves GET, HEAD and preflight requests, with a concurrency share per address. */
export function publicReading(
  { headers, strangers, readiness }: PublicReadingParts,
  { routeOf, nameOf, answer }: PublicReading,
): (req: Request, res: Response) => Promise<void> {
  const answers = new PreparedAnswers(headers)
  return async (req, res) => {
    const context = requestContext(res)
    context.route = routeOf(req)
    context.isPublic = true
    if (req.method === 'OPTIONS') return answers.sendNew(req, res, '', { status: 204, headers: PREFLIGHT })
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.setHeader('allow', 'GET, HEAD')
      throw new AgentError('method_not_allowed', `${nameOf(req)} takes GET, HEAD, not ${req.method}`)
    }
    if (readiness.isStarting) throw new AgentError('unavailable', 'the service is starting')
    const send = async () => answers.sendNew(req, res, '', await answer(req, context.requestId))
    await strangers.run(res, () => whileWanted(res, send))
  }
}

/** Nothing exists at the URL; this must not be cached. */
export function notThereAnswer(
  code: 'list_not_found' | 'did_not_found',
  message: string,
  requestId: string,
): PublicAnswer {
  const body = errorBody(new AgentError(code, message), requestId)
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  return publicAnswer(404, headers, JSON.stringify(body))
}
