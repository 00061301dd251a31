import { AgentError, problemsError, type ErrorCode } from '@vidimus/core-types'
import type { LedgerError, LedgerPhase } from './errors.js'

const CODES_BY_PHASE: Partial<Record<LedgerPhase, ErrorCode>> = {
  conflict: 'version_conflict',
  transport: 'ledger_unavailable',
  timeout: 'ledger_unavailable',
}

/** The caller's error code, by codespace and code; missing codes are a broken rule. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  'cheqd 1200': 'did_taken',
  'cheqd 1201': 'did_not_found',
  'cheqd 1207': 'did_deactivated',
  'cheqd 1300': 'internal_error',
  'cheqd 1500': 'internal_error',
  'resource 2500': 'internal_error',
  'sdk 5': 'insufficient_funds',
  'sdk 38': 'did_not_found',
  'vidimus 6': 'payment_limit',
  'vidimus 7': 'too_large_for_network',
  'vidimus 8': 'budget_exceeded',
}

const SENTENCES: Partial<Record<ErrorCode, string>> = {
  did_taken: 'the DID already exists on the ledger',
  did_not_found: 'the DID does not exist on the ledger',
  did_deactivated: 'the DID is deactivated',
  version_conflict: 'another version was published in the meantime',
  insufficient_funds: 'the fee payer of the ledger cannot pay',
  payment_limit: 'this would cost more than allowed',
  too_large_for_network: 'it does not fit into a block of the network',
  ledger_unavailable: 'the ledger rejected the message',
  internal_error: 'the ledger failed',
  ledger_rule: 'the ledger rejected this',
}

/** The message may still be executed. */
const OUTCOME_UNKNOWN = 'the ledger has not yet reported the outcome of the message'

/**
 * A ledger's error in the words of the whole service: `did_taken`, `did_not_found`, `did_deactivated`,
 * `version_conflict`, `insufficient_funds`, `payment_limit`, `budget_exceeded`, `too_large_for_network`, `ledger_unavailable`, `internal_error`, and `ledger_rule` with every
 * broken rule and its place in `details`.
 */
export function toAgentError(error: LedgerError): AgentError {
  const code = agentErrorCode(error)
  if (error.problems.length > 0) {
    const { message } = problemsError(code, error.problems)
    return new AgentError(code, message, { details: error.problems, cause: error })
  }
  const sentence = error.phase === 'timeout' ? OUTCOME_UNKNOWN : (SENTENCES[code] ?? code)
  return new AgentError(code, `${sentence}: ${error.message}`, { cause: error })
}

function agentErrorCode(error: LedgerError): ErrorCode {
  const known = CODES_BY_PHASE[error.phase] ?? CODES[`${error.codespace} ${error.code}`]
  if (known) return known
  // The SDK's own refusals, from sequence numbers to gas, are between our driver and its node.
  return error.codespace === 'cheqd' || error.codespace === 'resource' ? 'ledger_rule' : 'ledger_unavailable'
}
