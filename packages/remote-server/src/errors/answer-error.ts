import { actorOfGrant, AgentError, isAgentError, type AuditTrail } from '@vidimus/core-types'
import type { NextFunction, Request, Response } from 'express'
import { LimitReached } from '../admission/places.js'
import { dropUnreadBody } from '../input/unread-body.js'
import type { RefusalForm } from '../operation.js'
import { isRegistrarPath } from '../registrar/registrar-paths.js'
import { REGISTRAR_REFUSAL } from '../registrar/registrar-state.js'
import { requestContext, setAddedHeaders, type RequestContext } from '../request/request-context.js'
import { requestPath } from '../request/request-path.js'
import { errorBody, internalErrorBody } from './error-body.js'
import { errorStatus } from './error-status.js'
import { fromVeramoError } from './veramo-errors.js'

/**
 * The only place where an error becomes a response.
 *
 * @param audit - records refusals for lack of a right
 * @param forms - of refusals, by path: some come before the operation is known, such as that of an API key
 */
export const answerErrors =
  (audit: AuditTrail | undefined, forms: ReadonlyMap<string, RefusalForm>) =>
  (error: unknown, req: Request, res: Response, _next: NextFunction): void => {
    const context = requestContext(res)
    context.failure = error
    const known = asAgentError(error)
    if (known?.code === 'forbidden') auditRefusal(known, context, audit)
    // The response has started, or the client has disconnected.
    if (res.headersSent || context.life.isOver) res.destroy()
    else answerError(known, req, res, forms)
  }

function answerError(
  known: AgentError | undefined,
  req: Request,
  res: Response,
  forms: ReadonlyMap<string, RefusalForm>,
): void {
  const { operation, requestId, sent } = requestContext(res)
  const status = known ? errorStatus(known, operation) : 500
  dropUnreadBody(req, res)
  setAddedHeaders(res)
  const path = requestPath(req.originalUrl)
  const isRegistrar = isRegistrarPath(path)
  if (status === 401) res.setHeader('www-authenticate', isRegistrar ? [...CHALLENGES, BASIC] : CHALLENGES)
  if (status === 503 || known instanceof LimitReached) res.setHeader('retry-after', '1')
  const form = operation?.refusal ?? (isRegistrar ? REGISTRAR_REFUSAL : forms.get(path))
  const body = known && status !== 500 ? errorBody(known, requestId) : internalErrorBody(requestId)
  res
    .status(status)
    .setHeader('cache-control', 'no-store')
    .json(form?.bodyOf(body, sent) ?? body)
}

/** Both ways to send an API key. */
const CHALLENGES = ['ApiKey header="x-api-key"', 'Bearer realm="vidimus"']

/** Sent only on paths that browsers do not open, as it makes them prompt their user for a password. */
const BASIC = 'Basic realm="vidimus"'

function auditRefusal(
  { message }: AgentError,
  { operation, account, client, requestId }: RequestContext,
  audit: AuditTrail | undefined,
): void {
  const entry = { event: 'access-forbidden', outcome: 'refused', detail: message } as const
  audit?.count(operation ? { ...entry, subject: operation.id } : entry, {
    ...(account && { accountId: account.id }),
    ...actorOfGrant(account?.grant),
    ...(client && { address: client.address }),
    requestId,
  })
}

/** The error as one of ours; `undefined` if the caller did not cause it. */
export function asAgentError(error: unknown): AgentError | undefined {
  if (isAgentError(error)) return error
  return fromRouter(error) ?? fromVeramoError(error)
}

/** The router throws this for a path with an escape sequence that is not UTF-8. */
const fromRouter = (error: unknown) =>
  error instanceof URIError
    ? new AgentError('invalid_input', 'path: is not percent-encoded UTF-8', { cause: error })
    : undefined
