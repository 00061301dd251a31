import { log, type HistogramForm, type Measurement } from '@vidimus/core-types'

/** Measurements of one name, at least one. */
export type Group = readonly [Measurement, ...Measurement[]]

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const LABEL = /^(?!__|le$)[a-zA-Z_][a-zA-Z0-9_]*$/

/** The server tells these of the process itself. */
const OF_THE_PROCESS = /^(process|nodejs)_/

/** Measurements of one name stand together. Those that could not be told are left out, and the log says so. */
export function groupsOf(measurements: readonly Measurement[]): Group[] {
  const byName = new Map<string, [Measurement, ...Measurement[]]>()
  for (const measurement of measurements) {
    const mistake = mistakeIn(measurement)
    if (mistake !== undefined) {
      log('warn', 'a part measures what cannot be told', { reason: mistake })
      continue
    }
    const { name } = measurement.form
    const group = byName.get(name)
    if (!group) byName.set(name, [measurement])
    else if (isSameKind(group[0], measurement)) group.push(measurement)
    else log('warn', 'two parts measure different things by one name', { metric: name })
  }
  return [...byName.values()]
}

/** Objects of `agent.yml` come from other authors, too, whose compiler may not have looked. */
function mistakeIn(measurement: unknown): string | undefined {
  if (typeof measurement !== 'object' || measurement === null) return 'it is no object'
  const { kind, form, read } = measurement as Partial<Measurement> & { form?: Partial<HistogramForm> }
  if (typeof form?.name !== 'string' || !NAME.test(form.name)) return 'it has no name that Prometheus takes'
  const { name, help, labels = [] } = form
  if (OF_THE_PROCESS.test(name)) return `${name} is for what the server tells of the process`
  if (kind !== 'counter' && kind !== 'gauge' && kind !== 'histogram') return `${name} is of no kind`
  if (typeof help !== 'string' || typeof read !== 'function') return `${name} lacks help or read`
  if (!labels.every((label) => LABEL.test(label))) return `${name} has a label that Prometheus does not take`
  const { buckets = [] } = form
  const isAscending = buckets.every((bound, n) => n === 0 || bound > (buckets[n - 1] ?? Infinity))
  return isAscending ? undefined : `the buckets of ${name} do not ascend`
}

const isSameKind = (left: Measurement, right: Measurement): boolean =>
  left.kind === right.kind &&
  JSON.stringify([left.form.labels ?? [], bucketsOf(left)]) ===
    JSON.stringify([right.form.labels ?? [], bucketsOf(right)])

const bucketsOf = (measurement: Measurement) =>
  measurement.kind === 'histogram' ? measurement.form.buckets : []
