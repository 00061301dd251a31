import type { IdempotentAnswer } from '@vidimus/core-types'
import { asAgentError } from '../errors/answer-error.js'
import { errorBody } from '../errors/error-body.js'
import { errorStatus } from '../errors/error-status.js'
import type { Operation } from '../operation.js'
import type { RequestContext } from '../request/request-context.js'

/**
 * Refusals that depend on the caller and not on the request: another key, or a later time, may give another response.
 */
const OF_THE_CALLER = new Set([401, 403, 413, 429])

/**
 * The response for an error of an operation, if it is final.
 *
 * @returns `undefined` if a repeated request must run again
 */
export function keptRefusal(
  error: unknown,
  operation: Operation,
  { requestId, sent }: Pick<RequestContext, 'requestId' | 'sent'>,
): IdempotentAnswer | undefined {
  const known = asAgentError(error)
  // Its message asks for a retry.
  if (!known || known.code === 'version_conflict') return undefined
  const status = errorStatus(known, operation)
  if (status < 400 || status >= 500 || OF_THE_CALLER.has(status)) return undefined
  const body = errorBody(known, requestId)
  return { status, body: JSON.stringify(operation.refusal?.bodyOf(body, sent) ?? body) }
}
