import { AuditLog, type AuditQuery } from '@vidimus/accounts'
import type { Database } from '@vidimus/database'
import { median, type Comparison } from './compare.js'
import type { Installation } from './installation.js'
import { PAGE } from './known.js'

const ROUNDS = 101

/** What `vidimus audit` is asked for; no request reads the trail. */
const QUERIES = {
  'the whole trail': {},
  'that of an account': { account: 'large' },
  'of a rare event': { event: 'did-deactivated' },
  'since a time': { since: '2020-01-01T00:00:00Z' },
} as const satisfies Record<string, AuditQuery>

/** Reads the newest rows of the audit trail of both, in turns. */
export function compareAudit(empty: Installation, full: Installation): Promise<Comparison[]> {
  return empty.withDatabase((one) =>
    full.withDatabase(async (other) => {
      const found: Comparison[] = []
      for (const [name, query] of Object.entries(QUERIES))
        found.push(await compareReads(name, query, one, other))
      return found
    }),
  )
}

async function compareReads(
  name: string,
  query: AuditQuery,
  ...[empty, full]: [Database, Database]
): Promise<Comparison> {
  const read = async (database: Database): Promise<number> => {
    const begun = performance.now()
    await new AuditLog(database).list({ ...query, limit: PAGE })
    return performance.now() - begun
  }
  const times: { empty: number; full: number }[] = []
  for (let n = 0; n < ROUNDS; n += 1) times.push({ empty: await read(empty), full: await read(full) })
  return {
    ...{ name, connections: 1 },
    empty: median(times.map((time) => time.empty)),
    full: median(times.map((time) => time.full)),
    ratio: median(times.map((time) => time.empty / time.full)),
  }
}
