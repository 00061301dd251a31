import { AgentError, isAgentError } from '@vidimus/core-types'
import { DatabaseError, isOfPart, isUndone } from './errors.js'

/**
 * Why a transaction was not committed; or that nobody knows whether it was: the connection broke after COMMIT had been
 * sent, or the server does not know what became of it elsewhere.
 *
 * @param earlier - what came of the statements before COMMIT
 * @param end - the failure of COMMIT itself
 */
export function whyNotCommitted(earlier: PromiseSettledResult<unknown>, end: unknown): unknown {
  const before = earlier.status === 'rejected' ? (earlier.reason as unknown) : undefined
  // After a statement that the server has refused, COMMIT changes nothing.
  if (isInDoubt(end) && (before === undefined || sqlState(before) === undefined)) return inDoubt(end)
  return before === undefined || isUndone(before) ? end : before
}

/** Whether a transaction may have been committed although its writer got an error. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  isAgentError(error) && error.code === 'outcome_unknown'

/**
 * The SQLSTATE of a warning without one of its own: at COMMIT, that nobody waited until a standby has the change, or on Citus
 * that a server with rows has not completed it. The text is in the language of the server.
 *
 * @see https://www.postgresql.org/docs/current/warm-standby.html#SYNCHRONOUS-REPLICATION
 */
export const UNREPLICATED = '01000'

const inDoubt = (error: unknown): AgentError =>
  new AgentError(
    'outcome_unknown',
    'the database has not confirmed the change, which may have been made or not: look, or repeat the request with its ' +
      'idempotency key',
    { cause: reported(error) },
  )

function isInDoubt(error: unknown): boolean {
  // Citus has it fail only while servers prepare: what comes of it afterwards is a warning, or an error that does not say of whom.
  if (isOfPart(error)) return false
  const state = sqlState(error)
  if (state !== undefined) return LOST_ON_THE_WAY.test(state)
  const { message } = reported(error)
  return !message.includes(NEVER_SENT)
}

/**
 * What a server, or a pooler, reports about connections and itself: its own that ends, and those to servers that have
 * the rows.
 */
const LOST_ON_THE_WAY = new RegExp(`^(${UNREPLICATED}|08|57P|XX)`)

/** The driver's error for a statement on a connection that had been lost before. */
const NEVER_SENT = 'not queryable'

/** The SQLSTATE, if the server has answered. */
function sqlState(error: unknown): string | undefined {
  const { code } = reported(error)
  return code !== undefined && SQLSTATE.test(code) ? code : undefined
}

/** Codes of the system, such as EPIPE, have no digit. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/

function reported(error: unknown): Error & { code?: string } {
  const cause = isAgentError(error) ? error.cause : error
  return cause instanceof Error ? cause : new Error(String(cause))
}

/**
 * A COMMIT that was refused by a server that has the rows, as the coordinator of Citus reports it: an internal error
 * after the reason as a warning. If all that went wrong is the order of transactions, nothing was committed.
 *
 * @param error - of COMMIT
 * @param warned - SQLSTATEs of the messages beside it
 * @see https://github.com/citusdata/citus/blob/v13.2.2/src/backend/distributed/transaction/remote_transaction.c
 */
export function asOrderingFailure(error: unknown, warned: readonly string[]): unknown {
  if (!(error instanceof DatabaseError) || error.code !== 'XX000') return error
  const failures = warned.filter((state) => !/^0[012]/.test(state))
  const [first] = failures
  if (first === undefined || !failures.every((state) => /^40(001|P01)$/.test(state))) return error
  return new DatabaseError(error.message, first, error.statement)
}
