import type { ErrorCode, StatusListLayout } from '@vidimus/core-types'
import { demand, valueOrRefusal } from './findings.js'
import type { ListVariant } from './list-variants.js'
import type { CheckOfType, Subject } from './subject.js'

/** How an action may be refused. */
export const REFUSALS: readonly ErrorCode[] = [
  'irreversible',
  'unknown_action',
  'purpose_mismatch',
  'value_too_wide',
]

const NONSENSE = [
  '',
  ' ',
  '1abc',
  '-1',
  '1e0',
  ' 1',
  '0x',
  '0xg',
  '1.0',
  'Revoke!',
  'constructor',
  '__proto__',
]
const MOST_MESSAGES = 8

export const actionChecks: readonly CheckOfType[] = [
  { title: 'every action maps every value to one that fits, or is refused', run: everyAction },
  { title: 'an unknown action is refused, and the error lists the possible ones', run: nonsense },
  { title: 'revocation is final', run: revoking },
  { title: 'suspension can be lifted', run: suspending },
]

async function everyAction(subject: Subject): Promise<void> {
  for (const variant of await subject.variants()) {
    const { layout, title } = variant
    const room = 2 ** layout.statusSize
    for (const current of sampleValues(room)) {
      for (const action of declaredActions(layout)) {
        const next = valueAfter(subject, variant, action, current)
        if (next === undefined) continue
        const what = `${title}: "${action}" from ${current} leads to ${next}`
        demand(Number.isInteger(next) && next >= 0, `${what}, which is not a value`)
        demand(next < room, `${what}, which does not fit: refuse it with value_too_wide`)
        const named = numberNamedBy(action)
        demand(
          named === undefined || named === next,
          `${what}; a value that does not fit or is not known must be refused, never truncated or taken for another`,
        )
        const again = valueAfter(subject, variant, action, next)
        demand(
          again === next,
          `${what}, but the same action again ${again === undefined ? 'is refused' : `leads to ${again}`}: repeating a call must be safe`,
        )
      }
    }
  }
}

/** All values of narrow entries; of wide ones those in front, the last, and some between. */
const sampleValues = (room: number): number[] =>
  [...Array(room).keys()].filter((value) => value < 16 || value % 32 === 0 || value === room - 1)

async function nonsense(subject: Subject): Promise<void> {
  for (const { layout, title } of await subject.variants()) {
    for (const action of NONSENSE) {
      const what = `${title}: the action ${JSON.stringify(action)}`
      const outcome = valueOrRefusal(what, ['unknown_action'], () =>
        subject.type.nextValue(layout, action, 0),
      )
      demand('refusal' in outcome, `${what} must be refused with unknown_action, but is understood`)
      const possible = ['revoke', 'suspend'].filter((name) => leadsSomewhere(subject, layout, name))
      for (const name of possible) {
        demand(
          outcome.refusal.message.includes(name),
          `${what}: the refusal "${outcome.refusal.message}" does not name the possible action ${name}`,
        )
      }
    }
  }
}

async function revoking(subject: Subject): Promise<void> {
  for (const variant of await subject.variants()) {
    const { layout, title } = variant
    if (!layout.purposes.includes('revocation')) continue
    const revoked = valueAfter(subject, variant, 'revoke', 0)
    demand(revoked, `${title}: is for revocation, but "revoke" does not change 0 to another value`)
    for (const action of declaredActions(layout)) {
      const next = valueAfter(subject, variant, action, revoked)
      demand(
        next === undefined || next === revoked,
        `${title}: "${action}" leads from revoked (${revoked}) to ${next}: what is revoked stays revoked`,
      )
    }
    const what = `${title}: "reinstate" of a revoked entry`
    const outcome = valueOrRefusal(what, ['irreversible'], () =>
      subject.type.nextValue(layout, 'reinstate', revoked),
    )
    demand('refusal' in outcome, `${what} must be refused with irreversible`)
  }
}

async function suspending(subject: Subject): Promise<void> {
  for (const variant of await subject.variants()) {
    const { layout, title } = variant
    if (!layout.purposes.includes('suspension')) continue
    const suspended = valueAfter(subject, variant, 'suspend', 0)
    demand(suspended, `${title}: is for suspension, but "suspend" does not change 0 to another value`)
    demand(
      valueAfter(subject, variant, 'reinstate', suspended) === 0,
      `${title}: "reinstate" does not lead from suspended (${suspended}) to 0`,
    )
    const revoked = valueAfter(subject, variant, 'revoke', 0)
    if (revoked === undefined) continue
    demand(revoked !== suspended, `${title}: revoked and suspended are the same value ${revoked}`)
    demand(
      valueAfter(subject, variant, 'revoke', suspended) === revoked,
      `${title}: what is suspended (${suspended}) cannot be revoked`,
    )
  }
}

/**
 * The actions that callers may request of a list: the usual ones, its own states, and numbers around the limits of
 * its width.
 */
export function declaredActions({
  statusSize,
  statusMessages = [],
}: StatusListLayout): [string, ...string[]] {
  const room = 2 ** statusSize
  const numbers = [...Array(18).keys(), room - 1, room, room + 1, 255, 256, 257, 2 ** 31, 2 ** 32 + 1]
  const messages = statusMessages.filter(({ message }) => message !== 'undefined').slice(0, MOST_MESSAGES)
  const others = [
    ...messages.map(({ message }) => message),
    ...numbers.map(String),
    ...numbers.map((number) => `0x${number.toString(16)}`),
  ]
  return ['revoke', 'suspend', 'reinstate', ...new Set(others)]
}

/** @returns `undefined` if it is refused */
function valueAfter(subject: Subject, { layout, title }: ListVariant, action: string, current: number) {
  const what = `${title}: "${action}" from ${current}`
  const outcome = valueOrRefusal(what, REFUSALS, () => subject.type.nextValue(layout, action, current))
  return 'value' in outcome ? outcome.value : undefined
}

function leadsSomewhere({ type }: Subject, layout: StatusListLayout, action: string): boolean {
  const outcome = valueOrRefusal(`"${action}" from 0`, REFUSALS, () => type.nextValue(layout, action, 0))
  return 'value' in outcome && outcome.value !== 0
}

function numberNamedBy(action: string): number | undefined {
  return /^(?:\d+|0x[0-9a-f]+)$/.test(action) ? Number(action) : undefined
}
