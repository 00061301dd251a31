export { createApp } from './app.js'
export { ErrorBody } from './errors/error-body.js'
export {
  defineOperation,
  type HttpMethod,
  type Operation,
  type OperationDefinition,
  type OperationExample,
} from './operation.js'
export { operations } from './operations/index.js'
export type { RateLimitOption, RateLimitOptions } from './admission/client-options.js'
export type { MetricsOptions } from './metrics/metrics-options.js'
export type { Limits, Timeouts } from './limits.js'
export type { RemoteServerOptions } from './options.js'
export type { ReadinessReport } from './health/readiness.js'
export { RemoteServer } from './remote-server.js'
export { SCOPE_NAMES, type ScopeGroup } from './admission/scopes.js'
export type { ServiceAgent, ServiceMethods } from './service-agent.js'
