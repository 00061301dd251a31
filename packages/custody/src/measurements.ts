import type { MeasurementForm } from '@vidimus/core-types'

export const FAILURES: MeasurementForm = {
  name: 'vidimus_did_creation_recovery_failures_total',
  help: 'Half-done creations of DIDs that could not be settled, each time that it was tried',
}

export const LEFT: MeasurementForm = {
  name: 'vidimus_did_creations_left',
  help: 'Half-done creations of DIDs that the last pass of this process has left for later',
}

export const FAILING_PASSES: MeasurementForm = {
  name: 'vidimus_did_creation_recovery_failing_passes',
  help: 'Passes over half-done creations of DIDs that failed since the last one that did not',
}
