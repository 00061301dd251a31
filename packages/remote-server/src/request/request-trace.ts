import { isAgentError, type RequestTracer } from '@vidimus/core-types'
import { requestContext } from './request-context.js'
import type { ServedRequest, ServedResponse } from './served-request.js'

/** Starts a trace for a request, or continues its existing one; it ends with the request. */
export const traceRequests = (tracer: RequestTracer) =>
  function traceRequest(req: ServedRequest, res: ServedResponse): void {
    const context = requestContext(res)
    const { requestId } = context
    const { method = '', headers } = req
    const span = tracer.begin(method, headers, {
      'http.request.method': method,
      'vidimus.request_id': requestId,
    })
    if (!span) return
    context.span = span
    context.life.atEnd(() => {
      const { route, operation, failure } = context
      const { statusCode } = res
      const isFailure = !res.headersSent || statusCode >= 500
      const name = route === undefined ? req.method : `${req.method} ${route}`
      span.describe(
        {
          ...(route !== undefined && { 'http.route': route }),
          ...(res.headersSent && { 'http.response.status_code': statusCode }),
          ...(operation && { 'vidimus.operation': operation.id }),
          ...(isAgentError(failure) && { 'vidimus.error': failure.code }),
        },
        name,
      )
      // Refusing a client's mistake is not a failure of the server.
      span.end(isFailure ? (failure ?? new Error('no response was sent')) : undefined)
    })
  }
