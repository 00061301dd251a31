import type { MeasurementForm } from '@vidimus/core-types'

export const QUOTA_REFUSALS: MeasurementForm = {
  name: 'vidimus_quota_refusals_total',
  help: 'Changes refused because an account has reached a quota',
  labels: ['quota'],
}
