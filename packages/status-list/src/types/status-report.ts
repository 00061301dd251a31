import type { StatusListLayout, StatusReport } from '@vidimus/core-types'
import { isWorded, entryMeaning, meaningText } from './entry-meaning.js'

/**
 * The reading of a value under a purpose. `valid` follows the specification: only 0 is valid. The flags show only
 * what the purpose covers: `revoked` for revocation, `suspended` for suspension; under `message` a flag appears if
 * the value means it.
 *
 * @see W3C Bitstring Status List v1.0, section 3.2, Validate Algorithm, steps 11 to 14
 */
export function statusReport(layout: StatusListLayout, value: number, purpose?: string): StatusReport {
  const meaning = entryMeaning(layout, value)
  const message = isWorded(layout) ? meaningText(layout, value) : undefined
  return {
    status: value,
    valid: value === 0,
    ...(purpose === 'revocation' && { revoked: meaning === 'revoked' }),
    ...(purpose === 'suspension' && { suspended: meaning === 'suspended' }),
    ...(purpose === 'message' && (meaning === 'revoked' || meaning === 'suspended') && { [meaning]: true }),
    ...(message !== undefined && { message }),
  }
}
