import { isAgentError } from '@vidimus/core-types'
import type { Request, Response } from 'express'
import { statusOf } from '../errors/error-status.js'
import { contextOf } from '../request/request-context.js'
import { answerBody } from './answer-body.js'
import { resultRepresentation } from './representations.js'
import { failureBody, type ResultError } from './result-bodies.js'

/** DID Resolution, HTTPS binding; a DID that is deactivated does resolve, with 410. */
const STATUS: Readonly<Record<ResultError, number>> = {
  invalidDid: 400,
  invalidDidUrl: 400,
  notFound: 404,
  representationNotSupported: 406,
  internalError: 500,
  methodNotSupported: 501,
}

export interface Failure {
  error: ResultError
  message: string
  /** where it is another than usual with that error */
  status?: number
}

/** Answers in the form in which resolvers tell their errors. */
export function answerFailure(req: Request, res: Response, didUrl: string, failure: Failure): void {
  const representation = resultRepresentation(req)
  // Nothing was agreed on where nothing is acceptable.
  const isAgreed = representation && failure.error !== 'representationNotSupported'
  const origin = { didUrl, now: new Date(), ...(isAgreed && { contentType: representation.documentType }) }
  const body = failureBody(failure.error, failure.message, origin)
  const status = failure.status ?? STATUS[failure.error]
  if (status === 503) res.setHeader('retry-after', '1')
  const headers = {
    'content-type': representation?.contentType ?? 'application/json',
    'cache-control': 'no-store',
  }
  answerBody(res, status, headers, JSON.stringify(body))
}

/** An error that was thrown; its cause goes to the log alone. */
export function answerThrown(req: Request, res: Response, didUrl: string, error: unknown): void {
  contextOf(res).failure = error
  if (res.headersSent || res.destroyed) {
    res.destroy()
    return
  }
  const status = isAgentError(error) ? statusOf(error) : 500
  if (isAgentError(error) && status < 500) {
    answerFailure(req, res, didUrl, { error: 'invalidDidUrl', message: error.message })
  } else {
    const message = status === 503 ? 'it cannot be told now; try again in a moment' : 'internal error'
    answerFailure(req, res, didUrl, { error: 'internalError', message, status })
  }
}
