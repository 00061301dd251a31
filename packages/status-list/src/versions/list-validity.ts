import { AgentError, type StatusListLayout } from '@vidimus/core-types'
import { malformedList } from '../types/malformed-list.js'

/** Clocks of publishers may be ahead by at most this, in milliseconds. */
const CLOCK_SKEW_MS = 300_000

/**
 * Makes sure that a list is valid now: checked on every use, as a cached verdict must not outlive the list.
 *
 * @throws AgentError `invalid_credential`; `malformed_list` if the times cannot be read
 * @see W3C Verifiable Credentials Data Model v2.0, section 4.9
 */
export function demandValidNow({ validFrom, validUntil }: StatusListLayout, now: Date): void {
  if (validFrom !== undefined && parseTime(validFrom, 'validFrom') > now.getTime() + CLOCK_SKEW_MS) {
    throw new AgentError('invalid_credential', `the status list is not valid before ${validFrom}`)
  }
  if (validUntil !== undefined && parseTime(validUntil, 'validUntil') <= now.getTime()) {
    throw new AgentError('invalid_credential', `the status list has not been valid since ${validUntil}`)
  }
}

function parseTime(text: string, member: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw malformedList(`its ${member} is not a time`)
  return time
}

/** What is published now becomes valid now, even if a clock that was ahead has made it later. */
export const notLater = <Validity extends { validFrom?: string | undefined }>(
  validity: Validity,
  now: Date | undefined,
): Validity =>
  now && validity.validFrom !== undefined && Date.parse(validity.validFrom) > now.getTime()
    ? { ...validity, validFrom: now.toISOString() }
    : validity
