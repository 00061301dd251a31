import { setTimeout as pause } from 'node:timers/promises'
import { AgentError, type Account, type AccountRows } from '@vidimus/core-types'
import { isForeignKeyViolation, sql, type Connection, type Database } from '@vidimus/database'
import { workOn } from '@vidimus/work'
import { DELETION, deletionOf, type AccountStates } from './account-states.js'
import { insertAuditEvent } from './audit-rows.js'

/** The rows of one kind of an account. */
export interface AccountContent {
  name: string
  rows: number
  fate: NonNullable<AccountRows['fate']>
}

export interface DeletionOptions {
  /** how long to wait for work in progress, milliseconds; default a minute */
  patienceMs?: number
  /** ends it at the next opportunity; it can be continued */
  signal?: AbortSignal
  /** called before each kind that is erased */
  tell?: (content: Omit<AccountContent, 'rows'>) => void
}

const PATIENCE_MS = 60_000
const LOOK_EVERY_MS = 100
/** Requests that were let in before the account was disabled may still write. */
const MOST_PASSES = 10
const DIDS_TOGETHER = 500

/**
 * Erases an account. It may stop anywhere, and be begun again: the account stays disabled, and is found by its name, until all
 * of it is gone; then the name may be that of another one.
 */
export class AccountDeletion {
  private readonly rows: readonly AccountRows[]
  private readonly waitedFor: readonly AccountRows[]
  private readonly erased: readonly AccountRows[]

  /** @param parts - the rows of every part of the service */
  constructor(
    private readonly database: Database,
    parts: readonly AccountRows[],
    private readonly states: AccountStates,
    private readonly clock: () => Date,
  ) {
    this.rows = [...parts.filter(({ isLast }) => !isLast), ...parts.filter(({ isLast }) => isLast)]
    this.waitedFor = this.rows.filter(({ fate }) => fate === 'waited for')
    this.erased = this.rows.filter(({ fate }) => fate !== 'waited for')
  }

  /** Lists what would be erased; changes nothing. @throws AgentError `account_not_found` */
  async contents(name: string): Promise<AccountContent[]> {
    const { id } = await this.states.get(name)
    const contents: AccountContent[] = []
    for (const rows of this.rows) {
      contents.push({ name: rows.name, fate: rows.fate ?? 'erased', rows: await rows.count(id) })
    }
    return contents.filter(({ rows }) => rows > 0)
  }

  /**
   * DIDs of did:cheqd that no other account has: nobody here can continue what they have published.
   *
   * @throws AgentError `account_not_found`
   */
  async *didsHeldAlone(name: string): AsyncGenerator<string> {
    const { id } = await this.states.get(name)
    for (let after = ''; ;) {
      const rows = await this.database.query<{ did: string }>(
        sql`SELECT did FROM account_did d WHERE account_id = ${id} AND did > ${after} AND did LIKE 'did:cheqd:%'
            AND NOT EXISTS (SELECT 1 FROM account_did other WHERE other.home = d.home AND other.did = d.did AND other.account_id <> ${id})
          ORDER BY did LIMIT ${DIDS_TOGETHER}`,
      )
      for (const { did } of rows) yield (after = did)
      if (rows.length === 0) return
    }
  }

  /**
   * Disables the account and erases all its data; what it has published stays on its ledgers.
   *
   * @throws AgentError `account_not_found`; `unavailable` if work in progress does not end
   */
  async run(name: string, options: DeletionOptions = {}): Promise<void> {
    const account = await this.states.beginDeletion(name)
    const { callers } = workOn(this.database)
    const held = await this.untilOver(account.id, () => callers.claim(DELETION, deletionOf(account.id)))
    if (!held) return
    try {
      await this.complete(account, options)
      await this.database.write((connection) => held.settle(connection))
    } catch (error) {
      await callers.release(held)
      throw error
    }
  }

  /**
   * Looks again and again whether all of an account is gone whose deletion had begun.
   *
   * @param orUntil - ends it as soon as it returns something
   * @returns that; `undefined` if it is gone
   */
  async untilOver<T>(account: string, orUntil: () => Promise<T | undefined>): Promise<T | undefined> {
    for (; await workOn(this.database).find(DELETION, deletionOf(account)); await pause(LOOK_EVERY_MS)) {
      const found = await orUntil()
      if (found !== undefined) return found
    }
    return undefined
  }

  /** As {@link run}, of an account whose deletion has begun, whoever else may have ended it meanwhile. */
  async complete({ id }: Pick<Account, 'id'>, options: DeletionOptions = {}): Promise<void> {
    for (const rows of this.waitedFor) await rows.hasten?.(id)
    await this.waitForWhatIsUnderWay(id, options)
    for (let pass = 1; ; pass++) {
      await this.eraseAll(id, options)
      if (await this.end(id, pass)) break
    }
    // Rows written meanwhile by callers that did not see the deletion.
    await this.database.olderTransactionsEnd()
    await this.eraseAll(id)
    await this.database.emptyLog()
  }

  private async eraseAll(account: string, { tell, signal }: DeletionOptions = {}): Promise<void> {
    for (const rows of this.erased) {
      signal?.throwIfAborted()
      tell?.({ name: rows.name, fate: rows.fate ?? 'erased' })
      await rows.erase(account)
    }
  }

  /** @returns whether the account is gone; not if it has further rows by now */
  private async end(account: string, pass: number): Promise<boolean> {
    try {
      await this.database.write((connection) => deleteAccount(connection, account, this.clock()), {
        overwrite: true,
      })
      return true
    } catch (error) {
      if (isForeignKeyViolation(error) && pass < MOST_PASSES) return false
      throw error
    }
  }

  private async waitForWhatIsUnderWay(
    account: string,
    { patienceMs = PATIENCE_MS, signal }: DeletionOptions,
  ): Promise<void> {
    for (const end = performance.now() + patienceMs; ;) {
      const left: string[] = []
      for (const rows of this.waitedFor) {
        const count = await rows.count(account)
        if (count > 0) left.push(`${count} ${rows.name}`)
      }
      if (left.length === 0) return
      if (performance.now() >= end) throw notYet(left)
      await pause(LOOK_EVERY_MS, undefined, { ...(signal && { signal }) })
    }
  }
}

const notYet = (left: readonly string[]) =>
  new AgentError(
    'unavailable',
    `acknowledged work is completed first, and these remain: ${left.join(', ')}. The account is disabled; nothing ` +
      'was erased in this run. Make sure that the service runs, then try again',
  )

/** Only if nothing refers to it any more. */
async function deleteAccount(connection: Connection, account: string, now: Date): Promise<void> {
  await connection.run(sql`DELETE FROM account_quota WHERE account_id = ${account}`)
  await connection.run(sql`DELETE FROM account_tally WHERE account_id = ${account}`)
  const deleted = await connection.run(sql`DELETE FROM account WHERE id = ${account}`)
  // Another process may have been faster.
  if (deleted === 0) return
  await insertAuditEvent(connection, { event: 'account-deleted' }, { accountId: account }, now.toISOString())
}
