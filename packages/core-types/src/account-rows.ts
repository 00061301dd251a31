/**
 * Rows of one kind that are an account's. Whatever keeps some shows them as `accountRows`: deleting an account counts them,
 * and erases them all.
 */
export interface AccountRows {
  /** their name for people: `webhooks` */
  readonly name: string
  /** the tables with accounts in them that this looks after */
  readonly tables: readonly string[]
  /**
   * what becomes of them; default `erased`. Rows that end by themselves are waited for: acknowledged changes, money
   * under way.
   */
  readonly fate?: 'erased' | 'made nameless' | 'waited for'
  /** rows of other kinds are found by these, or report their end: they are erased after all others */
  readonly isLast?: boolean
  /**
   * For kinds that are waited for: before the wait, lets what would otherwise end much later end soon.
   *
   * @param account - its id
   */
  hasten?(account: string): Promise<void>
  /** @param account - its id */
  count(account: string): Promise<number>
  /** Erases all rows, some in each transaction; may be repeated. Not for kinds that are waited for. */
  erase(account: string): Promise<void>
}

/** An object of `agent.yml` that keeps rows of accounts, as `lifecycle` is looked for. */
export interface HasAccountRows {
  readonly accountRows: readonly AccountRows[]
}
