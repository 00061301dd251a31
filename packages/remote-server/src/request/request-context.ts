import type { AuthenticatedAccount, Span } from '@vidimus/core-types'
import type { Share } from '../admission/places.js'
import type { ClientAddress } from '../connection/client-address.js'
import type { Operation } from '../operation.js'
import type { RequestLife } from './request-life.js'
import type { ServedResponse } from './served-request.js'

/** The state of a request while it is processed; kept in `res.locals`. */
export interface RequestContext {
  requestId: string
  life: RequestLife
  /** absent: it is not traced */
  span?: Span
  /** `process.hrtime.bigint()` would allocate; fractional milliseconds suffice */
  startedAt: number
  /** the path as a pattern: DIDs, keys and list names are never logged */
  route?: string
  operation?: Operation
  /** the body as sent, for operations whose refusals refer to it */
  sent?: string
  account?: AuthenticatedAccount
  /** where its unread answer counts; absent: with the account */
  unread?: Share
  /** its origin, once determined */
  client?: ClientAddress
  /** additional response headers, names and values alternately */
  headers?: string[]
  /** it was answered with a stored response */
  replayed?: boolean
  /** it is public, also for pages of other origins */
  isPublic?: boolean
  /** why the request failed, for the log only */
  failure?: unknown
}

export const requestContext = (res: ServedResponse): RequestContext => res.locals as RequestContext

/** Adds headers to the response, whatever it will be. @param pairs - names and values alternately */
export function addHeaders(res: ServedResponse, ...pairs: string[]): void {
  const context = requestContext(res)
  if (context.headers) context.headers.push(...pairs)
  else context.headers = pairs
}

/** Sets the headers from {@link addHeaders}, for responses whose headers are set individually. */
export function setAddedHeaders(res: ServedResponse): void {
  const { headers = [] } = requestContext(res)
  for (let n = 0; n + 1 < headers.length; n += 2) res.setHeader(headers[n] ?? '', headers[n + 1] ?? '')
}
