import { DURATION_BUCKETS, type HistogramForm, type MeasurementForm } from '@vidimus/core-types'

export const REQUEST_SECONDS: HistogramForm = {
  name: 'vidimus_http_request_duration_seconds',
  help: 'Duration of requests; the route is a pattern, and the status "aborted" if the client did not wait for the response',
  labels: ['operation', 'route', 'status'],
  buckets: DURATION_BUCKETS,
}

export const REQUESTS_IN_PROGRESS: MeasurementForm = {
  name: 'vidimus_http_requests_in_progress',
  help: 'Requests in progress whose connection is open',
}

export const REQUESTS_UNDER_WAY: MeasurementForm = {
  name: 'vidimus_requests_under_way',
  help: 'Running operations, at most limits.concurrentRequests; tables, uploads and event streams are not included',
}

export const REQUESTS_REFUSED: MeasurementForm = {
  name: 'vidimus_requests_refused_total',
  help: 'Requests refused with 429 or 503 because a limit of concurrent use was reached, by the name of the limit',
  labels: ['limit'],
}

export const UNREAD_BYTES: MeasurementForm = {
  name: 'vidimus_http_unread_bytes',
  help: 'Answers to accounts that their clients have not read yet, at most limits.unreadBytesPerAccount for each account',
}

export const PUBLIC_REQUESTS: MeasurementForm = {
  name: 'vidimus_public_requests_under_way',
  help: 'Requests without an API key, running or waiting; limits.publicRequests run at a time',
}

export const STREAMS: MeasurementForm = {
  name: 'vidimus_event_streams_open',
  help: 'Open event streams',
}

export const BODIES: MeasurementForm = {
  name: 'vidimus_http_bodies_awaited',
  help: 'Requests whose body is still being received',
}

export const BODY_BYTES: MeasurementForm = {
  name: 'vidimus_http_bodies_bytes',
  help: 'Bodies received and not processed yet, at most limits.bodyBytesTogether',
}

export const CACHE_BYTES: MeasurementForm = {
  name: 'vidimus_cache_bytes',
  help: 'Memory used by a cache',
  labels: ['cache'],
}

export const CACHE_BUDGET: MeasurementForm = {
  name: 'vidimus_cache_budget_bytes',
  help: 'Memory budget of all caches: cacheBytes of the server',
}

export const READY: MeasurementForm = {
  name: 'vidimus_ready',
  help: '1 if the service is ready, as reported by /health/ready',
}

export const CHECKS: MeasurementForm = {
  name: 'vidimus_check_ok',
  help: '1 for each successful check of /health/ready',
  labels: ['check'],
}

export const BUILD: MeasurementForm = {
  name: 'vidimus_build_info',
  help: 'Always 1; the labels show the running versions',
  labels: ['version', 'node'],
}

export const LOG_LINES: MeasurementForm = {
  name: 'vidimus_log_lines_total',
  help: 'Warnings and errors logged, whether or not the log level shows them',
  labels: ['level'],
}

export const UNREADABLE: MeasurementForm = {
  name: 'vidimus_metrics_unreadable_total',
  help: 'Metrics omitted from a response because reading them failed or took too long',
}
