import { Counter, log, readInTime, type Measurement, type Sample } from '@vidimus/core-types'
import { AggregatorRegistry } from 'prom-client'
import { UNREADABLE } from '../measurements.js'
import { fits, tellable } from './tellable.js'

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
