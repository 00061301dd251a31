import { Counter, WORK_KINDS, type MeasurementForm } from '@vidimus/core-types'

const labels = ['kind']

export const WORK_DUE: MeasurementForm = {
  name: 'vidimus_work_due',
  help: 'Items of work that are due and that nobody works on; counted up to 10,000',
  labels,
}

export const WORK_OLDEST: MeasurementForm = {
  name: 'vidimus_work_oldest_seconds',
  help: 'How long the oldest of these items has been due; 0 if there are none',
  labels,
}

export const WORK_ATTEMPTS: MeasurementForm = {
  name: 'vidimus_work_attempts_total',
  help: 'Attempts at items of work',
  labels,
}

export const WORK_FAILURES: MeasurementForm = {
  name: 'vidimus_work_failures_total',
  help: 'Attempts at items of work that failed, and are repeated',
  labels,
}

const KINDS = WORK_KINDS.map((kind) => [kind])

/** What this process has tried. */
export class WorkCounts {
  readonly attempts = new Counter(WORK_ATTEMPTS, KINDS)
  readonly failures = new Counter(WORK_FAILURES, KINDS)
}
