import { collectDefaultMetrics, Registry } from 'prom-client'
import type { ReadMetric } from './metrics-text.js'

/**
 * Resource use of the process: memory, processor time, file descriptors, event loop lag, garbage collection pauses.
 * Measured from the first call on.
 */
export function processFigures(): () => Promise<readonly ReadMetric[]> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return () => registry.getMetricsAsJSON()
}
