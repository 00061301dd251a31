import { problemsError, type ErrorCode, type StatusListLayout, type StatusReport } from '@vidimus/core-types'
import { valueOfStatus } from './status-messages.js'

/** The Status Types with a defined meaning. */
const VALID = 0
const INVALID = 1
const SUSPENDED = 2

const VALUE_OF_ACTION: Partial<Record<string, number>> = {
  revoke: INVALID,
  suspend: SUSPENDED,
  reinstate: VALID,
}

/** Application-specific: 3, and 12 to 15. All values beside these and the named ones are reserved. */
const APPLICATION_SPECIFIC = [0x03, 0x0c, 0x0d, 0x0e, 0x0f]

const DECIMAL = /^(?:0|[1-9]\d{0,15})$/

/**
 * The value for an action in a token status list: `revoke` INVALID, `suspend` SUSPENDED, `reinstate` VALID; or a
 * value itself, in decimal (`3`) or hexadecimal (`0x3`), unless the specification reserves it.
 *
 * INVALID is permanent. The specification leaves that to the issuer; here revoking is final in lists of every type. A
 * list of one bit cannot suspend, and so has nothing to reinstate.
 *
 * @throws AgentError `irreversible`, and with a detail at the path `statusAction`: `unknown_action`,
 *   `purpose_mismatch`, `value_too_wide`
 * @see draft-ietf-oauth-status-list, section 7, "Status Types"
 */
export function nextTokenValue({ statusSize }: StatusListLayout, action: string, current: number): number {
  const value = valueOfTokenAction(action, statusSize)
  if (value >= 2 ** statusSize) {
    const bits = statusSize === 1 ? 'one bit' : `${statusSize} bits`
    throw refusal(
      'value_too_wide',
      `"${action}" sets the value ${value}, but an entry of this list has ${bits}`,
    )
  }
  if (!isAssigned(value)) {
    throw refusal('unknown_action', `the value ${value} is reserved by the specification`, statusSize)
  }
  if (current === INVALID && value !== INVALID) {
    throw problemsError('irreversible', [{ path: '', message: 'is permanently revoked' }])
  }
  if (action === 'reinstate' && statusSize === 1) {
    throw refusal('purpose_mismatch', '"reinstate" is for suspension, but the list is for revocation')
  }
  return value
}

/**
 * The reading of a value: only 0 is valid. The flags show what the purpose covers, and both for a credential, whose
 * entry has no purpose.
 */
export function reportTokenValue(_layout: StatusListLayout, value: number, purpose?: string): StatusReport {
  const name = registeredName(value)
  return {
    status: value,
    valid: value === VALID,
    ...((purpose === undefined || purpose === 'revocation') && { revoked: value === INVALID }),
    ...((purpose === undefined || purpose === 'suspension') && { suspended: value === SUSPENDED }),
    ...(name !== undefined && { message: name }),
  }
}

function valueOfTokenAction(action: string, statusSize: number): number {
  const named = Object.hasOwn(VALUE_OF_ACTION, action) ? VALUE_OF_ACTION[action] : undefined
  const value = named ?? (DECIMAL.test(action) ? Number(action) : valueOfStatus(action))
  if (value === undefined)
    throw refusal('unknown_action', `"${action}" is not an action of this list`, statusSize)
  return value
}

const isAssigned = (value: number): boolean => value <= SUSPENDED || APPLICATION_SPECIFIC.includes(value)

/** Its name in the registry of Status Types; reserved values have none. */
function registeredName(value: number): string | undefined {
  if (APPLICATION_SPECIFIC.includes(value)) return 'APPLICATION_SPECIFIC'
  return ['VALID', 'INVALID', 'SUSPENDED'][value]
}

/** @param statusSize - if given, the possible actions are named */
function refusal(code: ErrorCode, message: string, statusSize?: number) {
  const fitting = APPLICATION_SPECIFIC.filter((value) => statusSize && value < 2 ** statusSize)
  const possible = ['revoke', ...(statusSize === 1 ? [] : ['suspend', 'reinstate']), ...fitting]
  const named = statusSize === undefined ? '' : `; possible: ${possible.join(', ')}`
  return problemsError(code, [{ path: 'statusAction', message: message + named }])
}
