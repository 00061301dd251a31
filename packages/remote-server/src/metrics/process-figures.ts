/**
 * What a process takes: memory, processor time, file descriptors, the lag of its event loop, pauses for garbage. Loaded
 * and measured from the first call on.
 *
 * @returns how to write them in the text format
 */
export async function processFigures(): Promise<() => Promise<string>> {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return () => registry.metrics()
}
