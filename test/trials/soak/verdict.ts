import type { Figures } from '../trial.js'
import type { Sample } from './samples.js'

/** The pace of the full form, of all callers together; unless the machine is too busy for them. */
export const REQUESTS_PER_SECOND = 60

type Series = Exclude<keyof Sample, 'minutes' | 'requests'>

/** What a series may gain by its slope: once, as what is used for the first time stays, and with every hour. */
const MOST: Record<Series, { once: number; anHour: number }> = {
  heapMb: { once: 64, anHour: 8 },
  // Caches fill up to their budget, and count what they take: a cache that counts too little shows in the rest.
  arrayBuffersMb: { once: 96, anHour: 8 },
  cachesMb: { once: Infinity, anHour: 0 },
  uncountedMb: { once: 6, anHour: 8 },
  rssMb: { once: 256, anHour: 60 },
  handles: { once: 4, anHour: 2 },
  files: { once: 4, anHour: 2 },
  slots: { once: 0, anHour: 0 },
  connections: { once: 4, anHour: 2 },
  walMb: { once: Infinity, anHour: 0 },
  logKb: { once: 64, anHour: 256 },
}
/**
 * Of the last samples to those after ten minutes of the whole load, in runs that last longer: what fills caches are requests,
 * which take longer to come through where the machine is busy.
 */
const MOST_RSS_RATIO = 1.3
const SETTLED = { minutes: 10, requests: 10 * 60 * REQUESTS_PER_SECOND }
const MOST_WAL_MB = 1024
/** From the first samples to the last: caches that count too little have filled before slopes are looked at. */
const MOST_UNCOUNTED_MB = 12
/** What is not filled before: caches, prepared statements, compiled code. */
const WARM_SHARE = 1 / 6

/** Slopes of all series after the beginning, and what is wrong with them. */
export function verdictOn(samples: readonly Sample[]): { figures: Figures; problems: string[] } {
  const judged = judgedOf(samples)
  const hours = ((judged.at(-1)?.minutes ?? 0) - (judged[0]?.minutes ?? 0)) / 60
  const figures: Figures = {}
  const problems: string[] = []
  for (const [series, most] of Object.entries(MOST) as [Series, (typeof MOST)[Series]][]) {
    const line = lineThrough(judged.map((sample) => [sample.minutes / 60, sample[series]]))
    figures[series] = `${line.first.toFixed(1)} then ${line.last.toFixed(1)} (${signed(line.slope)} an hour)`
    // Beyond what the samples scatter about their line.
    if (line.last - line.first > most.once + most.anHour * hours + 3 * line.scatter)
      problems.push(`${series} grows: ${figures[series]}`)
  }
  const gained = sinceTheBeginning(samples, 'uncountedMb')
  figures['not counted, since the beginning'] = signed(gained)
  if (gained > MOST_UNCOUNTED_MB)
    problems.push(`memory that no cache counts grows by ${gained.toFixed(0)} MB from the beginning`)
  const left = samples.filter(({ slots }) => slots > 0)
  if (left.length > 0) problems.push(`${left.length} samples with slots that were not given back`)
  const resident = residentMemory(samples)
  if (resident) {
    figures['resident, last to settled'] = resident.ratio.toFixed(2)
    if (resident.ratio > MOST_RSS_RATIO)
      problems.push(`resident memory grows to ${resident.ratio.toFixed(2)} times`)
  } else if ((samples.at(-1)?.minutes ?? 0) > 2 * SETTLED.minutes)
    problems.push('too few requests came through to judge resident memory')
  const wal = Math.max(...samples.map(({ walMb }) => walMb))
  if (wal > MOST_WAL_MB) problems.push(`the write-ahead log has ${wal.toFixed(0)} MB`)
  return { figures, problems }
}

function sinceTheBeginning(samples: readonly Sample[], series: Series): number {
  const of = (some: readonly Sample[]) => mean(some.map((sample) => sample[series]))
  return of(lastOf(samples)) - of(samples.slice(0, 3))
}

const judgedOf = (samples: readonly Sample[]) => samples.slice(Math.ceil(samples.length * WARM_SHARE))

/** When caches are full, and over the last third; nothing where the run was too short, or the machine too busy, for both. */
export function residentMemory(samples: readonly Sample[]) {
  const lastThird = lastOf(judgedOf(samples))
  const settled = samples.find(
    ({ minutes, requests }) => minutes >= SETTLED.minutes && requests >= SETTLED.requests,
  )
  if (!settled || settled.minutes >= (lastThird[0]?.minutes ?? 0)) return undefined
  const last = mean(lastThird.map(({ rssMb }) => rssMb))
  return { settled, last, ratio: last / settled.rssMb }
}

/** By least squares. */
function lineThrough(points: readonly (readonly [x: number, y: number])[]) {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [meanX, meanY] = [mean(xs), mean(ys)]
  const sxx = xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0)
  const sxy = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  const slope = sxx === 0 ? 0 : sxy / sxx
  const at = (x: number) => meanY + slope * (x - meanX)
  const scatter = Math.sqrt(mean(points.map(([x, y]) => (y - at(x)) ** 2)))
  return { slope, scatter, first: at(xs[0] ?? 0), last: at(xs.at(-1) ?? 0) }
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)
const third = (samples: readonly Sample[]) => Math.max(1, Math.floor(samples.length / 3))
const lastOf = (samples: readonly Sample[]) => samples.slice(-third(samples))
const signed = (value: number) => (value >= 0 ? '+' : '') + value.toFixed(1)
