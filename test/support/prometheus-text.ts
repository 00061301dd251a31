import assert from 'node:assert/strict'

export interface Sample {
  /** with the suffix of a histogram's parts */
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  samples: Sample[]
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/
const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|NaN|[+-]Inf)$/
const SUFFIXES = ['_bucket', '_sum', '_count']

/**
 * Reads the text format as it is specified, and takes nothing beside it: each metric has one group of lines, HELP and TYPE
 * before its samples, labels are escaped, no sample comes twice, and histograms add up.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-details
 */
export function parseMetrics(text: string): Map<string, Metric> {
  assert.ok(text.endsWith('\n'), 'the last line ends with a line feed')
  const metrics = new Map<string, Metric>()
  let current: Metric | undefined
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue
    const help = /^# HELP (\S+) (.*)$/.exec(line)
    if (help) {
      const [, name = '', said = ''] = help
      assert.match(name, NAME)
      assert.ok(!metrics.has(name), `${name} has one group`)
      assert.doesNotMatch(said.replace(/\\\\|\\n/g, ''), /\\/, `the help of ${name} is escaped`)
      current = { name, help: said, type: 'gauge', samples: [] }
      metrics.set(name, current)
      continue
    }
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line)
    if (type) {
      assert.equal(type[1], current?.name, 'TYPE follows HELP')
      assert.ok(current)
      assert.equal(current.samples.length, 0)
      current.type = type[2] as Metric['type']
      continue
    }
    assert.ok(!line.startsWith('#'), `a comment that is neither: ${line}`)
    const sample = sampleOf(line)
    assert.ok(current && belongs(sample.name, current), `${sample.name} belongs to ${current?.name}`)
    current.samples.push(sample)
  }
  for (const metric of metrics.values()) check(metric)
  return metrics
}

const belongs = (name: string, { name: metric, type }: Metric): boolean =>
  type === 'histogram' ? SUFFIXES.some((suffix) => name === metric + suffix) : name === metric

function sampleOf(line: string): Sample {
  const [, name = '', written = '', value = ''] =
    /^([^\s{]+)(?:\{((?:[^"]|"(?:[^"\\]|\\.)*")*)\})? (\S+)$/.exec(line) ?? []
  assert.match(name, NAME, line)
  assert.match(value, NUMBER, line)
  const labels: Record<string, string> = {}
  let rest = written
  while (rest !== '') {
    const [whole = '', label = '', text = ''] =
      /^([^=]+)="((?:[^"\\\n]|\\["\\n])*)"(?:,(?=.)|$)/.exec(rest) ?? []
    assert.ok(whole !== '', `labels of ${line}`)
    assert.match(label, LABEL_NAME)
    assert.ok(!(label in labels), `${label} once in ${line}`)
    labels[label] = text.replace(/\\(.)/g, (_all, char: string) => (char === 'n' ? '\n' : char))
    rest = rest.slice(whole.length)
  }
  return { name, labels, value: numberOf(value) }
}

const numberOf = (text: string): number =>
  text.endsWith('Inf') ? (text.startsWith('-') ? -Infinity : Infinity) : Number(text)

function check(metric: Metric): void {
  const keys = metric.samples.map(({ name, labels }) => name + JSON.stringify(Object.entries(labels).sort()))
  assert.equal(new Set(keys).size, keys.length, `${metric.name} has each sample once`)
  if (metric.type === 'counter') {
    for (const { value } of metric.samples) assert.ok(value >= 0, `${metric.name} counts`)
  }
  if (metric.type === 'histogram') checkHistogram(metric)
}

function checkHistogram({ name, samples }: Metric): void {
  const series = new Map<string, Sample[]>()
  for (const sample of samples) {
    const key = withoutBound(sample)
    series.set(key, [...(series.get(key) ?? []), sample])
  }
  for (const parts of series.values()) {
    const buckets = parts.filter((part) => part.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) => numberOf(labels.le ?? 'none'))
    assert.deepEqual(
      bounds,
      [...bounds].sort((left, right) => left - right),
    )
    assert.equal(bounds.at(-1), Infinity)
    const counts = buckets.map(({ value }) => value)
    assert.deepEqual(
      counts,
      [...counts].sort((left, right) => left - right),
      `${name} is cumulative`,
    )
    const count = parts.filter((part) => part.name === `${name}_count`)
    assert.deepEqual(
      count.map(({ value }) => value),
      [counts.at(-1)],
    )
    assert.equal(parts.filter((part) => part.name === `${name}_sum`).length, 1)
  }
}

const withoutBound = ({ labels: { le: _le, ...labels } }: Sample): string =>
  JSON.stringify(Object.entries(labels).sort())

/** The value of a sample; 0 where there is none yet. */
export function valueOf(
  metrics: ReadonlyMap<string, Metric>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const found = [...metrics.values()]
    .flatMap(({ samples }) => samples)
    .filter(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
    )
  return found.reduce((sum, { value }) => sum + value, 0)
}
