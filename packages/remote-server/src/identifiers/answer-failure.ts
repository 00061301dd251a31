import { isAgentError } from '@vidimus/core-types'
import { errorStatus } from '../errors/error-status.js'
import type { ServedRequest } from '../request/served-request.js'
import { publicAnswer, type PublicAnswer } from './public-answer.js'
import { resultRepresentation } from './representations.js'
import { failureBody, type ResultError } from './result-bodies.js'

/** DID Resolution, HTTPS binding; a deactivated DID does resolve, with 410. */
const STATUS: Readonly<Record<ResultError, number>> = {
  invalidDid: 400,
  invalidDidUrl: 400,
  invalidOptions: 400,
  notFound: 404,
  representationNotSupported: 406,
  internalError: 500,
  methodNotSupported: 501,
  unsupportedPublicKeyType: 501,
}

export interface Failure {
  error: ResultError
  message: string
  /** if it differs from the usual status of that error */
  status?: number
}

/** Responds in the error format of resolvers. */
export function failureAnswer(req: ServedRequest, didUrl: string, failure: Failure): PublicAnswer {
  const representation = resultRepresentation(req)
  // Without an acceptable type there is no negotiated one.
  const isAgreed = representation && failure.error !== 'representationNotSupported'
  const origin = { didUrl, now: new Date(), ...(isAgreed && { contentType: representation.documentType }) }
  const body = failureBody(failure.error, failure.message, origin)
  const status = failure.status ?? STATUS[failure.error]
  const headers = {
    ...(status === 503 && { 'retry-after': '1' }),
    'content-type': representation?.contentType ?? 'application/json',
    'cache-control': 'no-store',
  }
  return publicAnswer(status, headers, JSON.stringify(body))
}

/** A thrown error; its cause is only logged. */
export function thrownAnswer(req: ServedRequest, didUrl: string, error: unknown): PublicAnswer {
  const status = isAgentError(error) ? errorStatus(error) : 500
  if (isAgentError(error) && status < 500)
    return failureAnswer(req, didUrl, { error: 'invalidDidUrl', message: error.message })
  const message = status === 503 ? 'it cannot be determined now; try again in a moment' : 'internal error'
  return failureAnswer(req, didUrl, { error: 'internalError', message, status })
}
