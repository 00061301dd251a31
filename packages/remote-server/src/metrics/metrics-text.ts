import { Counter, log, type HistogramSample, type Measurement, type NumberSample } from '@vidimus/core-types'
import { UNREADABLE } from '../measurements.js'
import { textOf, type ReadMetric } from './exposition.js'
import { groupsOf, type Group } from './measurement-groups.js'

/** How long a look-up may take: shorter than Prometheus waits for the whole answer (10 s by default). */
const PATIENCE_MS = 3000

/** Everything that is measured, as one text. */
export class MetricsText {
  private readonly unreadable = new Counter(UNREADABLE)
  private writing: Promise<string> | undefined

  /**
   * @param measurements - what there is now
   * @param further - text in the same format, of metrics with other names
   */
  constructor(
    private readonly measurements: () => readonly Measurement[],
    private readonly further: () => Promise<string>,
  ) {}

  /** Several that ask at the same time get the same text. */
  write(): Promise<string> {
    this.writing ??= this.text().finally(() => (this.writing = undefined))
    return this.writing
  }

  private async text(): Promise<string> {
    const groups = groupsOf(this.measurements())
    const atOnce = await Promise.all(groups.filter(not(asks)).map((group) => this.read(group)))
    const [asked, further] = await Promise.all([
      Promise.all(groups.filter(asks).map((group) => this.read(group))),
      this.further(),
    ])
    // Last, as looking up the others may have failed just now.
    const own = { kind: 'counter', form: UNREADABLE, samples: this.unreadable.read() } as const
    return [...atOnce, ...asked, textOf(own), further].filter((text) => text !== '').join('\n')
  }

  /** @returns `''` where none of them can be read */
  private async read(group: Group): Promise<string> {
    const samples = await Promise.all(group.map((measurement) => this.samplesOf(measurement)))
    const found = samples.filter((one) => one !== undefined)
    if (found.length === 0) return ''
    const [{ kind, form }] = group
    return textOf({ kind, form, samples: added(found.flat()) } as ReadMetric)
  }

  private async samplesOf(measurement: Measurement): Promise<readonly AnySample[] | undefined> {
    try {
      const samples = await inTime(measurement.read())
      if (samples.every((sample) => fits(measurement, sample))) return samples
      throw new TypeError('its samples do not have the shape of its form')
    } catch (error) {
      this.unreadable.add(1)
      log('debug', 'a metric could not be read', { metric: measurement.form.name }, error)
      return undefined
    }
  }
}

const asks = (group: Group): boolean =>
  group.some((measurement) => 'asks' in measurement && measurement.asks === true)

const not =
  <T>(is: (one: T) => boolean) =>
  (one: T): boolean =>
    !is(one)

type AnySample = NumberSample | HistogramSample

/** Samples with the same labels are one. */
function added(samples: readonly AnySample[]): AnySample[] {
  const byLabels = new Map<string, AnySample>()
  for (const sample of samples) {
    const key = JSON.stringify(sample.labels)
    const known = byLabels.get(key)
    byLabels.set(key, known ? sumOf(known, sample) : sample)
  }
  return [...byLabels.values()]
}

function sumOf(left: AnySample, right: AnySample): AnySample {
  if ('value' in left && 'value' in right) return { ...left, value: left.value + right.value }
  if (!('counts' in left) || !('counts' in right)) return left
  const counts = left.counts.map((count, n) => count + (right.counts[n] ?? 0))
  return { ...left, counts, sum: left.sum + right.sum }
}

/** What other authors measure is looked at: one wrong line, and Prometheus takes nothing of the whole text. */
function fits({ kind, form }: Measurement, sample: AnySample): boolean {
  const { labels } = sample as Partial<AnySample>
  const hasLabels =
    Array.isArray(labels) &&
    labels.length === (form.labels?.length ?? 0) &&
    labels.every((label) => typeof label === 'string')
  if (!hasLabels) return false
  if (kind !== 'histogram') return 'value' in sample && typeof sample.value === 'number'
  return 'counts' in sample && sample.counts.length === form.buckets.length + 1
}

async function inTime<T>(looked: T | Promise<T>): Promise<T> {
  if (!(looked instanceof Promise)) return looked
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it took too long')), PATIENCE_MS)
  })
  try {
    return await Promise.race([looked, late])
  } finally {
    clearTimeout(timer)
  }
}
