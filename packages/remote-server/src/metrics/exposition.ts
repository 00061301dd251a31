import type { HistogramForm, HistogramSample, MeasurementForm, NumberSample } from '@vidimus/core-types'

/** The media type of the text format, version 0.0.4. */
export const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8'

/** A metric with the values that it has now. */
export type ReadMetric =
  | { kind: 'counter' | 'gauge'; form: MeasurementForm; samples: readonly NumberSample[] }
  | { kind: 'histogram'; form: HistogramForm; samples: readonly HistogramSample[] }

/**
 * Writes a metric as Prometheus reads it.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export function textOf(metric: ReadMetric): string {
  const { kind, form } = metric
  if (metric.kind === 'histogram') {
    const lines = metric.samples.flatMap((sample) => histogramLines(metric.form, sample))
    return group(form, kind, lines)
  }
  const lines = metric.samples.map(({ labels, value }) => line(form.name, pairs(form, labels), value))
  return group(form, kind, lines)
}

/** A metric whose samples have names of their own, as those of a histogram have. */
export interface NamedSamples {
  name: string
  help: string
  kind: string
  samples: readonly { name: string; labels: Readonly<Record<string, string | number>>; value: number }[]
}

/** {@link textOf} for what another library has measured. What is no number is left out. */
export const textOfNamed = ({ name, help, kind, samples }: NamedSamples): string =>
  group(
    { name, help },
    kind,
    samples
      .filter(({ value }) => !Number.isNaN(value))
      .map((sample) => {
        const labels = Object.entries(sample.labels).map(([label, text]) => [label, String(text)] as const)
        return line(sample.name, labels, sample.value)
      }),
  )

const group = ({ name, help }: MeasurementForm, kind: string, lines: readonly string[]): string =>
  [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${kind}`, ...lines, ''].join('\n')

/** Buckets hold everything up to their bound, those below included. */
function histogramLines(form: HistogramForm, { labels, counts, sum }: HistogramSample): string[] {
  const named = pairs(form, labels)
  let below = 0
  const buckets = counts.map((count, n) => {
    below += count
    const bound = form.buckets[n]
    return line(
      `${form.name}_bucket`,
      [...named, ['le', bound === undefined ? '+Inf' : String(bound)]],
      below,
    )
  })
  return [...buckets, line(`${form.name}_sum`, named, sum), line(`${form.name}_count`, named, below)]
}

type Pair = readonly [name: string, value: string]

const pairs = ({ labels: names = [] }: MeasurementForm, labels: readonly string[]): Pair[] =>
  names.map((name, n) => [name, labels[n] ?? ''])

function line(name: string, labels: readonly Pair[], value: number): string {
  const written = labels.map(([label, text]) => `${label}="${escaped(text).replaceAll('"', '\\"')}"`)
  return `${name}${written.length > 0 ? `{${written.join(',')}}` : ''} ${numberText(value)}`
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : '-Inf'
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
