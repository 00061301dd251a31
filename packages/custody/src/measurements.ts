import type { MeasurementForm } from '@vidimus/core-types'

export const CERTIFICATE_EXPIRY: MeasurementForm = {
  name: 'vidimus_key_certificate_expiry_timestamp_seconds',
  help: 'When the first certificate of a key expires, in seconds since 1970',
}

export const ROTATIONS: MeasurementForm = {
  name: 'vidimus_did_rotations_total',
  help: 'DID key rotations that this process completed',
  labels: ['result'],
}
