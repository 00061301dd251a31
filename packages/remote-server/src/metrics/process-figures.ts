import { textOfNamed } from './exposition.js'

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
  return async () => {
    const metrics = await registry.getMetricsAsJSON()
    return metrics
      .map(({ name, help, type, values }) =>
        textOfNamed({
          name,
          help,
          // its types say that this is a number
          kind: String(type),
          samples: values.map((sample) => ({
            name: 'metricName' in sample && typeof sample.metricName === 'string' ? sample.metricName : name,
            labels: onlySet(sample.labels),
            value: sample.value,
          })),
        }),
      )
      .join('\n')
  }
}

const onlySet = (
  labels: Readonly<Partial<Record<string, string | number>>>,
): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
