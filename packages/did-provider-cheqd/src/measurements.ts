import type { MeasurementForm } from '@vidimus/core-types'

export const FEES_LIMIT: MeasurementForm = {
  name: 'vidimus_fees_limit_cheq',
  help: 'Limit on the fees that the payer of a network pays per day, in CHEQ',
  labels: ['network'],
}
