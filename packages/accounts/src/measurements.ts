import type { MeasurementForm } from '@vidimus/core-types'

export const QUOTA_REFUSALS: MeasurementForm = {
  name: 'vidimus_quota_refusals_total',
  help: 'Changes that were refused because an account has as much as it may',
  labels: ['quota'],
}
