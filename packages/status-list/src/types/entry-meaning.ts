import type { StatusListLayout } from '@vidimus/core-types'
import { statusMessage, valueOfStatus } from './status-messages.js'

/** The meaning of an entry's value for a credential, as far as the purposes of the list have a word for it. */
export type EntryMeaning = 'unset' | 'revoked' | 'suspended' | 'other'

/** The states with their own action, and the purpose of each. */
export const PURPOSE_OF_STATE = { revoked: 'revocation', suspended: 'suspension' } as const
export type NamedState = keyof typeof PURPOSE_OF_STATE

/**
 * If messages define the values of a list: entries of several bits, and the purpose `message`. Otherwise only the
 * purpose does, whatever messages there are.
 */
export const isWorded = ({ statusSize, purposes }: StatusListLayout): boolean =>
  statusSize > 1 || purposes.includes('message')

/**
 * The value of a state. A list whose messages have the word uses it; otherwise 1 is revoked, and suspended is the
 * next value in a list that can be both.
 *
 * @returns `undefined` if the list does not cover it; may be too wide for an entry
 */
export function valueOfState(layout: StatusListLayout, state: NamedState): number | undefined {
  const worded = valueOfWord(layout, state)
  if (worded !== undefined) return worded
  if (!layout.purposes.includes(PURPOSE_OF_STATE[state])) return undefined
  const alone = layout.statusSize === 1 && !layout.purposes.includes('revocation')
  return state === 'revoked' || alone ? 1 : 2
}

/**
 * The meaning of a value. In a list about only one of revocation and suspension, whose messages do not have the word,
 * every value but 0 means it: what is not understood never counts as valid.
 */
export function entryMeaning(layout: StatusListLayout, value: number): EntryMeaning {
  if (value === 0) return 'unset'
  const states = (['revoked', 'suspended'] as const).filter(
    (state) => valueOfState(layout, state) !== undefined,
  )
  const exact = states.find((state) => valueOfState(layout, state) === value)
  if (exact) return exact
  const [only, ...others] = states
  return only && others.length === 0 && valueOfWord(layout, only) === undefined ? only : 'other'
}

/** Whether an entry keeps its value for good: revoked, or set in a list only about refreshing. */
export const isFinal = (layout: StatusListLayout, value: number): boolean =>
  entryMeaning(layout, value) === 'revoked' ||
  (value !== 0 && layout.purposes.every((purpose) => purpose === 'refresh'))

/** The text of a value, if the list or its specification has one. */
export function meaningText(layout: StatusListLayout, value: number): string | undefined {
  const message = statusMessage(layout, value)
  return message === 'undefined' ? undefined : message
}

function valueOfWord(layout: StatusListLayout, word: string): number | undefined {
  if (!isWorded(layout)) return undefined
  const found = layout.statusMessages?.find(({ message }) => message.trim().toLowerCase() === word)
  return found && valueOfStatus(found.status)
}
