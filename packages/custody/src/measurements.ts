import type { MeasurementForm } from '@vidimus/core-types'

export const FAILURES: MeasurementForm = {
  name: 'vidimus_did_creation_recovery_failures_total',
  help: 'Failed attempts to settle an interrupted DID creation',
}

export const LEFT: MeasurementForm = {
  name: 'vidimus_did_creations_left',
  help: 'Interrupted DID creations that the last pass of this process left for later',
}

export const FAILING_PASSES: MeasurementForm = {
  name: 'vidimus_did_creation_recovery_failing_passes',
  help: 'Failed passes over interrupted DID creations since the last successful one',
}

export const CERTIFICATE_EXPIRY: MeasurementForm = {
  name: 'vidimus_key_certificate_expiry_timestamp_seconds',
  help: 'When the first certificate of a key expires, in seconds since 1970',
}

export const ROTATIONS: MeasurementForm = {
  name: 'vidimus_did_rotations_total',
  help: 'DID key rotations that this process completed',
  labels: ['result'],
}
