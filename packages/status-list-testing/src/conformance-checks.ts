import assert from 'node:assert/strict'
import type { StatusListType, StatusReport } from '@vidimus/core-types'
import { actionChecks, REFUSALS } from './action-checks.js'
import { bitChecks } from './bit-checks.js'
import { documentChecks } from './document-checks.js'
import { encryptionChecks } from './encryption-checks.js'
import { entryChecks } from './entry-checks.js'
import { describeError, demand, demandEqual, valueOrRefusal } from './findings.js'
import { malformedInputChecks } from './malformed-input-checks.js'
import { modelChecks } from './model-checks.js'
import { purityChecks } from './purity-checks.js'
import { structureChecks } from './structure-checks.js'
import { Subject, type CheckOfType, type ConformanceOptions } from './subject.js'
import type { ListVariant } from './list-variants.js'

const FLAGS = [
  { flag: 'revoked', purpose: 'revocation', action: 'revoke' },
  { flag: 'suspended', purpose: 'suspension', action: 'suspend' },
] as const

const reportChecks: readonly CheckOfType[] = [
  { title: '0 is valid, and nothing else', run: validity },
  { title: 'reports reflect what actions set', run: flags },
  {
    title: 'entries without a purpose report everything against them',
    run: withoutPurpose,
    applies: ({ type }) => type.entryMember === 'status',
  },
]

async function validity(subject: Subject): Promise<void> {
  for (const variant of await subject.variants()) {
    const { layout } = variant
    for (let value = 0; value < 2 ** layout.statusSize; value++) {
      for (const purpose of [...layout.purposes, undefined]) {
        const report = subject.type.report(layout, value, purpose)
        const what = `${variant.title}: the report of ${value} under ${purpose ?? 'no purpose'}`
        demandEqual(report.status, value, `${what} has another status`)
        demandEqual(report.valid, value === 0, `${what} has another valid`)
        demandReadable(report, what)
        if (value !== 0) continue
        demand(!report.revoked && !report.suspended, `${what} says that it is revoked or suspended`)
      }
    }
  }
}

function demandReadable({ revoked, suspended, message }: StatusReport, what: string): void {
  for (const [name, flag] of Object.entries({ revoked, suspended })) {
    demand(flag === undefined || typeof flag === 'boolean', `${what}: ${name} must be true, false or omitted`)
  }
  demand(message === undefined || typeof message === 'string', `${what}: the message must be a text`)
}

async function flags(subject: Subject): Promise<void> {
  for (const variant of await subject.variants()) {
    const { layout, title } = variant
    for (const { flag, purpose, action } of FLAGS) {
      if (!layout.purposes.includes(purpose)) continue
      const set = valueAfter(subject, variant, action)
      for (let value = 0; value < 2 ** layout.statusSize; value++) {
        const told = subject.type.report(layout, value, purpose)[flag]
        const what = `${title}: under ${purpose} the report of ${value}`
        demand(told !== undefined, `${what} does not report ${flag}`)
        demand(value !== set || told, `${what}, which "${action}" sets, does not say ${flag}`)
      }
      const other = valueAfter(subject, variant, action === 'revoke' ? 'suspend' : 'revoke')
      if (other === undefined) continue
      const mistaken = subject.type.report(layout, other, purpose)[flag]
      demand(!mistaken, `${title}: under ${purpose} the value ${other} of the other action reads as ${flag}`)
    }
  }
}

async function withoutPurpose(subject: Subject): Promise<void> {
  for (const variant of await subject.variants()) {
    const { layout, title } = variant
    for (const { flag, action } of FLAGS) {
      const set = valueAfter(subject, variant, action)
      if (set === undefined) continue
      demand(
        subject.type.report(layout, set)[flag],
        `${title}: without a purpose the report of ${set}, which "${action}" sets, does not say ${flag}`,
      )
    }
  }
}

function valueAfter({ type }: Subject, { layout, title }: ListVariant, action: string): number | undefined {
  const what = `${title}: "${action}" from 0`
  const outcome = valueOrRefusal(what, REFUSALS, () => type.nextValue(layout, action, 0))
  return 'value' in outcome ? outcome.value : undefined
}

/** One test of a type; any runner can run it. */
export interface ConformanceCheck {
  group: string
  title: string
  /** rejects with an `AssertionError` that describes the problem for the author */
  run: () => Promise<void>
}

const GROUPS: Record<string, readonly CheckOfType[]> = {
  structure: structureChecks,
  documents: documentChecks,
  bits: bitChecks,
  'pure functions': purityChecks,
  actions: actionChecks,
  reports: reportChecks,
  'entries in credentials': entryChecks,
  'malformed input': malformedInputChecks,
  'sequences of updates': modelChecks,
  encryption: encryptionChecks,
}

/** The checks that apply to a type, in the order in which a failure is best understood. */
export function statusListTypeChecks(
  type: StatusListType,
  options: ConformanceOptions = {},
): ConformanceCheck[] {
  const subject = new Subject(type, options)
  return Object.entries(GROUPS).flatMap(([group, checks]) =>
    checks
      .filter(({ applies }) => applies?.(subject) ?? true)
      .map(({ title, run }) => ({ group, title, run: () => told(async () => run(subject)) })),
  )
}

/** An error of a type for valid arguments says little by itself. */
async function told(check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    const finding = new assert.AssertionError({
      message: `the type threw ${describeError(error)}, where it must succeed`,
    })
    finding.cause = error
    throw finding
  }
}
