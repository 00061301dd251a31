import { AgentError } from '@vidimus/core-types'

/** The one form of the encryption secret, wherever it comes from. */
export const SECRET_PATTERN = /^[0-9a-f]{64}$/i

export const SECRET_SHAPE = '64 hex characters (32 random bytes, for example from `openssl rand -hex 32`)'

/**
 * @param place - the option that it comes from
 * @param subject - its name, for a message
 * @returns in lower case
 * @throws AgentError `invalid_configuration`, without the value
 */
export function checkedSecret(text: string, place: string, subject: string): string {
  if (!SECRET_PATTERN.test(text)) throw misconfigured(place, `${subject} must be ${SECRET_SHAPE}`)
  return text.toLowerCase()
}

export const misconfigured = (path: string, message: string) =>
  new AgentError('invalid_configuration', `${path}: ${message}`, { details: [{ path, message }] })
