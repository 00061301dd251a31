import { inCheq, askedGauge, type Measurement, type MeasurementForm } from '@vidimus/core-types'
import { dayOf, sql, type Database } from '@vidimus/database'
import { FEE_DAYS } from './fee-days.js'
import { NEARLY_FULL_PERCENT } from './list-fill.js'
import { SLOT } from './list-row.js'
import { PUBLISHED } from './member-rows.js'

export const FULLEST_LIST: MeasurementForm = {
  name: 'vidimus_status_list_fill_ratio_max',
  help: 'Allocated share of the fullest status list, members of series aside: 1 if no index is left',
}

export const NEARLY_FULL_LISTS: MeasurementForm = {
  name: 'vidimus_status_lists_nearly_full',
  help: `Status lists of which at least ${NEARLY_FULL_PERCENT} % of the indices are allocated, members of series aside`,
}

export const FEES_TODAY: MeasurementForm = {
  name: 'vidimus_fees_today_cheq',
  help: 'What accounts have spent today (UTC) to read encrypted lists, in CHEQ',
  labels: ['network'],
}

export const REGISTERED: MeasurementForm = {
  name: 'vidimus_credentials_registered_total',
  help: 'Registered entries of credentials, by origin',
  labels: ['source'],
}

export const FORGOTTEN: MeasurementForm = {
  name: 'vidimus_credentials_forgotten_total',
  help: 'Registered entries deleted after the expiry of their credential',
}

export const OPEN_JOBS: MeasurementForm = {
  name: 'vidimus_status_list_jobs_open',
  help: 'Mass changes of status lists that are queued or running',
}

export const WAITING_CHANGES: MeasurementForm = {
  name: 'vidimus_status_list_waiting_changes',
  help: 'Entries of status lists whose changes wait for the next version of their list',
}

export const OLDEST_WAITING: MeasurementForm = {
  name: 'vidimus_status_list_oldest_waiting_change_seconds',
  help: 'Age of the oldest of these changes; 0 if there are none',
}

export const BEAT_LAG: MeasurementForm = {
  name: 'vidimus_status_list_beat_lag_seconds',
  help: 'How long the version of a list has been due that is due for the longest; 0 if none is',
}

/** How long figures of all lists are cached: computing them reads every list. */
const SERVE_MS = 15_000

interface Fill {
  fullest: number
  nearlyFull: number
}

/** How full lists are. The database shows which ones; a label would disclose their names to anyone who can scrape. */
export function fillMeasurements(database: Database): readonly Measurement[] {
  const fill = lately(() => look(database))
  return [
    askedGauge(FULLEST_LIST, async () => (await fill()).fullest),
    askedGauge(NEARLY_FULL_LISTS, async () => (await fill()).nearlyFull),
  ]
}

/** How much waits for the next version of its list. Any process reports what all of them have stored. */
export const waitingMeasurements = (database: Database, clock: () => Date): readonly Measurement[] => {
  const figures = lately(() => lookAtWaiting(database))
  const since = (time: string | null) =>
    time === null ? 0 : Math.max(0, (clock().getTime() - Date.parse(time)) / 1000)
  return [
    askedGauge(WAITING_CHANGES, async () => Number((await figures()).changes)),
    askedGauge(OLDEST_WAITING, async () => since((await figures()).oldest)),
    askedGauge(BEAT_LAG, async () => since((await figures()).beat)),
  ]
}

/** What all accounts have spent on fees today. */
export const feeMeasurements = (database: Database, clock: () => Date): readonly Measurement[] => [
  askedGauge(FEES_TODAY, async () =>
    [...(await FEE_DAYS.spentOn(database, dayOf(clock())))].map(([network, ncheq]) => ({
      labels: [network],
      value: inCheq(ncheq),
    })),
  ),
]

/** @returns `read`, whose result is used again for a while */
function lately<T>(read: () => Promise<T>): () => Promise<T> {
  let latest: { result: Promise<T>; until: number } | undefined
  return () => {
    const now = performance.now()
    if (!latest || latest.until < now) latest = { result: read(), until: now + SERVE_MS }
    return latest.result
  }
}

interface WaitingRow {
  changes: number | string
  oldest: string | null
  beat: string | null
}

async function lookAtWaiting(database: Database): Promise<WaitingRow> {
  const [row] = await database.query<WaitingRow>(
    sql`SELECT (SELECT COUNT(*) FROM "status_list_change") AS "changes", MIN("waiting_since") AS "oldest",
      (SELECT MIN(since) FROM work_item WHERE kind = ${SLOT} AND since IS NOT NULL) AS "beat"
      FROM "status_list_pace" WHERE "waiting_since" IS NOT NULL`,
  )
  return row ?? { changes: 0, oldest: null, beat: null }
}

/** Members of series are meant to fill up: the next one follows. */
const MEMBERS = sql`SELECT "l"."home", "l"."id" FROM "status_list_member" "m" JOIN "status_list" "l"
  ON "l"."home" = "m"."home" AND "l"."did" = "m"."did" AND "l"."name" = "m"."series" || '.' || "m"."member" AND "l"."resource_type" = "m"."resource_type"
  WHERE ${PUBLISHED}`

async function look(database: Database): Promise<Fill> {
  const [row] = await database.query<{ fullest: number | null; nearly_full: number | string | null }>(
    sql`SELECT MAX(CAST("allocated" AS REAL) / "entries") AS "fullest",
      SUM(CASE WHEN "allocated" * 100 >= "entries" * ${NEARLY_FULL_PERCENT} THEN 1 ELSE 0 END) AS "nearly_full"
      FROM "status_list_order" WHERE "entries" > 0 AND ("home", "list_id") NOT IN (${MEMBERS})`,
  )
  return { fullest: Number(row?.fullest ?? 0), nearlyFull: Number(row?.nearly_full ?? 0) }
}
