import type { AccountRows } from '@vidimus/core-types'
import type { Database } from './database.js'
import { inAccount } from './homes.js'
import { joinSql, Sql, sql, type SqlValue } from './sql.js'

/** Rows in one transaction, so that no caller waits long for it. */
const TOGETHER = 500

export interface AccountTable extends Pick<AccountRows, 'name' | 'fate' | 'isLast'> {
  table: string
  /** the columns of its primary key */
  id: readonly [string, ...string[]]
  /** tables whose rows are deleted with those of this one */
  with?: readonly string[]
  /** whether all rows of an account have its home; default: they are looked for in all homes */
  hasHomeOfAccount?: boolean
  /** filters the rows with this `account_id`; default: all */
  which?: Sql
  /** values to set instead of deleting; such rows must no longer be among {@link which}, or belong to nobody */
  instead?: Sql
}

/** The rows of one table with the column `account_id`. */
export class TableOfAccounts implements AccountRows {
  readonly name: string
  readonly fate: NonNullable<AccountRows['fate']>
  readonly isLast: boolean
  readonly tables: readonly string[]
  private readonly table: Sql
  private readonly id: Sql

  constructor(
    private readonly database: Pick<Database, 'query' | 'write'>,
    private readonly options: AccountTable,
  ) {
    this.name = options.name
    this.fate = options.fate ?? 'erased'
    this.isLast = options.isLast ?? false
    this.tables = [options.table, ...(options.with ?? [])]
    this.table = named(options.table)
    this.id = joinSql(options.id.map(named))
  }

  async count(account: string): Promise<number> {
    const [row] = await this.database.query<{ n: number | string }>(
      sql`SELECT COUNT(*) AS n FROM ${this.table} WHERE ${this.ofAccount(account)}`,
    )
    return Number(row?.n)
  }

  /** Steps over the primary key: whatever index there is, no row is looked at twice. */
  async erase(account: string): Promise<void> {
    const { options, id, table } = this
    for (let after: readonly SqlValue[] | undefined; ;) {
      const further = after ? sql`AND (${id}) > (${joinSql(after)})` : sql``
      const rows = await this.database.query<Record<string, SqlValue>>(
        sql`SELECT ${id} FROM ${table} WHERE ${this.ofAccount(account)} ${further} ORDER BY ${id} LIMIT ${TOGETHER}`,
      )
      const last = rows.at(-1)
      if (!last) return
      after = options.id.map((column) => last[column] ?? null)
      const some = sql`${this.ofAccount(account)} ${further} AND (${id}) <= (${joinSql(after)})`
      const statement = options.instead
        ? sql`UPDATE ${table} SET ${options.instead} WHERE ${some}`
        : sql`DELETE FROM ${table} WHERE ${some}`
      await this.database.write((connection) => connection.run(statement), { overwrite: true })
    }
  }

  private ofAccount(account: string): Sql {
    const { which, hasHomeOfAccount } = this.options
    const own = hasHomeOfAccount ? inAccount(account) : sql`account_id = ${account}`
    return sql`${own} ${which ? sql`AND ${which}` : sql``}`
  }
}

const named = (name: string): Sql => new Sql([`"${name}"`], [])
