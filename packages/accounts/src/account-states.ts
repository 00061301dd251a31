import {
  AgentError,
  changedOnce,
  placeText,
  readPage,
  readPlace,
  type Account,
  type AuditActor,
  type AuditEntry,
  type Finding,
  type NextPage,
  type PageRequest,
  type RecordResult,
  type Total,
} from '@vidimus/core-types'
import {
  countRows,
  homeOf,
  joinSql,
  readRows,
  sql,
  type Connection,
  type Database,
  type Listing,
  type Sql,
} from '@vidimus/database'
import { workOn, type WorkKey } from '@vidimus/work'
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

/** @param name - exact, or a prefix ending in `*` */
export interface AccountSearch extends PageRequest {
  name?: string | undefined
}

/** The work of deleting an account, which has its item until all of it is gone. */
export const DELETION = 'account-deletion'

export const deletionOf = (account: string): WorkKey => ({ home: homeOf(account), key: account })

/** Incomplete deletions that a finding names. */
const MOST_NAMED = 20

/** Whether accounts may be used. Each change is one transaction together with its audit row. */
export class AccountStates {
  constructor(
    private readonly database: Database,
    private readonly clock: () => Date,
  ) {}

  /** @throws AgentError `account_not_found` */
  get(name: string): Promise<ListedAccount> {
    return found(this.database, name)
  }

  /** @returns `undefined` for an unknown account */
  async find(name: string): Promise<ListedAccount | undefined> {
    return (await selectAccounts(this.database, sql`WHERE name = ${checkedText(name, 'name')}`))[0]
  }

  /** By name. @throws AgentError `invalid_input` */
  async page({ name, ...request }: AccountSearch): Promise<{ accounts: ListedAccount[] } & Total & NextPage> {
    const range = readPage(request)
    const listing: Listing<AccountRow, ListedAccount> = {
      rows: (after) =>
        selectAccountRows(
          sql`${after === undefined ? sql`` : sql`WHERE name > ${joinSql(readPlace(after, 1))}`} ORDER BY name`,
        ),
      filter: name === undefined ? undefined : nameFilter(name),
      placeOf: (row) => placeText([row.name]),
      toItem: toListedAccount,
    }
    const { items: accounts, ...rest } = await readRows(this.database, listing, range)
    return { ...(await countRows(this.database, listing)), accounts, ...rest }
  }

  /** All accounts, by name. */
  async list(): Promise<ListedAccount[]> {
    return selectAccounts(this.database, sql`ORDER BY name`)
  }

  /**
   * From now on, refuses all its API keys and delivers none of its events, in every process. What was acknowledged is
   * completed. Disabling it again changes nothing.
   *
   * @param operator - of another account; absent: on the command line
   * @throws AgentError `account_not_found`
   */
  disable(name: string, operator?: AuditActor): Promise<ListedAccount> {
    const wanted: Wanted = ({ disabledAt }, now) =>
      disabledAt === undefined ? { disabledAt: now } : undefined
    return this.change(name, 'account-disabled', wanted, operator)
  }

  /** @throws AgentError `account_not_found`, `invalid_input` for one that is being deleted */
  enable(name: string, operator?: AuditActor): Promise<ListedAccount> {
    const wanted: Wanted = ({ disabledAt, deletionBeganAt }) => {
      if (deletionBeganAt !== undefined)
        throw invalidInput('name', 'is being deleted; the deletion can only be continued')
      return disabledAt === undefined ? undefined : { disabledAt: null }
    }
    return this.change(name, 'account-enabled', wanted, operator)
  }

  /** Disables it for good. @throws AgentError `account_not_found` */
  beginDeletion(name: string, operator?: AuditActor): Promise<ListedAccount> {
    const wanted: Wanted = ({ disabledAt = null, deletionBeganAt }, now) =>
      deletionBeganAt === undefined ? { disabledAt: disabledAt ?? now, deletionBeganAt: now } : undefined
    const begin = (connection: Connection, { id }: Account) => {
      const now = new Date()
      workOn(this.database).add(
        connection,
        DELETION,
        { ...deletionOf(id), owner: id, dueAt: now, since: now },
        now,
      )
    }
    return this.change(name, 'account-deletion-begun', wanted, operator, begin)
  }

  /** Deletions that were begun and have not ended. */
  async diagnose(): Promise<Finding[]> {
    const name = 'accounts'
    const begun = await selectAccounts(
      this.database,
      sql`WHERE id IN (SELECT key FROM work_item WHERE kind = ${DELETION}) ORDER BY name LIMIT ${MOST_NAMED}`,
    )
    if (begun.length === 0) return [{ name, level: 'ok', message: 'no deletion is incomplete' }]
    const names = begun.map((account) => `"${account.name}"`).join(', ')
    const message = `the deletion of ${names} is incomplete`
    return [{ name, level: 'warn', message, advice: 'continue it with: vidimus account delete NAME --yes' }]
  }

  private change(
    name: string,
    event: StateEvent,
    wanted: Wanted,
    operator: AuditActor | undefined,
    also?: (connection: Connection, account: Account) => void,
  ): Promise<ListedAccount> {
    const now = this.clock().toISOString()
    const write = (record: RecordResult<ListedAccount>) =>
      this.database.write(async (connection) => {
        const account = await found(connection, name)
        const change = wanted(account, now)
        if (change) {
          await connection.run(
            sql`UPDATE account SET disabled_at = ${change.disabledAt},
              deletion_began_at = ${change.deletionBeganAt ?? account.deletionBeganAt ?? null} WHERE id = ${account.id}`,
          )
          also?.(connection, account)
          await auditOperatorAct(
            connection,
            { event, subject: name },
            { accountId: account.id, operator, now },
          )
        }
        const changed = change ? await found(connection, name) : account
        await record(connection, changed)
        return changed
      }, TWO_TRAILS)
    return changedOnce(this.database, [event, name], write)
  }
}

type Wanted = (
  account: ListedAccount,
  now: string,
) => { disabledAt: string | null; deletionBeganAt?: string } | undefined

/** Of {@link auditOperatorAct}. */
export const TWO_TRAILS = { spans: 'in the trail of the account, and in that of the operator' }

/**
 * In the trail of the account that it concerns, which never names the operator, and in that of the operator's own account,
 * with who did it.
 */
export async function auditOperatorAct(
  connection: Connection,
  entry: AuditEntry,
  { accountId, operator, now }: { accountId: string; operator?: AuditActor | undefined; now: string },
): Promise<void> {
  await insertAuditEvent(connection, entry, { accountId }, now)
  if (operator) await insertAuditEvent(connection, { ...entry, detail: 'as an operator' }, operator, now)
}

/** The first characters decide, as they are counted by the database. */
function nameFilter(name: string): Sql {
  if (!name.endsWith('*')) return sql`w.name = ${name}`
  const start = name.slice(0, -1)
  return sql`SUBSTR(w.name, 1, ${[...start].length}) = ${start}`
}

async function found(reader: Pick<Connection, 'query'>, name: string): Promise<ListedAccount> {
  const [account] = await selectAccounts(reader, sql`WHERE name = ${checkedText(name, 'name')}`)
  if (!account) throw accountNotFound(name)
  return account
}

export const accountNotFound = (name: string, path = 'name'): AgentError => {
  const message = `there is no account "${name}"`
  return new AgentError('account_not_found', `${path}: ${message}`, { details: [{ path, message }] })
}

interface AccountRow extends Account {
  disabled_at: string | null
  deletion_began_at: string | null
}

const selectAccountRows = (rest: Sql): Sql =>
  sql`SELECT id, name, created_at AS "createdAt", disabled_at, deletion_began_at FROM account ${rest}`

const selectAccounts = async (reader: Pick<Connection, 'query'>, rest: Sql): Promise<ListedAccount[]> =>
  (await reader.query<AccountRow>(selectAccountRows(rest))).map(toListedAccount)

const toListedAccount = ({
  id,
  name,
  createdAt,
  disabled_at: disabledAt,
  deletion_began_at: deletionBeganAt,
}: AccountRow): ListedAccount => ({
  id,
  name,
  createdAt,
  ...(disabledAt !== null && { disabledAt }),
  ...(deletionBeganAt !== null && { deletionBeganAt }),
})
