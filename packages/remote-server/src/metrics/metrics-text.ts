import { Counter, log, readInTime, type Measurement, type Sample } from '@vidimus/core-types'
import { AggregatorRegistry, Histogram } from 'prom-client'
import { UNREADABLE } from '../measurements.js'

/** A metric with its current values. */
export interface ReadMetric {
  name: string
  help: string
  type: unknown
  values: readonly Sample[]
}

/** All measurements as one text. */
export class MetricsText {
  private readonly unreadable = new Counter(UNREADABLE)
  private writing: Promise<string> | undefined

  /**
   * @param measurements - the current ones
   * @param further - metrics with other names
   */
  constructor(
    private readonly measurements: () => readonly Measurement[],
    private readonly further: () => Promise<readonly ReadMetric[]>,
  ) {}

  /** Concurrent readers share the same text. */
  write(): Promise<string> {
    this.writing ??= this.text().finally(() => (this.writing = undefined))
    return this.writing
  }

  private async text(): Promise<string> {
    const measurements = tellable(this.measurements())
    const atOnce = await this.readAll(measurements.filter(({ asks }) => asks !== true))
    const [asked, further] = await Promise.all([
      this.readAll(measurements.filter(({ asks }) => asks === true)),
      this.further(),
    ])
    // Last, as looking up the others may just have failed.
    const own = await this.readAll([this.unreadable])
    return writeText([...atOnce, ...asked, ...own, ...further])
  }

  private async readAll(measurements: readonly Measurement[]): Promise<ReadMetric[]> {
    const read = await Promise.all(measurements.map((measurement) => this.read(measurement)))
    return read.filter((metric) => metric !== undefined)
  }

  private async read(measurement: Measurement): Promise<ReadMetric | undefined> {
    const { kind, form } = measurement
    try {
      const values = await readInTime(measurement)
      if (!fits(measurement, values)) throw new TypeError('its values do not match its form')
      return { name: form.name, help: form.help, type: kind, values }
    } catch (error) {
      this.unreadable.add(1)
      log('debug', 'a metric could not be read', { metric: form.name }, error)
      return undefined
    }
  }
}

/** Values with the same name and labels are added; values that are not numbers are omitted. */
const writeText = (metrics: readonly ReadMetric[]): Promise<string> =>
  AggregatorRegistry.aggregate([
    metrics.map(({ values, ...metric }) => ({
      ...metric,
      values: values.filter(({ value }) => !Number.isNaN(value)),
      aggregator: 'sum',
    })),
  ]).metrics()

/** The server itself reports these for the process. */
const OF_THE_PROCESS = /^(process|nodejs)_/

/**
 * Drops measurements that Prometheus would reject, as a single invalid line invalidates the whole text, and logs them.
 * Third-party objects of `agent.yml` may not have been type-checked.
 */
function tellable(measurements: readonly Measurement[]): Measurement[] {
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
function fits({ kind, form }: Measurement, values: readonly Sample[]): boolean {
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
