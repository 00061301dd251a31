import type { ListLayout, Meaning } from './list-content.js'

export type { Meaning } from './list-content.js'

type Layout = Pick<ListLayout, 'statusSize' | 'purposes' | 'messages' | 'reported'>

const numbered = (value: number): string => `Value ${value} (0x${value.toString(16)})`

/**
 * The reading of a value: by the messages of the list if its entries are wider than one bit, otherwise by its
 * purpose. In the end the service's own check decides.
 */
export function entryMeaning({ statusSize, purposes, messages, reported }: Layout, value: number): Meaning {
  if (reported) {
    const unnamed = { text: numbered(value), tone: 'other' } as const
    return reported.meanings.get(value) ?? unnamed
  }
  const worded = statusSize > 1 || purposes.includes('message') ? messages.get(value) : undefined
  if (value === 0) return { text: capitalised(worded ?? 'Not set'), tone: 'unset' }
  const text = worded ?? ofPurpose(purposes, value)
  return { text: capitalised(text ?? numbered(value)), tone: meaningTone(text) }
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function ofPurpose(purposes: readonly string[], value: number): string | undefined {
  const revokes = purposes.includes('revocation')
  if (value === 1) return revokes ? 'Revoked' : purposes.includes('suspension') ? 'Suspended' : undefined
  return value === 2 && purposes.includes('suspension') ? 'Suspended' : undefined
}

function meaningTone(text: string | undefined): Meaning['tone'] {
  const word = text?.trim().toLowerCase()
  return word === 'revoked' || word === 'suspended' ? word : 'other'
}

/** Something that can be done with an entry. */
export interface Action {
  /** the `statusAction` of the API */
  action: string
  label: string
  /** cannot be taken back */
  final: boolean
}

/**
 * The possible actions on an entry; the service may still refuse them.
 *
 * @param tone - of the value, if the service reported more than the list itself
 */
export function actionsFor(layout: Layout, value: number, tone = entryMeaning(layout, value).tone): Action[] {
  if (layout.reported) return reportedActions(layout.reported, value)
  const { purposes, messages } = layout
  if (tone === 'revoked') return []
  const words = new Set([...messages.values()].map((message) => message.trim().toLowerCase()))
  const can = (purpose: string, word: string) => purposes.includes(purpose) || words.has(word)
  const named: Action[] = []
  if (can('revocation', 'revoked')) named.push({ action: 'revoke', label: 'Revoke', final: true })
  if (can('suspension', 'suspended')) {
    if (tone !== 'suspended') named.push({ action: 'suspend', label: 'Suspend', final: false })
    if (value !== 0) named.push({ action: 'reinstate', label: 'Reinstate', final: false })
  }
  const own = [...messages]
    .filter(([state, message]) => state !== value && state !== 0 && meaningTone(message) === 'other')
    .map(([state, message]) => ({
      action: `0x${state.toString(16)}`,
      label: `Set “${message}”`,
      final: false,
    }))
  return [...named, ...own]
}

const LABELS: Readonly<Record<string, string>> = {
  revoke: 'Revoke',
  suspend: 'Suspend',
  reinstate: 'Reinstate',
}

/** Named ones, as the type reports them. */
const reportedActions = ({ actions }: NonNullable<ListLayout['reported']>, value: number): Action[] =>
  (actions.get(value) ?? []).map((action) => ({
    action,
    label: LABELS[action] ?? action,
    final: action === 'revoke',
  }))

/** The reading of a value of which the service reports everything. */
export function reportedMeaning(reported: CheckedEntry & { value: number }): Meaning {
  const { text, tone } = meaningOfCheck({ ...reported, status: reported.value })
  return { text: tone === 'other' && reported.message === undefined ? numbered(reported.value) : text, tone }
}

/** The service's result of checking an entry. */
export interface CheckedEntry {
  status?: number | undefined
  valid?: boolean | undefined
  revoked?: boolean | undefined
  suspended?: boolean | undefined
  message?: string | undefined
}

/** The reading of an entry of which only the service's result is known. */
export function meaningOfCheck({ status, valid, revoked, suspended, message }: CheckedEntry): Meaning {
  if (revoked) return { text: capitalised(message ?? 'Revoked'), tone: 'revoked' }
  if (suspended) return { text: capitalised(message ?? 'Suspended'), tone: 'suspended' }
  const text = message ?? (valid ? 'Not set' : `Value ${status ?? 'unknown'}`)
  return { text: capitalised(text), tone: valid ? 'unset' : 'other' }
}
