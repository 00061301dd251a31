import type { AgentError, ErrorCode } from '@vidimus/core-types'
import type { Operation } from '../operation.js'

const MISTAKE_OF_THE_CALLER = 400

/** Every code that does not mean an error in the caller's input. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  unknown_path: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  body_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  headers_too_large: 431,
  unavailable: 503,
  outcome_unknown: 503,
  read_only: 503,
  ledger_unavailable: 503,
  insufficient_funds: 503,
  // Callers can do nothing about these, so they get no details.
  invalid_configuration: 500,
  wrong_secret: 500,
  no_account_scope: 500,
  internal_error: 500,
}

/**
 * The HTTP status of an error.
 *
 * @param operation - the failed operation, if known: some use a code for "not found", a 404
 */
export function errorStatus(
  { code }: Pick<AgentError, 'code'>,
  operation?: Pick<Operation, 'notFound'>,
): number {
  if (operation?.notFound?.includes(code)) return 404
  return STATUS[code] ?? MISTAKE_OF_THE_CALLER
}
