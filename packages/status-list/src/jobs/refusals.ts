import { isAgentError, type AgentError } from '@vidimus/core-types'

/** Whether an error refuses what it is about; others are failures of the service, which pass. */
export const isRefusal = (error: unknown): error is AgentError =>
  isAgentError(error) && REFUSALS.has(error.code)

const REFUSALS: ReadonlySet<string> = new Set([
  'invalid_input',
  'forbidden',
  'did_not_found',
  'did_not_resolvable',
  'did_deactivated',
  'key_not_found',
  'list_not_found',
  'unknown_list_type',
  'malformed_list',
  'list_encrypted',
  'list_not_encrypted',
  'index_out_of_range',
  'unknown_action',
  'purpose_mismatch',
  'value_too_wide',
  'irreversible',
  'ledger_rule',
  'too_large_for_network',
  'not_registered',
  'invalid_credential',
])
