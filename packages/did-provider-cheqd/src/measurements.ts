import type { MeasurementForm } from '@vidimus/core-types'

export const FEES_LIMIT: MeasurementForm = {
  name: 'vidimus_fees_limit_cheq',
  help: 'The most that the payer of a network pays in fees within a day, in CHEQ',
  labels: ['network'],
}
