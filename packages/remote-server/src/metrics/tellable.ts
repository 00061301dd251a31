import { log, type Measurement, type Sample } from '@vidimus/core-types'
import { Histogram } from 'prom-client'

/** The server itself reports these for the process. */
const OF_THE_PROCESS = /^(process|nodejs)_/

/**
 * Drops measurements that Prometheus would reject, as a single invalid line invalidates the whole text, and logs them.
 * Third-party objects of `agent.yml` may not have been type-checked.
 */
export function tellable(measurements: readonly Measurement[]): Measurement[] {
  const firsts = new Map<string, Measurement>()
  return measurements.filter((measurement) => {
    const mistake = mistakeIn(measurement)
    if (mistake !== undefined) {
      log('warn', 'a component has an invalid metric', { reason: mistake })
      return false
    }
    const { name } = measurement.form
    const first = firsts.get(name) ?? measurement
    firsts.set(name, first)
    if (measurementShape(first) === measurementShape(measurement)) return true
    log('warn', 'two components have different metrics with the same name', { metric: name })
    return false
  })
}

function mistakeIn(measurement: unknown): string | undefined {
  if (typeof measurement !== 'object' || measurement === null) return 'it is not an object'
  const { kind, form, read } = measurement as Partial<Measurement>
  if (typeof form?.name !== 'string' || typeof form.help !== 'string') return 'it lacks a name or help'
  const { name, help, labels = [], buckets = [] } = form
  if (OF_THE_PROCESS.test(name)) return `${name} is reserved for process metrics of the server`
  if (kind !== 'counter' && kind !== 'gauge' && kind !== 'histogram') return `${name} has no kind`
  if (typeof read !== 'function') return `${name} lacks read`
  try {
    new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [] })
    const isAscending = buckets.every((bound, n) => n === 0 || bound > (buckets[n - 1] ?? Infinity))
    return isAscending ? undefined : `the buckets of ${name} do not ascend`
  } catch (error) {
    return `${name}: ${error instanceof Error ? error.message : String(error)}`
  }
}

const measurementShape = ({ kind, form }: Measurement): string =>
  JSON.stringify([kind, form.labels ?? [], form.buckets ?? []])

/** Whether the values read have the shape of the form. @throws if they have none at all */
export function fits({ kind, form }: Measurement, values: readonly Sample[]): boolean {
  const isHistogram = kind === 'histogram'
  const parts = isHistogram ? ['_bucket', '_sum', '_count'].map((part) => form.name + part) : [undefined]
  const labelNames = [...(form.labels ?? []), ...(isHistogram ? ['le'] : [])]
  return values.every(
    ({ labels, value, metricName }) =>
      typeof value === 'number' &&
      parts.some((part) => part === metricName) &&
      Object.entries(labels).every(
        ([label, text]) => labelNames.includes(label) && ['string', 'number'].includes(typeof text),
      ),
  )
}
