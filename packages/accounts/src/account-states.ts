import type { Account, Finding } from '@vidimus/core-types'
import { sql, type Connection, type Database, type Sql } from '@vidimus/database'
import { insertAuditEvent } from './audit-rows.js'
import { checkedText, invalidInput } from './checked-text.js'

/** An account as operators see it. */
export interface ListedAccount extends Account {
  /** ISO 8601; absent: it is not disabled */
  disabledAt?: string
  /** ISO 8601; absent if its deletion has not begun */
  deletionBeganAt?: string
}

type StateEvent = 'account-disabled' | 'account-enabled' | 'account-deletion-begun'

/** Whether accounts may be used. Each change is one transaction together with its audit row. */
export class AccountStates {
  constructor(
    private readonly database: Database,
    private readonly clock: () => Date,
  ) {}

  /** @throws AgentError `invalid_input` for an unknown account */
  get(name: string): Promise<ListedAccount> {
    return found(this.database, name)
  }

  /** All accounts, by name. */
  async list(): Promise<ListedAccount[]> {
    return selectAccounts(this.database, sql`ORDER BY name`)
  }

  /**
   * From now on, refuses all its API keys and delivers none of its events, in every process. What was acknowledged is
   * completed. Disabling it again changes nothing.
   *
   * @throws AgentError `invalid_input` for an unknown account
   */
  disable(name: string): Promise<ListedAccount> {
    return this.change(name, 'account-disabled', ({ disabledAt }, now) =>
      disabledAt === undefined ? { disabledAt: now } : undefined,
    )
  }

  /** @throws AgentError `invalid_input` for an unknown account, and for one that is being deleted */
  enable(name: string): Promise<ListedAccount> {
    return this.change(name, 'account-enabled', ({ disabledAt, deletionBeganAt }) => {
      if (deletionBeganAt !== undefined)
        throw invalidInput('name', 'is being deleted; the deletion can only be continued')
      return disabledAt === undefined ? undefined : { disabledAt: null }
    })
  }

  /** Disables it for good. @throws AgentError `invalid_input` for an unknown account */
  beginDeletion(name: string): Promise<ListedAccount> {
    return this.change(name, 'account-deletion-begun', ({ disabledAt = null, deletionBeganAt }, now) =>
      deletionBeganAt === undefined ? { disabledAt: disabledAt ?? now, deletionBeganAt: now } : undefined,
    )
  }

  /** Deletions that were begun and have not ended. */
  async diagnose(): Promise<Finding[]> {
    const name = 'accounts'
    const accounts = await this.list()
    const begun = accounts.filter(({ deletionBeganAt }) => deletionBeganAt !== undefined)
    if (begun.length === 0) return [{ name, level: 'ok', message: 'no deletion is incomplete' }]
    const names = begun.map((account) => `"${account.name}"`).join(', ')
    const message = `the deletion of ${names} is incomplete`
    return [{ name, level: 'warn', message, advice: 'continue it with: vidimus account delete NAME --yes' }]
  }

  private change(
    name: string,
    event: StateEvent,
    wanted: (
      account: ListedAccount,
      now: string,
    ) => { disabledAt: string | null; deletionBeganAt?: string } | undefined,
  ): Promise<ListedAccount> {
    const now = this.clock().toISOString()
    return this.database.write(async (connection) => {
      const account = await found(connection, name)
      const change = wanted(account, now)
      if (!change) return account
      await connection.run(
        sql`UPDATE account SET disabled_at = ${change.disabledAt},
          deletion_began_at = ${change.deletionBeganAt ?? account.deletionBeganAt ?? null} WHERE id = ${account.id}`,
      )
      await insertAuditEvent(connection, { event, subject: name }, { accountId: account.id }, now)
      return found(connection, name)
    })
  }
}

async function found(reader: Pick<Connection, 'query'>, name: string): Promise<ListedAccount> {
  const [account] = await selectAccounts(reader, sql`WHERE name = ${checkedText(name, 'name')}`)
  if (!account) throw invalidInput('name', `there is no account "${name}"`)
  return account
}

interface AccountRow extends Account {
  disabled_at: string | null
  deletion_began_at: string | null
}

async function selectAccounts(reader: Pick<Connection, 'query'>, rest: Sql): Promise<ListedAccount[]> {
  const rows = await reader.query<AccountRow>(
    sql`SELECT id, name, created_at AS "createdAt", disabled_at, deletion_began_at FROM account ${rest}`,
  )
  return rows.map(({ disabled_at: disabledAt, deletion_began_at: deletionBeganAt, ...account }) => ({
    ...account,
    ...(disabledAt !== null && { disabledAt }),
    ...(deletionBeganAt !== null && { deletionBeganAt }),
  }))
}
