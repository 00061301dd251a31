import { AgentError, isAgentError } from '@vidimus/core-types'
import type { NextFunction, Request, Response } from 'express'
import { dropUnreadBody } from '../input/unread-body.js'
import { contextOf } from '../request-context.js'
import { errorBody, internalErrorBody } from './error-body.js'
import { statusOf } from './error-status.js'
import { fromVeramoError } from './veramo-errors.js'

/** The only place where an error becomes an answer. */
export function answerError(error: unknown, req: Request, res: Response, _next: NextFunction): void {
  const context = contextOf(res)
  context.failure = error
  // The answer is under way, or nobody is there any more to read it.
  if (res.headersSent || res.destroyed) {
    res.destroy()
    return
  }
  const known = asAgentError(error)
  const status = known ? statusOf(known, context.operation) : 500
  dropUnreadBody(req, res)
  if (status === 401) res.setHeader('www-authenticate', 'ApiKey header="x-api-key"')
  if (status === 503) res.setHeader('retry-after', '1')
  const { requestId } = context
  res
    .status(status)
    .setHeader('cache-control', 'no-store')
    .json(known && status !== 500 ? errorBody(known, requestId) : internalErrorBody(requestId))
}

function asAgentError(error: unknown): AgentError | undefined {
  if (isAgentError(error)) return error
  return fromRouter(error) ?? fromVeramoError(error)
}

/** The router throws this for a path with an escape that is no UTF-8. */
const fromRouter = (error: unknown) =>
  error instanceof URIError
    ? new AgentError('invalid_input', 'path: is not percent-encoded UTF-8', { cause: error })
    : undefined
