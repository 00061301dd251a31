import assert from 'node:assert/strict'
import { sql, type Database } from '@vidimus/database'
import { update } from '../behaviour/status-list.js'
import { createList } from '../behaviour/suite.js'
import { openDatabase } from '../support/open-database.js'
import { emptyInstallation } from '../support/fresh-database.js'
import { withFleet, type Fleet } from './fleet.js'
import { trialOf, type Figures, type Wishes } from './trial.js'

interface Size {
  minutes: number
  /** each with a list of its own */
  callers: number
}

const PARTS = 5
/** Of all tables together, by one update that makes a version. */
const MOST_ROWS = 300

const RULE =
  'Lists are updated for minutes on PostgreSQL, each change creating a version. Every update gets a ' +
  `response, and each reads at most ${MOST_ROWS} rows of all tables together, however many versions there ` +
  'are.'

interface Part {
  updates: number
  medianMs: number
  rows: number
}

async function run({ minutes: usual, callers }: Size, { minutes = usual }: Wishes): Promise<Figures> {
  const databaseUrl = await emptyInstallation('PostgreSQL')
  const configure = (text: string) => text.replace(/requests: 600000/g, 'requests: 100000000')
  return withFleet({ processes: 1, databaseUrl, configure }, async (fleet) => {
    const database = await openDatabase(fleet.installation)
    try {
      const lists = await Promise.all(Array.from({ length: callers }, () => createList(fleet.client())))
      const parts: Part[] = []
      for (let part = 0; part < PARTS; part += 1) {
        parts.push(await measured(fleet, database, lists, (minutes * 60_000) / PARTS))
      }
      return judged(parts)
    } finally {
      await database.lifecycle.stop()
    }
  })
}

type List = Awaited<ReturnType<typeof createList>>

async function measured(fleet: Fleet, database: Database, lists: readonly List[], ms: number): Promise<Part> {
  const before = await rowsRead(database)
  const took: number[] = []
  const until = performance.now() + ms
  const updated = async (list: List) => {
    while (performance.now() < until) {
      const startedAt = performance.now()
      await update(fleet.client(), list, [took.length % 130_000])
      took.push(performance.now() - startedAt)
    }
  }
  await Promise.all(lists.map(updated))
  const rows = ((await rowsRead(database)) - before) / took.length
  return {
    updates: took.length,
    medianMs: took.sort((one, other) => one - other)[took.length >> 1] ?? 0,
    rows,
  }
}

/** By the server's own count, which it writes down at the end of each second. */
async function rowsRead(database: Database): Promise<number> {
  const [row] = await database.query<{ rows: string }>(
    sql`SELECT tup_returned + tup_fetched AS rows FROM pg_stat_database WHERE datname = current_database()`,
  )
  return Number(row?.rows ?? 0)
}

function judged(parts: readonly Part[]): Figures {
  const [first, last] = [parts[0] ?? assert.fail(), parts.at(-1) ?? assert.fail()]
  assert.ok(last.rows <= MOST_ROWS, `${last.rows.toFixed(0)} rows an update: ${JSON.stringify(parts)}`)
  return {
    updates: parts.reduce((sum, { updates }) => sum + updates, 0),
    'rows an update': parts.map(({ rows }) => rows.toFixed(0)).join(', '),
    'median, ms': parts.map(({ medianMs }) => medianMs.toFixed(1)).join(', '),
    'median, last to first': (last.medianMs / first.medianMs).toFixed(2),
  }
}

export const updates = trialOf(
  'updates',
  RULE,
  { full: { minutes: 10, callers: 8 }, short: { minutes: 0.1, callers: 1 } },
  run,
)
