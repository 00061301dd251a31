import { Counter, log, type HistogramSample, type Measurement, type NumberSample } from '@vidimus/core-types'
import { UNREADABLE } from '../measurements.js'
import { isSameKind, textOf, type ReadMetric } from './exposition.js'

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
    return [...atOnce, ...asked, own]
      .filter((metric) => metric !== undefined)
      .map(textOf)
      .join('\n')
      .concat('\n', further)
  }

  /** @returns `undefined` where none of them can be read */
  private async read(group: Group): Promise<ReadMetric | undefined> {
    const samples = await Promise.all(group.map((measurement) => this.samplesOf(measurement)))
    const found = samples.filter((one) => one !== undefined)
    if (found.length === 0) return undefined
    const [{ kind, form }] = group
    return { kind, form, samples: added(found.flat()) } as ReadMetric
  }

  private async samplesOf(measurement: Measurement): Promise<readonly AnySample[] | undefined> {
    try {
      return await inTime(measurement.read())
    } catch (error) {
      this.unreadable.add(1)
      log('debug', 'a metric could not be read', { metric: measurement.form.name }, error)
      return undefined
    }
  }
}

type Group = readonly [Measurement, ...Measurement[]]

const asks = (group: Group): boolean =>
  group.some((measurement) => 'asks' in measurement && measurement.asks === true)

const not =
  <T>(is: (one: T) => boolean) =>
  (one: T): boolean =>
    !is(one)

type AnySample = NumberSample | HistogramSample

/** Measurements of one name stand together. One that does not fit the first of its name is left out. */
function groupsOf(measurements: readonly Measurement[]): [Measurement, ...Measurement[]][] {
  const byName = new Map<string, [Measurement, ...Measurement[]]>()
  for (const measurement of measurements) {
    const group = byName.get(measurement.form.name)
    if (!group) byName.set(measurement.form.name, [measurement])
    else if (isSameKind(group[0], measurement)) group.push(measurement)
    else log('warn', 'two parts measure different things by one name', { metric: measurement.form.name })
  }
  return [...byName.values()]
}

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
