import { collectDefaultMetrics, Registry } from 'prom-client'
import type { ReadMetric } from './metrics-text.js'

/**
 * What a process takes: memory, processor time, file descriptors, the lag of its event loop, pauses for garbage. Measured
 * from the first call on.
 */
export function processFigures(): () => Promise<readonly ReadMetric[]> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return () => registry.getMetricsAsJSON()
}
