import type { StatusListLayout, StatusReport } from '@vidimus/core-types'
import { isWorded, entryMeaning, meaningText } from './entry-meaning.js'
import { defaultStatusMessages } from './status-messages.js'

/**
 * The reading of a value under a purpose. `valid` follows the specification: only 0 is valid. The flags show only
 * what the purpose covers: `revoked` for revocation, `suspended` for suspension; under `message` a flag appears if
 * the value means it.
 *
 * One bit means what the purpose says, and so does a value in a list of a third party whose messages do not name it: 1
 * for revoked and 2 for suspended are values of lists here.
 *
 * @see W3C Bitstring Status List v1.0, section 3.2, Validate Algorithm, steps 11 to 14
 */
export function statusReport(whole: StatusListLayout, value: number, purpose?: string): StatusReport {
  const layout = underPurpose(whole, purpose)
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

function underPurpose(layout: StatusListLayout, purpose: string | undefined): StatusListLayout {
  const { statusSize, foreign, statusMessages } = layout
  if (purpose === undefined || (statusSize > 1 && !foreign)) return layout
  const words = statusMessages ?? (statusSize === 1 ? defaultStatusMessages(1) : undefined)
  return { ...layout, purposes: [purpose], ...(words && { statusMessages: words }) }
}
