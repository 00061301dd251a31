import assert from 'node:assert/strict'
import type { StatusListType } from '@vidimus/core-types'
import { actionChecks } from './action-checks.js'
import { bitChecks } from './bit-checks.js'
import { documentChecks } from './document-checks.js'
import { encryptionChecks } from './encryption-checks.js'
import { entryChecks } from './entry-checks.js'
import { describeError } from './findings.js'
import { malformedInputChecks } from './malformed-input-checks.js'
import { modelChecks } from './model-checks.js'
import { purityChecks } from './purity-checks.js'
import { reportChecks } from './report-checks.js'
import { structureChecks } from './structure-checks.js'
import { Subject, type CheckOfType, type ConformanceOptions } from './subject.js'

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
