import type { IncomingHttpHeaders } from 'node:http'
import { BOUNDS, AgentError } from '@vidimus/core-types'

export const KEY_HEADER = 'idempotency-key'
export const REPLAYED_HEADER = 'idempotency-replayed'

/** Visible ASCII characters. */
const KEY = new RegExp(`^[\\x21-\\x7e]{1,${BOUNDS.idempotencyKey}}$`)

/** A structured field string (RFC 9651 3.3.3), the format of the key in draft-ietf-httpapi-idempotency-key-header. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

/**
 * The idempotency key of a request, if it has one.
 *
 * @throws AgentError `invalid_input`
 */
export function idempotencyKeyOf({ [KEY_HEADER]: header }: IncomingHttpHeaders): string | undefined {
  if (header === undefined) return undefined
  const key = unquotedContent(String(header))
  if (key !== undefined && KEY.test(key)) return key
  throw keyProblem(
    `must be 1 to ${BOUNDS.idempotencyKey} visible ASCII characters, or a string of them in double quotes`,
  )
}

/** @throws AgentError `invalid_input` if a key is present: its sender relies on it */
export function refuseKey(headers: IncomingHttpHeaders, why = NO_STORE): void {
  if (headers[KEY_HEADER] !== undefined) throw keyProblem(why)
}

const NO_STORE = 'is not supported: this service does not store responses'

function unquotedContent(header: string): string | undefined {
  if (!header.startsWith('"')) return header
  return QUOTED.exec(header)?.[1]?.replace(/\\(.)/g, '$1')
}

const keyProblem = (message: string) =>
  new AgentError('invalid_input', `${KEY_HEADER}: ${message}`, { details: [{ path: KEY_HEADER, message }] })
