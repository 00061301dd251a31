import type { Response } from 'express'
import type { Account } from '@vidimus/core-types'
import type { Operation } from './operation.js'

/** What is known of a request while it is worked on; kept in `res.locals`. */
export interface RequestContext {
  requestId: string
  /** `process.hrtime.bigint()` would cost an allocation; milliseconds with fractions do */
  startedAt: number
  /** the path as a pattern: no DID, key or list name ends up in a log */
  route?: string
  operation?: Operation
  account?: Account
  /** why the request failed, for the log alone */
  failure?: unknown
}

export const contextOf = (res: Response): RequestContext => res.locals as RequestContext
