import { DURATION_BUCKETS, type HistogramForm, type MeasurementForm } from '@vidimus/core-types'

export const REQUEST_SECONDS: HistogramForm = {
  name: 'vidimus_http_request_duration_seconds',
  help: 'How long requests took; the route is a pattern, and the status "aborted" where the client did not wait for the answer',
  labels: ['operation', 'route', 'status'],
  buckets: DURATION_BUCKETS,
}

export const REQUESTS_IN_PROGRESS: MeasurementForm = {
  name: 'vidimus_http_requests_in_progress',
  help: 'Requests that are being answered, and whose connection is there',
}

export const REQUESTS_UNDER_WAY: MeasurementForm = {
  name: 'vidimus_requests_under_way',
  help: 'Operations under way, of which there may be limits.concurrentRequests at a time; streams of events are not among them',
}

export const PUBLIC_REQUESTS: MeasurementForm = {
  name: 'vidimus_public_requests_under_way',
  help: 'Requests without an API key that are under way or wait for their turn, of which limits.publicRequests are worked on at a time',
}

export const STREAMS: MeasurementForm = {
  name: 'vidimus_event_streams_open',
  help: 'Streams of events that are open',
}

export const BODIES: MeasurementForm = {
  name: 'vidimus_http_bodies_awaited',
  help: 'Requests whose body is still on its way',
}

export const BODY_BYTES: MeasurementForm = {
  name: 'vidimus_http_bodies_bytes',
  help: 'Memory that bodies take which are still on their way, at most limits.bodyBytesTogether',
}

export const CACHE_BYTES: MeasurementForm = {
  name: 'vidimus_cache_bytes',
  help: 'Memory that is taken by what is remembered to save work',
  labels: ['cache'],
}

export const CACHE_BUDGET: MeasurementForm = {
  name: 'vidimus_cache_budget_bytes',
  help: 'Memory that all caches may take together, which is cacheBytes of the server',
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
