import type { CheckResult, Finding } from '@vidimus/core-types'
import { sql, type Database } from '@vidimus/database'

/** A running service publishes sooner, unless its network or its keys fail. */
const LATE_MS = 120_000

/** For `vidimus doctor`: whether the tables can be read, and waiting changes are published in time. */
export async function diagnoseStore(
  database: Database,
  check: () => Promise<CheckResult[]>,
  now: Date,
): Promise<Finding[]> {
  const checked = await check()
  const failed = checked.filter(({ ok }) => !ok)
  if (failed.length > 0)
    return failed.map(({ name, message = 'failed' }) => ({ name, level: 'fail', message }))
  const late = new Date(now.getTime() - LATE_MS).toISOString()
  const [row] = await database.query<{ lists: number | string; first: string | null }>(
    sql`SELECT COUNT(*) AS "lists", MIN("beat_at") AS "first" FROM "status_list_pace" WHERE "beat_at" < ${late}`,
  )
  const name = 'status-list-store'
  if (Number(row?.lists ?? 0) === 0) return [{ name, level: 'ok', message: 'no overdue versions of lists' }]
  return [
    {
      name,
      level: 'warn',
      message: `versions of ${row?.lists} status lists with a publishEvery are overdue, the first since ${row?.first ?? ''}`,
      advice:
        'nothing is lost: a running service publishes them; if it runs, its log says why they could not be published',
    },
  ]
}
