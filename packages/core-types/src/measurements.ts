/** What a figure is, in the terms of Prometheus. */
export interface MeasurementForm {
  /** `vidimus_<what>_<unit>` for those of this service; counters end in `_total`. Plugins take a prefix of their own. */
  readonly name: string
  /** one sentence without a full stop */
  readonly help: string
  /**
   * Names of what tells its values apart. What they may say is fixed by the program or by `agent.yml`, never by a request:
   * no DIDs, accounts, keys or names of lists.
   */
  readonly labels?: readonly string[]
}

export interface HistogramForm extends MeasurementForm {
  /** upper bounds, ascending, each included; what lies above the last is counted as well */
  readonly buckets: readonly number[]
}

/** One value. */
export interface NumberSample {
  /** in the order of the form's `labels` */
  readonly labels: readonly string[]
  readonly value: number
}

export interface HistogramSample {
  /** in the order of the form's `labels` */
  readonly labels: readonly string[]
  /** how many fell into each bucket, and above the last one: one more than there are buckets */
  readonly counts: readonly number[]
  readonly sum: number
}

/** Values that are looked up when somebody asks; what fails or takes long is left out of the answer. */
export interface GaugeMeasurement {
  readonly kind: 'gauge'
  readonly form: MeasurementForm
  /** whether it asks a database or others: then it is read after all that do not, which would see that work */
  readonly asks?: boolean
  read(): readonly NumberSample[] | Promise<readonly NumberSample[]>
}

/** Values that only grow, since the start of the process. */
export interface CounterMeasurement {
  readonly kind: 'counter'
  readonly form: MeasurementForm
  read(): readonly NumberSample[]
}

export interface HistogramMeasurement {
  readonly kind: 'histogram'
  readonly form: HistogramForm
  read(): readonly HistogramSample[]
}

export type Measurement = GaugeMeasurement | CounterMeasurement | HistogramMeasurement

/**
 * An object of `agent.yml` that measures itself. `agent-config` looks for the property `measurements` on every object that
 * it built. Objects may share a form: their values stand side by side, and those with the same labels are added.
 */
export interface HasMeasurements {
  readonly measurements: readonly Measurement[]
}

/** Label values beyond that are counted together under {@link BEYOND}: a mistake must not fill the memory. */
const MOST_SERIES = 1000

/** Stands for all label values that are too many. */
export const BEYOND = 'other'

/** Values by their labels. */
class Series<T> {
  private readonly byLabels = new Map<string, { labels: readonly string[]; value: T }>()

  constructor(
    private readonly form: MeasurementForm,
    private readonly first: () => T,
  ) {}

  of(labels: readonly string[]): { value: T } {
    // The separator is in no label that a program would choose, and a single label is its own key.
    const key = labels.length === 1 ? (labels[0] ?? '') : labels.join('\0')
    return this.byLabels.get(key) ?? this.begin(key, labels)
  }

  all(): { labels: readonly string[]; value: T }[] {
    return [...this.byLabels.values()]
  }

  private begin(key: string, labels: readonly string[]): { value: T } {
    const wanted = this.form.labels?.length ?? 0
    if (labels.length !== wanted) {
      throw new TypeError(`${this.form.name} takes ${wanted} labels, not ${labels.length}`)
    }
    if (wanted > 0 && this.byLabels.size >= MOST_SERIES && labels.some((label) => label !== BEYOND)) {
      return this.of(labels.map(() => BEYOND))
    }
    const series = { labels, value: this.first() }
    this.byLabels.set(key, series)
    return series
  }
}

/** Counts. Costs one look-up in a map. */
export class Counter implements CounterMeasurement {
  readonly kind = 'counter'
  private readonly series: Series<number>

  /** @param known - labels that are shown with 0 before anything is counted, so that a first count is seen as a change */
  constructor(
    readonly form: MeasurementForm,
    known: readonly (readonly string[])[] = form.labels ? [] : [[]],
  ) {
    this.series = new Series(form, () => 0)
    for (const labels of known) this.series.of(labels)
  }

  /** @param labels - in the order of the form's */
  add(by: number, ...labels: string[]): void {
    this.series.of(labels).value += by
  }

  read(): readonly NumberSample[] {
    return this.series.all()
  }
}

/** Counts how often values lay where. Costs one look-up in a map. */
export class Histogram implements HistogramMeasurement {
  readonly kind = 'histogram'
  private readonly series: Series<{ counts: number[]; sum: number }>

  constructor(readonly form: HistogramForm) {
    this.series = new Series(form, () => ({
      counts: new Array<number>(form.buckets.length + 1).fill(0),
      sum: 0,
    }))
    if (!form.labels) this.series.of([])
  }

  /** @param labels - in the order of the form's */
  observe(value: number, ...labels: string[]): void {
    const { buckets } = this.form
    let bucket = 0
    while (bucket < buckets.length && value > (buckets[bucket] ?? Infinity)) bucket += 1
    const observed = this.series.of(labels).value
    observed.counts[bucket] = (observed.counts[bucket] ?? 0) + 1
    observed.sum += value
  }

  read(): readonly HistogramSample[] {
    return this.series.all().map(({ labels, value }) => ({ labels, ...value }))
  }
}

type Found = number | readonly NumberSample[]

const samplesOf = (found: Found): readonly NumberSample[] =>
  typeof found === 'number' ? [{ labels: [], value: found }] : found

/**
 * What is known at any time.
 *
 * @param read - one number, or one for each set of labels
 */
export const gauge = (form: MeasurementForm, read: () => Found): GaugeMeasurement => ({
  kind: 'gauge',
  form,
  read: () => samplesOf(read()),
})

/** What has to be asked for, as {@link gauge} otherwise. */
export const askedGauge = (form: MeasurementForm, read: () => Promise<Found>): GaugeMeasurement => ({
  kind: 'gauge',
  form,
  asks: true,
  read: async () => samplesOf(await read()),
})

/** From a millisecond to half a minute, in seconds. */
export const DURATION_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
] as const

/** The seconds since a time of {@link performance}. */
export const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1000
