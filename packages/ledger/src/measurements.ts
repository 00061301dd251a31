import { DURATION_BUCKETS, type HistogramForm } from '@vidimus/core-types'

export const SUBMIT_SECONDS: HistogramForm = {
  name: 'vidimus_ledger_submit_duration_seconds',
  help: 'How long ledgers took to finally accept or refuse a message',
  labels: ['network', 'message', 'outcome'],
  buckets: [...DURATION_BUCKETS, 60],
}
