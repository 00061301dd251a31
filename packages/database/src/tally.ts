import type { StoredShare, TalliedKind } from './account-quotas.js'
import type { Connection } from './connection.js'
import { sql, type Sql } from './sql.js'

/** Has to be called in the transaction that adds or takes away `difference` of a kind. */
export async function tally(
  connection: Connection,
  account: string,
  kind: TalliedKind,
  difference: number,
): Promise<void> {
  if (difference === 0) return
  await connection.run(
    sql`INSERT INTO account_tally (account_id, kind, n) VALUES (${account}, ${kind}, ${difference})
      ON CONFLICT (account_id, kind) DO UPDATE SET n = account_tally.n + excluded.n`,
  )
}

/** How many an account holds; DIDs whose creation is under way are among them. */
export async function tallied(
  reader: Pick<Connection, 'query'>,
  account: string,
  kind: TalliedKind,
): Promise<number> {
  const [row] = await reader.query<{ n: number | string }>(
    sql`SELECT n FROM account_tally WHERE account_id = ${account} AND kind = ${kind}`,
  )
  return Number(row?.n ?? 0)
}

/** Adds up what rows say, by account and kind. @param shares - selects `account`, `kind` and `n` */
export async function readShares(reader: Pick<Connection, 'query'>, shares: Sql): Promise<StoredShare[]> {
  const rows = await reader.query<Omit<StoredShare, 'n'> & { n: number | string }>(
    sql`SELECT account, kind, SUM(n) AS n FROM (${shares}) stored GROUP BY account, kind`,
  )
  return rows.map((row) => ({ ...row, n: Number(row.n) }))
}
