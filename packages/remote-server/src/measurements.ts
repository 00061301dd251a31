import { DURATION_BUCKETS, type HistogramForm, type MeasurementForm } from '@vidimus/core-types'

export const REQUEST_SECONDS: HistogramForm = {
  name: 'vidimus_http_request_duration_seconds',
  help: 'How long requests took; the route is a pattern, and the status "aborted" where the client did not wait for the answer',
  labels: ['operation', 'route', 'status'],
  buckets: DURATION_BUCKETS,
}

export const REQUESTS_UNDER_WAY: MeasurementForm = {
  name: 'vidimus_http_requests_in_progress',
  help: 'Requests that are being answered',
}

export const READY: MeasurementForm = {
  name: 'vidimus_ready',
  help: '1 where the service can do its work now, as /health/ready tells it',
}

export const CHECKS: MeasurementForm = {
  name: 'vidimus_check_ok',
  help: '1 for each check of /health/ready that finds nothing wrong',
  labels: ['check'],
}

export const BUILD: MeasurementForm = {
  name: 'vidimus_build_info',
  help: 'Always 1; its labels tell what runs',
  labels: ['version', 'node'],
}

export const LOG_LINES: MeasurementForm = {
  name: 'vidimus_log_lines_total',
  help: 'Lines of the log that tell of something wrong, whether or not the level lets them through',
  labels: ['level'],
}

export const UNREADABLE: MeasurementForm = {
  name: 'vidimus_metrics_unreadable_total',
  help: 'Metrics that were left out of an answer, as looking them up failed or took too long',
}
