import type { AuthenticatedAccount, Span } from '@vidimus/core-types'
import type { ClientAddress } from '../connection/client-address.js'
import type { Operation } from '../operation.js'
import type { RequestLife } from './request-life.js'
import type { ServedResponse } from './served-request.js'

/** What is known of a request while it is worked on; kept in `res.locals`. */
export interface RequestContext {
  requestId: string
  life: RequestLife
  /** left out: it is not traced */
  span?: Span
  /** `process.hrtime.bigint()` would cost an allocation; milliseconds with fractions do */
  startedAt: number
  /** the path as a pattern: no DID, key or list name ends up in a log */
  route?: string
  operation?: Operation
  /** the body as it was sent, for operations whose refusals tell of it */
  sent?: string
  account?: AuthenticatedAccount
  /** where it comes from, once that was asked for */
  client?: ClientAddress
  /** further headers of the answer, names and values alternately */
  headers?: string[]
  /** it was answered as it was before */
  replayed?: boolean
  /** it is open to everybody, pages of other origins included */
  isPublic?: boolean
  /** why the request failed, for the log alone */
  failure?: unknown
}

export const contextOf = (res: ServedResponse): RequestContext => res.locals as RequestContext

/** Adds headers to the answer, whatever it will be. @param pairs - names and values alternately */
export function addHeaders(res: ServedResponse, ...pairs: string[]): void {
  const context = contextOf(res)
  if (context.headers) context.headers.push(...pairs)
  else context.headers = pairs
}

/** Sets what {@link addHeaders} has added, for answers whose headers are set one by one. */
export function setAddedHeaders(res: ServedResponse): void {
  const { headers = [] } = contextOf(res)
  for (let n = 0; n + 1 < headers.length; n += 2) res.setHeader(headers[n] ?? '', headers[n + 1] ?? '')
}
