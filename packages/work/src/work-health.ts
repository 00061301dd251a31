import { askedGauge, PAGES, WORK_KINDS, type Finding, type Measurement } from '@vidimus/core-types'
import { joinSql, sql, type Reader } from '@vidimus/database'
import { WORK_DUE, WORK_OLDEST } from './measurements.js'
import { NEVER_AT } from './work-rows.js'

/** An item of the kind is due for so long, or has failed so often, before an operator is told. */
const LATE_MS = 600_000
const OFTEN = 3

interface DueWork {
  kind: string
  /** up to {@link PAGES.counted} */
  count: number
  oldestMs: number
}

/** What is due, kind by kind, by the first entries of its index. */
async function dueByKind(reader: Reader): Promise<DueWork[]> {
  const now = new Date()
  const parts = WORK_KINDS.map(
    (
      kind,
    ) => sql`SELECT CAST(${kind} AS TEXT) AS kind, MIN(due_at) AS due_at, COUNT(*) AS n FROM (SELECT due_at FROM work_item
      WHERE kind = ${kind} AND due_at <= ${now.toISOString()} ORDER BY due_at LIMIT ${PAGES.counted}) w`,
  )
  const rows = await reader.query<{ kind: string; due_at: string | null; n: number | string }>(
    joinSql(parts, ' UNION ALL '),
  )
  return rows.map(({ kind, due_at: at, n }) => ({
    kind,
    count: Number(n),
    oldestMs: at === null ? 0 : now.getTime() - Date.parse(at),
  }))
}

export function dueGauges(reader: Reader): readonly Measurement[] {
  const byKind = (value: (due: DueWork) => number) => async () =>
    (await dueByKind(reader)).map((due) => ({ labels: [due.kind], value: value(due) }))
  return [
    askedGauge(
      WORK_DUE,
      byKind(({ count }) => count),
    ),
    askedGauge(
      WORK_OLDEST,
      byKind(({ oldestMs }) => oldestMs / 1000),
    ),
  ]
}

/** What `vidimus doctor` says of all that waits. */
export async function examineWork(reader: Reader): Promise<Finding[]> {
  const failing = await reader.query<{ kind: string }>(
    sql`SELECT kind FROM work_item WHERE attempts > 0 AND attempts >= ${OFTEN} AND due_at < ${NEVER_AT} LIMIT ${PAGES.counted}`,
  )
  const late = (await dueByKind(reader)).filter(({ oldestMs }) => oldestMs > LATE_MS)
  const problems = [
    ...late.map(
      ({ kind, count, oldestMs }) =>
        `${count} of the kind ${kind} due, the oldest for ${Math.round(oldestMs / 60_000)} minutes`,
    ),
    ...[...new Set(failing.map(({ kind }) => kind))].map(
      (kind) =>
        `${failing.filter((one) => one.kind === kind).length} of the kind ${kind} failing again and again`,
    ),
  ]
  const name = 'work'
  if (problems.length === 0) return [{ name, level: 'ok', message: 'nothing waits longer than it should' }]
  const advice = 'see "vidimus work list", and docs/work.md'
  return [{ name, level: 'warn', message: `work waits: ${problems.join('; ')}`, advice }]
}
