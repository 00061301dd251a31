import { problemsError, type AgentError, type ErrorCode, type StatusListLayout } from '@vidimus/core-types'
import { isFinal, isWorded, PURPOSE_OF_STATE, valueOfState, type NamedState } from './entry-meaning.js'
import { defaultStatusMessages, valueOfStatus } from './status-messages.js'

/** The named actions; everything else is a state of the list's own. */
export const NAMED_ACTIONS = ['revoke', 'suspend', 'reinstate'] as const
type NamedAction = (typeof NAMED_ACTIONS)[number]

/** As many possibilities as an error names. */
const MOST_NAMED = 20

export const isNamedAction = (action: string): action is NamedAction =>
  (NAMED_ACTIONS as readonly string[]).includes(action)

/**
 * The value for an action, for lists with the purposes and messages of the W3C specifications:
 *
 * - `revoke` sets the value that means revoked, `suspend` that for suspended, `reinstate` 0;
 * - a state of the list's own is the `message`, the `status` (`0x3`) or its decimal value (`3`) of one of its
 *   messages, exactly; the one bit of a list without messages is set by `1` or `0x1`, and cleared by `0` or `0x0`;
 * - revoked entries stay revoked. The specification calls the purpose irreversible; here that applies to lists with
 *   messages as well.
 *
 * @throws AgentError `irreversible`, and with a detail at the path `statusAction`: `unknown_action`,
 *   `purpose_mismatch`, `value_too_wide`
 * @see W3C Bitstring Status List v1.0, section 2.1, `statusPurpose`
 */
export function valueAfterAction(layout: StatusListLayout, action: string, current: number): number {
  // first of all: reinstating a revoked entry is refused as such, even in a list that cannot reinstate
  if (action === 'reinstate' && isFinal(layout, current)) throw irreversible(layout)
  const value = valueOfAction(layout, action)
  if (value >= 2 ** layout.statusSize) {
    const bits = layout.statusSize === 1 ? 'one bit' : `${layout.statusSize} bits`
    throw refusal(
      'value_too_wide',
      `"${action}" sets the value ${value}, but an entry of this list has ${bits}`,
    )
  }
  if (value !== current && isFinal(layout, current)) throw irreversible(layout)
  return value
}

function valueOfAction(layout: StatusListLayout, action: string): number {
  if (!isNamedAction(action)) return valueOfCustomState(layout, action)
  if (action === 'reinstate') {
    if (isWorded(layout) || valueOfState(layout, 'suspended') !== undefined) return 0
    throw mismatch(layout, action, 'suspension')
  }
  const state: NamedState = action === 'revoke' ? 'revoked' : 'suspended'
  const value = valueOfState(layout, state)
  if (value === undefined) throw mismatch(layout, action, PURPOSE_OF_STATE[state])
  return value
}

function valueOfCustomState(layout: StatusListLayout, action: string): number {
  const states = customStates(layout)
  const found = states.filter(
    ({ value, message }) => action === message || action === String(value) || valueOfStatus(action) === value,
  )
  if (states.length === 0 && layout.statusSize === 1) {
    const bit = [0, 1].find((value) => action === String(value) || valueOfStatus(action) === value)
    if (bit !== undefined) return bit
  }
  const [state, ...others] = found
  if (state && others.length === 0) return state.value
  const reason = state ? 'is ambiguous' : 'is not an action of this list'
  const possible = [...possibleNamedActions(layout), ...states.map(({ message }) => message)]
  const named = possible.slice(0, MOST_NAMED).join(', ')
  const more = possible.length > MOST_NAMED ? ` and ${possible.length - MOST_NAMED} more` : ''
  throw refusal('unknown_action', `"${action}" ${reason}; possible: ${named || 'none'}${more}`)
}

/**
 * The states that a list names. A single-bit list about revocation or suspension only has its actions, unless it says
 * otherwise.
 */
function customStates(layout: StatusListLayout): { value: number; message: string }[] {
  const { statusMessages, statusSize, purposes } = layout
  const plain = purposes.every((purpose) => purpose === 'refresh' || purpose === 'message')
  const messages = statusMessages ?? (plain ? defaultStatusMessages(statusSize) : undefined) ?? []
  return messages.flatMap(({ status, message }) => {
    const value = valueOfStatus(status)
    return value === undefined || message === 'undefined' ? [] : [{ value, message }]
  })
}

const possibleNamedActions = (layout: StatusListLayout): string[] =>
  NAMED_ACTIONS.filter((action) => {
    if (action === 'reinstate') return isWorded(layout) || layout.purposes.includes('suspension')
    const value = valueOfState(layout, action === 'revoke' ? 'revoked' : 'suspended')
    return value !== undefined && value < 2 ** layout.statusSize
  })

const mismatch = ({ purposes }: StatusListLayout, action: string, wanted: string): AgentError =>
  refusal('purpose_mismatch', `"${action}" is for ${wanted}, but the list is for ${purposes.join(', ')}`)

const irreversible = (layout: StatusListLayout): AgentError =>
  problemsError('irreversible', [
    {
      path: '',
      message: layout.purposes.includes('revocation') ? 'is permanently revoked' : 'is permanently set',
    },
  ])

const refusal = (code: ErrorCode, message: string): AgentError =>
  problemsError(code, [{ path: 'statusAction', message }])
