/**
 * Rows of one kind that are an account's. Whatever keeps some shows them as `accountRows`: deleting an account counts them,
 * and erases them all.
 */
export interface AccountRows {
  /** what they are, for people: `webhooks` */
  readonly name: string
  /** the tables with accounts in them that this looks after */
  readonly tables: readonly string[]
  /** what becomes of them; default `erased`. What ends by itself is waited for: acknowledged changes, money under way. */
  readonly fate?: 'erased' | 'made nameless' | 'waited for'
  /** rows of others are found by these, or tell of their end: they go after all that are not */
  readonly isLast?: boolean
  /** @param account - its id */
  count(account: string): Promise<number>
  /** Erases all that are there, some in each transaction; may be repeated. Not for what is waited for. */
  erase(account: string): Promise<void>
}

/** An object of `agent.yml` that keeps rows of accounts, as `lifecycle` is looked for. */
export interface HasAccountRows {
  readonly accountRows: readonly AccountRows[]
}
