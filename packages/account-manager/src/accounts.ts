import { randomUUID } from 'node:crypto'
import {
  parseOptions,
  type Account,
  type Authenticator,
  type CheckResult,
  type HasLifecycle,
} from '@vidimus/core-types'
import { isUniqueViolation, sql, type Connection, type Database } from '@vidimus/database'
import { z } from 'zod'
import { hashOfApiKey, isApiKey, newApiKey, shownApiKey } from './api-key.js'
import { checkedText, invalidInput, optionalText } from './checked-text.js'
import { requireDatabase } from './require-parts.js'

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,62}$/u
const NAME_SHAPE =
  'has to begin with a letter or digit and have at most 63 letters, digits, spaces or any of . _ @ -'

const Options = z.strictObject({
  firstAccount: z.string().regex(NAME, NAME_SHAPE).default('default'),
  clock: z.custom<() => Date>((value) => typeof value === 'function', 'has to be a function').optional(),
})

export interface AccountsOptions {
  /** the account that the first start creates; default `default` */
  firstAccount?: string
  /** what time it is; default: the system's clock */
  clock?: () => Date
}

export interface ApiKeyCreateArgs {
  /** name of the account */
  account: string
  /** what the key is for */
  name?: string
  /** ISO 8601, in the future; left out: the key does not expire */
  expiresAt?: string
}

/** An API key as it is listed; what it is in clear, nobody knows but its owner. */
export interface ApiKey {
  id: string
  /** name of the account */
  account: string
  name?: string
  /** its beginning */
  shown: string
  createdAt: string
  expiresAt?: string
  revokedAt?: string
}

export interface CreatedApiKey extends ApiKey {
  /** in clear, this once */
  apiKey: string
}

interface ApiKeyRow {
  id: string
  account: string
  name: string | null
  prefix_shown: string
  created_at: string
  expires_at: string | null
  revoked_at: string | null
}

/** Accounts and their API keys. */
export class Accounts implements Authenticator, HasLifecycle {
  readonly lifecycle = { check: () => this.check() }

  private readonly firstAccount: string
  private readonly clock: () => Date

  constructor(
    private readonly database: Database,
    options: AccountsOptions = {},
  ) {
    requireDatabase(database)
    const { firstAccount, clock } = parseOptions(Options, options)
    this.firstAccount = firstAccount
    this.clock = clock ?? (() => new Date())
  }

  /** @throws AgentError `invalid_input` for a malformed name, or one that is taken */
  async create(name: string): Promise<Account> {
    if (!NAME.test(checkedText(name, 'name'))) throw invalidInput('name', NAME_SHAPE)
    try {
      return await this.database.write((connection) => this.insertAccount(connection, name))
    } catch (error) {
      if (isUniqueViolation(error, 'account'))
        throw invalidInput('name', `there is an account "${name}" already`)
      throw error
    }
  }

  /** All accounts, by name. */
  async list(): Promise<Account[]> {
    return this.database.query<Account>(
      sql`SELECT id, name, created_at AS "createdAt" FROM account ORDER BY name`,
    )
  }

  /** @throws AgentError `invalid_input` where there is none of that name */
  async get(name: string): Promise<Account> {
    return this.accountNamed(name, 'name')
  }

  /** @throws AgentError `invalid_input` for an unknown account or a time that is malformed or past */
  async createApiKey(args: ApiKeyCreateArgs): Promise<CreatedApiKey> {
    const expiresAt = this.checkedExpiry(args.expiresAt)
    const name = optionalText(args.name, 'name')
    const account = await this.accountNamed(args.account, 'account')
    return this.database.write((connection) =>
      this.insertApiKey(connection, account, { ...(name && { name }), ...(expiresAt && { expiresAt }) }),
    )
  }

  /**
   * API keys of one account or of all, oldest first, revoked ones included.
   *
   * @throws AgentError `invalid_input` for an unknown account
   */
  async listApiKeys(accountName?: string): Promise<ApiKey[]> {
    const account = accountName === undefined ? undefined : await this.accountNamed(accountName, 'account')
    const rows = await this.database.query<ApiKeyRow>(
      sql`SELECT k.id, a.name AS account, k.name, k.prefix_shown, k.created_at, k.expires_at, k.revoked_at
        FROM api_key k JOIN account a ON a.id = k.account_id
        ${account ? sql`WHERE a.id = ${account.id}` : sql``} ORDER BY k.created_at, k.id`,
    )
    return rows.map(toApiKey)
  }

  /**
   * Makes a key invalid, at once and for good. Revoking it again changes nothing.
   *
   * @throws AgentError `invalid_input` for an unknown id
   */
  async revokeApiKey(id: string): Promise<ApiKey> {
    const now = this.clock().toISOString()
    return this.database.write(async (connection) => {
      await connection.run(
        sql`UPDATE api_key SET revoked_at = ${now} WHERE id = ${checkedText(id, 'id')} AND revoked_at IS NULL`,
      )
      const [row] = await connection.query<ApiKeyRow>(
        sql`SELECT k.id, a.name AS account, k.name, k.prefix_shown, k.created_at, k.expires_at, k.revoked_at
          FROM api_key k JOIN account a ON a.id = k.account_id WHERE k.id = ${id}`,
      )
      if (!row) throw invalidInput('id', `there is no API key "${id}"`)
      return toApiKey(row)
    })
  }

  async authenticate(apiKey: string): Promise<Account | undefined> {
    if (!isApiKey(apiKey)) return undefined
    const [found] = await this.database.queryRemembered<
      Account & Pick<ApiKeyRow, 'expires_at' | 'revoked_at'>
    >(
      sql`SELECT a.id, a.name, a.created_at AS "createdAt", k.expires_at, k.revoked_at
        FROM api_key k JOIN account a ON a.id = k.account_id WHERE k.hash = ${hashOfApiKey(apiKey)}`,
    )
    if (!found) return undefined
    const { expires_at: expiresAt, revoked_at: revokedAt, ...account } = found
    if (revokedAt !== null) return undefined
    if (expiresAt !== null && Date.parse(expiresAt) <= this.clock().getTime()) return undefined
    return account
  }

  /**
   * Makes an installation usable that has no API key yet: creates the first account, where there is no other, and a
   * key for it. Of several processes that start at once, one gets the key.
   *
   * @returns the key in clear, or `undefined` where there was nothing to do
   */
  async firstStart(): Promise<CreatedApiKey | undefined> {
    return this.database.write(async (connection) => {
      const [state] = await connection.query<{ accounts: number; keys: number }>(
        sql`SELECT (SELECT COUNT(*) FROM account) AS accounts, (SELECT COUNT(*) FROM api_key) AS keys`,
      )
      if (Number(state?.keys) > 0) return undefined
      // An account without a key is left by the adoption of an existing Veramo database.
      const existing = await findAccount(connection, this.firstAccount)
      if (!existing && Number(state?.accounts) > 0) return undefined
      const account = existing ?? (await this.insertAccount(connection, this.firstAccount))
      return this.insertApiKey(connection, account, { name: 'first start' })
    })
  }

  private async insertAccount(connection: Connection, name: string): Promise<Account> {
    const account = { id: randomUUID(), name, createdAt: this.clock().toISOString() }
    await connection.run(
      sql`INSERT INTO account (id, name, created_at) VALUES (${account.id}, ${name}, ${account.createdAt})`,
    )
    return account
  }

  private async insertApiKey(
    connection: Connection,
    account: Account,
    options: { name?: string; expiresAt?: string },
  ): Promise<CreatedApiKey> {
    const apiKey = newApiKey()
    const key = {
      id: randomUUID(),
      account: account.name,
      ...options,
      shown: shownApiKey(apiKey),
      createdAt: this.clock().toISOString(),
    }
    await connection.run(
      sql`INSERT INTO api_key (id, account_id, name, hash, prefix_shown, created_at, expires_at, revoked_at)
        VALUES (${key.id}, ${account.id}, ${options.name ?? null}, ${hashOfApiKey(apiKey)}, ${key.shown},
          ${key.createdAt}, ${options.expiresAt ?? null}, NULL)`,
    )
    return { ...key, apiKey }
  }

  private async accountNamed(name: string, path: string): Promise<Account> {
    const account = await findAccount(this.database, checkedText(name, path))
    if (!account) throw invalidInput(path, `there is no account "${name}"`)
    return account
  }

  private checkedExpiry(expiresAt: string | undefined): string | undefined {
    const text = optionalText(expiresAt, 'expiresAt')
    if (text === undefined) return undefined
    const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(time)) throw invalidInput('expiresAt', 'has to be an ISO 8601 time')
    if (time <= this.clock().getTime()) throw invalidInput('expiresAt', 'has to be in the future')
    return new Date(time).toISOString()
  }

  private async check(): Promise<CheckResult[]> {
    try {
      await this.database.query(sql`SELECT 1 FROM account WHERE id = ''`)
      return [{ name: 'accounts', ok: true }]
    } catch {
      return [{ name: 'accounts', ok: false, message: 'the accounts cannot be read' }]
    }
  }
}

async function findAccount(
  connection: Pick<Connection, 'query'>,
  name: string,
): Promise<Account | undefined> {
  const [account] = await connection.query<Account>(
    sql`SELECT id, name, created_at AS "createdAt" FROM account WHERE name = ${name}`,
  )
  return account
}

const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  account: row.account,
  ...(row.name !== null && { name: row.name }),
  shown: row.prefix_shown,
  createdAt: row.created_at,
  ...(row.expires_at !== null && { expiresAt: row.expires_at }),
  ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
})
