import {
  ACCOUNT_NAME,
  ACCOUNT_NAME_SHAPE,
  parseOptions,
  type Account,
  type AccountRows,
  type ApiKey,
  type ApiKeyRequest,
  type ApiKeyRotation,
  type AuthenticatedAccount,
  type Authenticator,
  type CheckResult,
  type CreatedApiKey,
  type GrantSource,
  type HasAccountRows,
  type HasLifecycle,
  type RightsOfNow,
  queueName,
} from '@vidimus/core-types'
import {
  type Connection,
  type Database,
  requireDatabase,
  SHARED_HOME,
  type Sql,
  sql,
} from '@vidimus/database'
import { z } from 'zod'
import { checkedQuotas, writeQuotas, type QuotaChanges } from './account-quota-rows.js'
import {
  AccountCreation,
  insertAccount,
  type AccountRequest,
  type AskingOperator,
} from './account-creation.js'
import { AccountDeletion } from './account-deletion.js'
import { accountRows } from './account-rows.js'
import { accountNotFound, AccountStates, type ListedAccount } from './account-states.js'
import { hashOfApiKey, isApiKey } from './api-key.js'
import { grantOf } from './api-key-rights.js'
import { rightsNow, selectApiKeys, toApiKey, writeLastUses, type ApiKeyRow } from './api-key-rows.js'
import { ApiKeys, type RotationOptions } from './api-keys.js'
import { insertAuditEvent } from './audit-rows.js'
import { checkedText } from './checked-text.js'
import { LastUse } from './last-use.js'

export const Options = z.strictObject({
  firstAccount: z.string().regex(ACCOUNT_NAME, ACCOUNT_NAME_SHAPE).default('default'),
  maxApiKeys: z.int().min(1).max(10_000).default(100),
  clock: z.custom<() => Date>((value) => typeof value === 'function', 'must be a function').optional(),
})

export interface AccountsOptions {
  /** the account that the first start creates; default `default` */
  firstAccount?: string
  /** API keys of an account that work at the same time, 1 to 10 000; default 100 */
  maxApiKeys?: number
  /** what time it is; default: the system's clock */
  clock?: () => Date
}

export interface ApiKeyCreateArgs extends ApiKeyRequest {
  /** name of the account */
  account: string
}

interface FoundKey extends Omit<Account, 'kms'> {
  kms: string | null
  key_id: string
  scopes: string | null
  networks: string | null
  expires_at: string | null
  revoked_at: string | null
  token_issuer: string | null
}

/** Settings that an operator makes for an account. */
export interface AccountChoices {
  kms?: string | null | undefined
}

/** Accounts and their API keys. */
export class Accounts implements Authenticator, RightsOfNow, HasLifecycle, HasAccountRows {
  readonly lifecycle = {
    check: () => this.check(),
    stop: () => this.lastUse.close(),
    diagnose: () => this.states.diagnose(),
  }
  readonly accountRows: readonly AccountRows[]

  readonly apiKeys: ApiKeys
  /** disables and enables accounts */
  readonly states: AccountStates
  private readonly creation: AccountCreation
  private readonly firstAccount: string
  private readonly clock: () => Date
  private readonly lastUse: LastUse

  constructor(
    readonly database: Database,
    options: AccountsOptions = {},
  ) {
    requireDatabase(database)
    const { firstAccount, maxApiKeys, clock } = parseOptions(Options, options)
    this.firstAccount = firstAccount
    this.clock = clock ?? (() => new Date())
    this.accountRows = accountRows(database)
    this.states = new AccountStates(database, this.clock)
    this.apiKeys = new ApiKeys(database, maxApiKeys, this.clock)
    this.creation = new AccountCreation(database, this.apiKeys, this.clock)
    this.lastUse = new LastUse(
      (uses) =>
        database.write((connection) => writeLastUses(connection, uses), {
          lane: queueName('last use of API keys'),
        }),
      this.clock,
    )
  }

  /**
   * @param quotas - in place of the defaults
   * @throws AgentError `invalid_input` for a malformed or taken name
   */
  async create(name: string, quotas: QuotaChanges = {}): Promise<Account> {
    return (await this.creation.create({ name, quotas })).account
  }

  /**
   * As {@link create}, on behalf of an operator of another account, perhaps with a first API key.
   *
   * @throws AgentError `forbidden` for a key that may do more than an operator can give
   */
  createBy(
    operator: AskingOperator,
    request: AccountRequest,
  ): Promise<{ account: Account; firstKey?: CreatedApiKey }> {
    return this.creation.create(request, operator)
  }

  /**
   * Changes the quotas of an account. Nothing is taken away: data over a quota can be read, exported and deleted;
   * keys stay in the KMS that created them.
   *
   * @param choices - `kms`: a configured one that creates its new keys; `null`: the default of the service
   * @throws AgentError `account_not_found`, `invalid_input` for an invalid quota
   */
  async update(name: string, quotas: QuotaChanges, { kms }: AccountChoices = {}): Promise<Account> {
    const limits = checkedQuotas(quotas)
    if (typeof kms === 'string') checkedText(kms, 'kms')
    const account = await this.accountNamed(name, 'name')
    await this.database.write(async (connection) => {
      await writeQuotas(connection, account.id, limits)
      if (kms !== undefined)
        await connection.run(sql`UPDATE account SET kms = ${kms} WHERE id = ${account.id}`)
      const changed = [...limits, ...(kms === undefined ? [] : [['kms', kms] as const])]
      const detail = changed.map(([what, value]) => `${what}=${value ?? 'default'}`).join(' ')
      const entry = { event: 'account-updated', subject: name, detail } as const
      await insertAuditEvent(connection, entry, { accountId: account.id }, this.clock().toISOString())
    })
    return account
  }

  /** All accounts, by name. */
  list(): Promise<ListedAccount[]> {
    return this.states.list()
  }

  /**
   * Deletes an account.
   *
   * @param others - rows that the other parts of the service keep
   */
  deletion(others: readonly AccountRows[]): AccountDeletion {
    return new AccountDeletion(this.database, [...others, ...this.accountRows], this.states, this.clock)
  }

  /** @throws AgentError `account_not_found` */
  async get(name: string): Promise<Account> {
    return this.accountNamed(name, 'name')
  }

  /** @throws AgentError `account_not_found`, `invalid_input` for whatever cannot be of a key */
  async createApiKey({ account, ...request }: ApiKeyCreateArgs): Promise<CreatedApiKey> {
    return this.apiKeys.create(await this.accountNamed(account, 'account'), request)
  }

  /**
   * API keys of one account or of all, oldest first, revoked ones included.
   *
   * @throws AgentError `account_not_found`
   */
  async listApiKeys(accountName?: string): Promise<ApiKey[]> {
    const account = accountName === undefined ? undefined : await this.accountNamed(accountName, 'account')
    const rows = await this.database.query<ApiKeyRow>(
      selectApiKeys(sql`${account ? sql`WHERE a.id = ${account.id}` : sql``} ORDER BY k.created_at, k.id`),
    )
    return rows.map(toApiKey)
  }

  /**
   * Makes a key invalid, at once and for good. Revoking it again changes nothing.
   *
   * @throws AgentError `api_key_not_found`
   */
  async revokeApiKey(id: string): Promise<ApiKey> {
    return this.apiKeys.revoke(id, {})
  }

  /**
   * Makes a key of the same name and rights; the old one ends after the overlap.
   *
   * @throws AgentError `api_key_not_found`; `invalid_input`, also for a key that works no more
   */
  async rotateApiKey(id: string, options: RotationOptions = {}): Promise<ApiKeyRotation> {
    return this.apiKeys.rotate(id, options, {})
  }

  /**
   * Lets a limited key do more, with the secret that it has.
   *
   * @throws AgentError `api_key_not_found`; `invalid_input`, also for a key that works no more or is not limited
   */
  async addScopes(id: string, scopes: readonly string[]): Promise<ApiKey> {
    return this.apiKeys.addScopes(id, scopes)
  }

  /**
   * @param issuers - the identity providers of now: keys that were made by tokens of others do not work
   */
  async authenticate(
    apiKey: string,
    issuers: ReadonlySet<string> = NO_ISSUERS,
  ): Promise<AuthenticatedAccount | undefined> {
    if (!isApiKey(apiKey)) return undefined
    const [found] = await this.database.queryRemembered<FoundKey>(
      sql`SELECT a.id, a.name, a.created_at AS "createdAt", a.kms, k.id AS key_id, k.scopes, k.networks,
          k.expires_at, k.revoked_at, k.token_issuer
        FROM api_key k JOIN account a ON a.id = k.account_id WHERE k.hash = ${hashOfApiKey(apiKey)} AND a.disabled_at IS NULL`,
      SHARED_HOME,
    )
    if (!found) return undefined
    const { id, name, createdAt, kms, expires_at: expiresAt, revoked_at: revokedAt } = found
    if (revokedAt !== null) return undefined
    if (found.token_issuer !== null && !issuers.has(found.token_issuer)) return undefined
    if (expiresAt !== null && Date.parse(expiresAt) <= this.clock().getTime()) return undefined
    if (!this.database.isReadOnly) this.lastUse.note(found.key_id)
    return { id, name, createdAt, ...(kms !== null && { kms }), grant: grantOf(found.key_id, found) }
  }

  /** As {@link RightsOfNow.rightsNow}. @param issuers - as for {@link authenticate} */
  rightsNow = (account: string, source: GrantSource | undefined, issuers = NO_ISSUERS) =>
    rightsNow(this.database, this.clock(), account, source, issuers)
  hasForm = isApiKey

  /**
   * The account of that name if it may be used, for callers that somebody else has authenticated.
   *
   * @param name - untrusted
   */
  async usable(name: string): Promise<Account | undefined> {
    if (!ACCOUNT_NAME.test(name)) return undefined
    const [found] = await this.database.queryRemembered<Omit<Account, 'kms'> & { kms: string | null }>(
      sql`SELECT id, name, created_at AS "createdAt", kms FROM account WHERE name = ${name} AND disabled_at IS NULL`,
      SHARED_HOME,
    )
    if (!found) return undefined
    const { kms, ...account } = found
    return { ...account, ...(kms !== null && { kms }) }
  }

  /**
   * Makes an installation without API keys usable: creates the first account, if there is none, and a key for it. Of
   * several processes that start at once, one gets the key.
   *
   * @returns the key in clear, or `undefined` if there was nothing to do
   */
  async firstStart(): Promise<CreatedApiKey | undefined> {
    // A start that has nothing to write needs no room on the disk.
    if (await hasRows(this.database, sql`api_key`)) return undefined
    return this.database.write(async (connection) => {
      if (await hasRows(connection, sql`api_key`)) return undefined
      // `vidimus migrate --from-veramo` before the first start leaves an account without a key.
      const existing = await findAccount(connection, this.firstAccount)
      if (!existing && (await hasRows(connection, sql`account`))) return undefined
      const account = existing ?? (await insertAccount(connection, this.firstAccount, this.clock()))
      return this.apiKeys.insert(connection, account, { name: 'first start' }, { accountId: account.id })
    })
  }

  private async accountNamed(name: string, path: string): Promise<Account> {
    const account = await findAccount(this.database, checkedText(name, path))
    if (!account) throw accountNotFound(name, path)
    return account
  }

  private async check(): Promise<CheckResult[]> {
    try {
      await this.database.probe(sql`SELECT 1 FROM account WHERE id = ''`)
      return [{ name: 'accounts', ok: true }]
    } catch {
      return [{ name: 'accounts', ok: false, message: 'the accounts cannot be read' }]
    }
  }
}

const NO_ISSUERS: ReadonlySet<string> = new Set()

/** Whatever there is of them, one is read. */
const hasRows = async (connection: Pick<Connection, 'query'>, table: Sql): Promise<boolean> =>
  (await connection.query(sql`SELECT 1 AS found FROM ${table} LIMIT 1`)).length > 0

async function findAccount(
  connection: Pick<Connection, 'query'>,
  name: string,
): Promise<Account | undefined> {
  const [account] = await connection.query<Account>(
    sql`SELECT id, name, created_at AS "createdAt" FROM account WHERE name = ${name}`,
  )
  return account
}
