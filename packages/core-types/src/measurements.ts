import { createRequire } from 'node:module'
import type PromCounter from 'prom-client/lib/counter.js'
import type PromGauge from 'prom-client/lib/gauge.js'
import type PromHistogram from 'prom-client/lib/histogram.js'

/** Loaded when something is counted: a command that counts nothing starts without it. */
const load = createRequire(import.meta.url)

/** The definition of a metric, in the terms of Prometheus. */
export interface MeasurementForm {
  /** `vidimus_<what>_<unit>` for those of this service; counters end in `_total`. Plugins use their own prefix. */
  readonly name: string
  /** one sentence without a full stop */
  readonly help: string
  /**
   * Names of its labels. Their values are fixed by the program or by `agent.yml`, never by a request: no DIDs,
   * accounts, keys or names of lists.
   */
  readonly labels?: readonly string[]
}

export interface HistogramForm extends MeasurementForm {
  /** upper bounds, ascending, inclusive; values above the last are counted as well */
  readonly buckets: readonly number[]
}

/** One value as the owner of a gauge gives it. */
export interface NumberSample {
  /** in the order of the form's `labels` */
  readonly labels: readonly string[]
  readonly value: number
}

/** One value as it is read, in the form of prom-client. */
export interface Sample {
  readonly labels: Readonly<Partial<Record<string, string | number>>>
  readonly value: number
  /** the parts of a histogram: its name with `_bucket`, `_sum` or `_count` */
  readonly metricName?: string
}

/** A measurement: created by {@link Counter}, {@link Histogram}, {@link gauge} or {@link askedGauge}. */
export interface Measurement {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  /** for a histogram, including its buckets */
  readonly form: MeasurementForm & Partial<HistogramForm>
  /** whether it queries a database or others: then it is read after all that do not, which would see that work */
  readonly asks?: boolean
  /** Values that fail or take long are omitted from the response. */
  read(): Promise<readonly Sample[]>
}

/** How long a reader waits: shorter than Prometheus does for the whole response (10 s by default). */
const PATIENCE_MS = 3000

/** The values of a measurement. @throws if reading fails or takes too long */
export async function readInTime(measurement: Measurement): Promise<readonly Sample[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it took too long')), PATIENCE_MS)
  })
  try {
    return await Promise.race([measurement.read(), late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * An object of `agent.yml` that measures itself. `agent-config` looks for the property `measurements` on every object
 * that it built. Objects may share a metric: their values are listed together, and those with the same labels are
 * added.
 */
export interface HasMeasurements {
  readonly measurements: readonly Measurement[]
}

/** Further label values are counted together under {@link BEYOND}: a mistake must not fill the memory. */
const MOST_SERIES = 1000

/** Replaces all label values beyond the limit. */
export const BEYOND = 'other'

type Labels = Record<string, string>

/** @throws TypeError unless there is one value for each label */
function named({ name, labels: names = [] }: MeasurementForm, values: readonly string[]): Labels {
  if (values.length !== names.length) {
    throw new TypeError(`${name} takes ${names.length} labels, not ${values.length}`)
  }
  return Object.fromEntries(names.map((label, n) => [label, values[n] ?? '']))
}

/** The sets of labels that a metric has, of which prom-client would keep any number. */
class LabelSets {
  private readonly known = new Map<string, Labels>()

  constructor(private readonly form: MeasurementForm) {}

  of(values: readonly string[]): Labels {
    // The separator is in no label that a program would choose.
    const key = values.join('\0')
    return this.known.get(key) ?? this.begin(key, values)
  }

  private begin(key: string, values: readonly string[]): Labels {
    const labels = named(this.form, values)
    if (this.known.size >= MOST_SERIES && values.some((value) => value !== BEYOND)) {
      return this.of(values.map(() => BEYOND))
    }
    this.known.set(key, labels)
    return labels
  }
}

/** Kept by its owner, in no registry: the process may contain several services. */
const configurationOf = ({ name, help, labels = [] }: MeasurementForm) => ({
  name,
  help,
  labelNames: [...labels],
  registers: [],
})

/** Counts. */
export class Counter implements Measurement {
  readonly kind = 'counter'
  private readonly metric: PromCounter
  private readonly labels: LabelSets

  /** @param known - labels that are shown with 0 before anything is counted, so that a first count is seen as a change */
  constructor(
    readonly form: MeasurementForm,
    known: readonly (readonly string[])[] = [],
  ) {
    const Metric = load('prom-client/lib/counter.js') as typeof PromCounter
    this.metric = new Metric(configurationOf(form))
    this.labels = new LabelSets(form)
    for (const labels of known) this.add(0, ...labels)
  }

  /** @param labels - in the order of the form's */
  add(by: number, ...labels: string[]): void {
    this.metric.inc(this.labels.of(labels), by)
  }

  async read(): Promise<readonly Sample[]> {
    return (await this.metric.get()).values
  }
}

/** Counts the distribution of values. */
export class Histogram implements Measurement {
  readonly kind = 'histogram'
  private readonly metric: PromHistogram
  private readonly labels: LabelSets

  constructor(readonly form: HistogramForm) {
    const Metric = load('prom-client/lib/histogram.js') as typeof PromHistogram
    this.metric = new Metric({ ...configurationOf(form), buckets: [...form.buckets] })
    this.labels = new LabelSets(form)
  }

  /** @param labels - in the order of the form's */
  observe(value: number, ...labels: string[]): void {
    this.metric.observe(this.labels.of(labels), value)
  }

  async read(): Promise<readonly Sample[]> {
    return (await this.metric.get()).values
  }
}

type Found = number | readonly NumberSample[]

/**
 * A value that is known at any time.
 *
 * @param read - one number, or one for each set of labels
 */
export const gauge = (form: MeasurementForm, read: () => Found): Measurement => gaugeOf(form, read)

/** A value that must be queried, otherwise as {@link gauge}. */
export const askedGauge = (form: MeasurementForm, read: () => Promise<Found>): Measurement => ({
  ...gaugeOf(form, read),
  asks: true,
})

function gaugeOf(form: MeasurementForm, read: () => Found | Promise<Found>): Measurement {
  const Metric = load('prom-client/lib/gauge.js') as typeof PromGauge
  const metric = new Metric({
    ...configurationOf(form),
    async collect() {
      const found = await read()
      const samples = typeof found === 'number' ? [{ labels: [], value: found }] : found
      const series = samples.map(({ labels, value }) => [named(form, labels), value] as const)
      // A reset shows the one value of a gauge without labels as 0, even if it has none.
      if (form.labels) this.reset()
      else this.remove()
      for (const [labels, value] of series) this.set(labels, value)
    },
  })
  return { kind: 'gauge', form, read: async () => (await metric.get()).values }
}

/** From a millisecond to half a minute, in seconds. */
export const DURATION_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
] as const

/** The seconds since a time of {@link performance}. */
export const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1000
