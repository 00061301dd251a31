import { AgentError } from '@vidimus/core-types'

/** Return values of PKCS#11 that operators meet, and what each means for them (PKCS #11 Version 3.1, section 5.1). */
const MEANINGS: Readonly<Record<string, string>> = {
  CKR_PIN_INCORRECT: 'the token rejects the PIN',
  CKR_PIN_INVALID: 'the token rejects the PIN',
  CKR_PIN_LEN_RANGE: 'the PIN is too short or too long for the token',
  CKR_PIN_EXPIRED: 'the PIN has expired: set a new one with the tool of the vendor',
  CKR_PIN_LOCKED: 'the PIN is locked after too many wrong ones: the security officer must unlock it',
  CKR_USER_PIN_NOT_INITIALIZED: 'the token has no user PIN yet: set one with the tool of the vendor',
  CKR_TOKEN_NOT_PRESENT: 'the token is not in its slot',
  CKR_TOKEN_NOT_RECOGNIZED: 'the library does not recognise the token',
  CKR_SLOT_ID_INVALID: 'the slot of the token is gone',
  CKR_DEVICE_REMOVED: 'the token was removed',
  CKR_DEVICE_ERROR: 'the token reports a fault of the device',
  CKR_DEVICE_MEMORY: 'the token is full: delete keys that are no longer needed',
  CKR_HOST_MEMORY: 'the library of the token is out of memory',
  CKR_GENERAL_ERROR: 'the library of the token reports an unspecified error: see its own log',
  CKR_FUNCTION_FAILED: 'the token failed: see the log of its library',
  CKR_FUNCTION_NOT_SUPPORTED: 'the library of the token does not support this',
  CKR_SESSION_COUNT: 'the token has no free session: lower "sessions", or stop other programs that use it',
  CKR_SESSION_CLOSED: 'the token closed the session',
  CKR_SESSION_HANDLE_INVALID: 'the token closed the session',
  CKR_USER_NOT_LOGGED_IN: 'the token ended the login',
  CKR_USER_TOO_MANY_TYPES: 'another user is logged in to the token',
  CKR_USER_ANOTHER_ALREADY_LOGGED_IN: 'another user is logged in to the token',
  CKR_CRYPTOKI_NOT_INITIALIZED: 'the library of the token was shut down',
  CKR_TOKEN_WRITE_PROTECTED: 'the token is write-protected: keys cannot be created or deleted',
  CKR_SESSION_READ_ONLY: 'the token allows no changes: keys cannot be created or deleted',
  CKR_MECHANISM_INVALID: 'the token does not support this type of key',
  CKR_CURVE_NOT_SUPPORTED: 'the token does not support the curve of this key',
  CKR_DOMAIN_PARAMS_INVALID: 'the token does not support the curve of this key',
  CKR_KEY_FUNCTION_NOT_PERMITTED: 'the token does not allow this key to sign',
  CKR_ACTION_PROHIBITED: 'the policy of the token forbids this',
  CKR_CANT_LOCK: 'the library of the token does not support threads',
}

/** The session, the login or the device is gone: worth one new connection. */
const LOST = new Set([
  'CKR_SESSION_CLOSED',
  'CKR_SESSION_HANDLE_INVALID',
  'CKR_USER_NOT_LOGGED_IN',
  'CKR_CRYPTOKI_NOT_INITIALIZED',
  'CKR_DEVICE_REMOVED',
  'CKR_DEVICE_ERROR',
  'CKR_TOKEN_NOT_PRESENT',
  'CKR_TOKEN_NOT_RECOGNIZED',
  'CKR_SLOT_ID_INVALID',
  'CKR_GENERAL_ERROR',
])

/** Asking again with the same PIN would bring the token closer to locking it. */
const PIN_REFUSED = new Set([
  'CKR_PIN_INCORRECT',
  'CKR_PIN_INVALID',
  'CKR_PIN_LEN_RANGE',
  'CKR_PIN_EXPIRED',
  'CKR_PIN_LOCKED',
])

/** The name of a return value, `CKR_...`; `undefined` for errors of another kind. */
export function tokenReturnValue(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : ''
  return /^CKR_\w+/.exec(message)?.[0]
}

export const isConnectionLost = (error: unknown): boolean => LOST.has(tokenReturnValue(error) ?? '')

export const isPinRefused = (error: unknown): boolean => PIN_REFUSED.has(tokenReturnValue(error) ?? '')

/** The error for operators: a sentence and the return value. */
export function refusalMeaning(error: unknown): string {
  const value = tokenReturnValue(error)
  if (value === undefined) return error instanceof Error ? error.message : String(error)
  return `${MEANINGS[value] ?? 'the token refuses this'} (${value})`
}

/** The error that a caller gets. @returns AgentError `unavailable`; errors of ours as they are */
export function refusal(error: unknown): AgentError {
  if (error instanceof AgentError) return error
  return new AgentError('unavailable', `the PKCS#11 token cannot do this now: ${refusalMeaning(error)}`, {
    cause: error,
  })
}
