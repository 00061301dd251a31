import { isCountedByAccount, type StoredShare, type TalliedKind } from './account-quotas.js'
import type { Connection } from './connection.js'
import { homeOf } from './homes.js'
import { joinSql, sql, type Sql } from './sql.js'

/**
 * A transaction's knowledge of tallies, so that each is read once, before the first write that is sent, whichever of the works that
 * share it that is.
 */
export class KnownTallies {
  private static readonly ofTransactions = new WeakMap<Connection['shared'], KnownTallies>()

  private readonly numbers = new Map<string, number>()
  private readonly changed = new Set<string>()

  /** @param connection - of one transaction */
  static of({ shared }: Pick<Connection, 'shared'>): KnownTallies {
    const known = this.ofTransactions.get(shared) ?? new KnownTallies()
    this.ofTransactions.set(shared, known)
    return known
  }

  /** @returns `undefined` if it was not read */
  find(account: string, what: string): number | undefined {
    return this.numbers.get(`${account} ${what}`)
  }

  /** As it is in the database. */
  note(account: string, what: string, n: number): void {
    this.numbers.set(`${account} ${what}`, n)
  }

  /** Whether the transaction itself has changed it. */
  isChanged(account: string, what: string): boolean {
    return this.changed.has(`${account} ${what}`)
  }

  change(account: string, what: string, difference: number): void {
    const before = this.find(account, what)
    if (before !== undefined) this.note(account, what, before + difference)
    this.changed.add(`${account} ${what}`)
  }
}

/**
 * Must be called in the transaction that adds or takes away `difference` of a kind.
 *
 * @param home - of the rows, where they are not those of the account: the sum of all homes counts
 */
export function tally(
  connection: Connection,
  account: string,
  kind: TalliedKind,
  difference: number,
  home = homeOf(account),
): void {
  if (difference === 0) return
  KnownTallies.of(connection).change(account, kind, difference)
  connection.send(
    sql`INSERT INTO account_tally (account_id, kind, home, n) VALUES (${account}, ${kind}, ${home}, ${difference})
      ON CONFLICT (account_id, kind, home) DO UPDATE SET n = account_tally.n + excluded.n`,
  )
}

/** How many an account holds; DIDs whose creation is under way are among them. */
export async function tallied(
  reader: Pick<Connection, 'query'>,
  account: string,
  kind: TalliedKind,
): Promise<number> {
  const [row] = await reader.query<{ n: number | string | null }>(
    sql`SELECT SUM(n) AS n FROM account_tally WHERE ${whereCounted(account, [kind])}`,
  )
  return Number(row?.n ?? 0)
}

/** The rows that are counted for kinds of an account. */
export function whereCounted(account: string, kinds: readonly TalliedKind[]): Sql {
  const home = kinds.every(isCountedByAccount) ? sql` AND home = ${homeOf(account)}` : sql``
  return sql`account_id = ${account} AND kind IN (${joinSql(kinds)})${home}`
}

/** Sums rows by account and kind. @param shares - selects `account`, `kind` and `n` */
export async function readShares(reader: Pick<Connection, 'query'>, shares: Sql): Promise<StoredShare[]> {
  const rows = await reader.query<Omit<StoredShare, 'n'> & { n: number | string }>(
    sql`SELECT account, kind, SUM(n) AS n FROM (${shares}) stored GROUP BY account, kind`,
  )
  return rows.map((row) => ({ ...row, n: Number(row.n) }))
}
