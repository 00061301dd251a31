import { DURATION_BUCKETS, type HistogramForm } from '@vidimus/core-types'

export const SUBMIT_SECONDS: HistogramForm = {
  name: 'vidimus_ledger_submit_duration_seconds',
  help: 'How long ledgers took to take a message for good, or to refuse it',
  labels: ['network', 'message', 'outcome'],
  buckets: [...DURATION_BUCKETS, 60],
}
