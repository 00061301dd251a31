import { AgentError, queueName } from '@vidimus/core-types'
import {
  type Connection,
  type CountsStored,
  type Database,
  sql,
  type StoredShare,
  type TalliedKind,
  tally,
} from '@vidimus/database'

/** A tally of an account that differs from its rows. */
export interface WrongTally extends StoredShare {
  accountName: string
  /** what its rows are is `n` */
  tallied: number
}

/**
 * Recounts all tallies at one moment, without changing anything, while others write. It scans tables: not for
 * requests.
 */
export const wrongTallies = (
  database: Pick<Database, 'readConsistently'>,
  counters: readonly CountsStored[],
): Promise<WrongTally[]> => database.readConsistently((reader) => compare(reader, counters))

async function compare(
  reader: Pick<Connection, 'query'>,
  counters: readonly CountsStored[],
): Promise<WrongTally[]> {
  const { kinds, counted } = await countAll(reader, counters)
  const rows = await reader.query<{ account: string; kind: string; n: number | string }>(
    sql`SELECT account_id AS account, kind, SUM(n) AS n FROM account_tally GROUP BY account_id, kind`,
  )
  const tallied = new Map(rows.map(({ account, kind, n }) => [tallyName(account, kind), Number(n)]))
  const accounts = await reader.query<{ id: string; name: string }>(
    sql`SELECT id, name FROM account ORDER BY name`,
  )
  return accounts.flatMap(({ id, name }) =>
    kinds.flatMap((kind) => {
      const [n, was] = [counted, tallied].map((one) => one.get(tallyName(id, kind)) ?? 0) as [number, number]
      return n === was ? [] : [{ account: id, accountName: name, kind, n, tallied: was }]
    }),
  )
}

const tallyName = (account: string, kind: string): string => `${account} ${kind}`

async function countAll(reader: Pick<Connection, 'query'>, counters: readonly CountsStored[]) {
  // Ledgers of several networks share their tables.
  const kinds = new Set<TalliedKind>()
  const counted = new Map<string, number>()
  for (const { storedKinds, countStored } of counters) {
    if (storedKinds.some((kind) => kinds.has(kind))) continue
    for (const kind of storedKinds) kinds.add(kind)
    for (const { account, kind, n } of await countStored(reader)) counted.set(tallyName(account, kind), n)
  }
  return { kinds: [...kinds], counted }
}

/**
 * Corrects every tally. Concurrent writers change rows and tally alike, so the difference at one moment remains valid
 * later; if two processes added it at once, it would be wrong again.
 *
 * @returns what was wrong
 * @throws AgentError `unavailable` if another process is doing this
 */
export async function correctTallies(
  database: Pick<Database, 'readConsistently' | 'write' | 'lock'>,
  counters: readonly CountsStored[],
): Promise<WrongTally[]> {
  const release = await database.lock(queueName('recount'))
  if (!release)
    throw new AgentError('unavailable', 'another process is already recounting the usage of accounts')
  try {
    const wrong = await wrongTallies(database, counters)
    if (wrong.length > 0)
      await database.write((connection) => addDifferences(connection, wrong), {
        spans: 'differences of several accounts at one moment',
      })
    return wrong
  } finally {
    await release()
  }
}

async function addDifferences(connection: Connection, wrong: readonly WrongTally[]): Promise<void> {
  const staying = await connection.query<{ id: string }>(
    sql`SELECT id FROM account WHERE deletion_began_at IS NULL`,
  )
  const ids = new Set(staying.map(({ id }) => id))
  for (const { account, kind, n, tallied } of wrong) {
    if (ids.has(account)) tally(connection, account, kind, n - tallied)
  }
}
