import {
  AgentError,
  checkArguments,
  currentActor,
  NOT_VALID,
  placeText,
  quotaError,
  readPage,
  readPlace,
  tokenHolder,
  unauthenticated,
  type Account,
  type ApiKey,
  type ApiKeyGrant,
  type ApiKeyRequest,
  type ApiKeyRotation,
  type AuditActor,
  type CreatedApiKey,
  type NextPage,
  type PageRequest,
  type Total,
  type UsedOf,
} from '@vidimus/core-types'
import { apiKeyMethods, OVERLAP_SECONDS } from '@vidimus/core-types/schemas/api-keys'
import {
  countRows,
  joinSql,
  readRows,
  sql,
  type Connection,
  type Database,
  type Listing,
} from '@vidimus/database'
import { createdBefore, type CreationMark, nextCreation, noteCreation } from '@vidimus/idempotency'
import {
  countWorkingKeys,
  findApiKey,
  insertApiKey,
  replaceApiKey,
  rowRights,
  selectApiKeys,
  toApiKey,
  works,
  type ApiKeyRow,
} from './api-key-rows.js'
import {
  checkedRequest,
  inheriting,
  listText,
  moreThanOwn,
  rightsBeyond,
  type ApiKeyRights,
  type CheckedRequest,
} from './api-key-rights.js'
import { readLimit } from './account-quota-rows.js'
import { insertAuditEvent } from './audit-rows.js'
import { checkedText, invalidInput } from './checked-text.js'

/** Whose keys, and on behalf of which key or token; absent: of all accounts, and without limits. */
export interface ApiKeyOwner {
  account?: Account
  askedBy?: ApiKeyGrant
}

export interface RotationOptions {
  /** how long the old key works on, seconds; default a day */
  overlapSeconds?: number | undefined
  /** end of the new key; default: that of the old one */
  expiresAt?: string
}

/** Manages API keys; each change is one transaction together with its audit row. */
export class ApiKeys {
  constructor(
    private readonly database: Database,
    private readonly maxPerAccount: number,
    private readonly clock: () => Date,
  ) {}

  /** Newest first. @throws AgentError `invalid_input` */
  async page(account: Account, request: PageRequest): Promise<{ apiKeys: ApiKey[] } & Total & NextPage> {
    const range = readPage(request)
    const listing: Listing<ApiKeyRow, ApiKey> = {
      rows: (after) =>
        selectApiKeys(sql`WHERE k.account_id = ${account.id}
          ${after === undefined ? sql`` : sql`AND (k.created_at, k.id) < (${joinSql(readPlace(after, 2))})`}
          ORDER BY k.created_at DESC, k.id DESC`),
      placeOf: ({ created_at: createdAt, id }) => placeText([createdAt, id]),
      toItem: toApiKey,
    }
    const { items: apiKeys, ...rest } = await readRows(this.database, listing, range)
    const ids = () => sql`SELECT id FROM api_key WHERE account_id = ${account.id}`
    return { ...(await countRows(this.database, { rows: ids })), apiKeys, ...rest }
  }

  /** How many keys of the account work, and how many may. */
  async usage({ id }: Account): Promise<UsedOf> {
    const used = await countWorkingKeys(this.database, id, this.clock())
    return { used, limit: await readLimit(this.database, id, 'apiKeys', this.maxPerAccount) }
  }

  /** @throws AgentError `invalid_input`, `forbidden` */
  async create(account: Account, request: ApiKeyRequest, askedBy?: ApiKeyGrant): Promise<CreatedApiKey> {
    const checked = checkedRequest(request, this.clock())
    const actor = { ...currentActor(), accountId: account.id }
    const creation = nextCreation()
    return this.database.write(async (connection) => {
      const earlier = await this.createdEarlier(connection, creation, actor)
      if (earlier) return earlier
      const own = await this.ownRights(connection, askedBy)
      const wanted = own ? inheriting(checked, own) : checked
      mustNotGoBeyond(wanted, own)
      await this.mustHaveRoom(connection, account.id, 'revoke one')
      const created = await this.insert(connection, account, wanted, actor)
      if (creation) await noteCreation(connection, creation, account.id, { apiKeyId: created.id })
      return created
    })
  }

  /** @throws AgentError `api_key_not_found`, `forbidden` */
  async revoke(id: string, { account, askedBy }: ApiKeyOwner): Promise<ApiKey> {
    const { id: checkedId } = checkArguments(apiKeyMethods.apiKeyRevoke.arguments, { id })
    const asking = currentActor()
    return this.database.write(async (connection) => {
      const row = await found(connection, checkedId, account)
      if (row.revoked_at !== null) return toApiKey(row)
      if (askedBy?.id !== id) mustMayRevoke(row, await this.ownRights(connection, askedBy), askedBy)
      const now = this.clock().toISOString()
      await connection.run(sql`UPDATE api_key SET revoked_at = ${now} WHERE id = ${id}`)
      const actor = { ...asking, accountId: row.account_id }
      await insertAuditEvent(connection, { event: 'api-key-revoked', subject: id }, actor, now)
      return { ...toApiKey(row), revokedAt: now }
    })
  }

  /** @throws AgentError `invalid_input`, also for a key that works no more or has a successor; `api_key_not_found`, `forbidden` */
  async rotate(
    id: string,
    { overlapSeconds = OVERLAP_SECONDS, expiresAt }: RotationOptions,
    { account, askedBy }: ApiKeyOwner,
  ): Promise<ApiKeyRotation> {
    const { id: checkedId } = checkArguments(apiKeyMethods.apiKeyRotate.arguments, { id, overlapSeconds })
    const wanted = checkedRequest({ expiresAt }, this.clock())
    const asking = currentActor()
    const creation = nextCreation()
    return this.database.write(async (connection) => {
      const row = await found(connection, checkedId, account)
      const earlier = await this.createdEarlier(connection, creation, asking)
      if (earlier) return { created: earlier, rotated: toApiKey(row) }
      const now = this.clock()
      mustWork(row, now)
      const own = await this.ownRights(connection, askedBy)
      const rights = {
        ...(own?.issuer !== undefined && { issuer: own.issuer }),
        ...rowRights(row),
        ...wanted,
      }
      const request = { ...(row.name !== null && { name: row.name }), ...rights }
      // Its own successor has its own rights, those of an operator as well.
      if (askedBy?.id !== id) mustNotGoBeyond(request, own)
      const actor = { ...asking, accountId: row.account_id }
      const owner = { id: row.account_id, name: row.account }
      // Both work during the overlap, and both count.
      const end = endAfter(now, overlapSeconds, row.expires_at)
      await connection.run(sql`UPDATE api_key SET expires_at = ${end} WHERE id = ${id}`)
      await this.mustHaveRoom(connection, row.account_id, 'revoke one, or rotate without an overlap')
      const created = await insertApiKey(connection, owner, request, now)
      if (creation) await noteCreation(connection, creation, row.account_id, { apiKeyId: created.id })
      await connection.run(sql`UPDATE api_key SET rotated_to = ${created.id} WHERE id = ${id}`)
      const entry = { event: 'api-key-rotated', subject: id, detail: created.id } as const
      await insertAuditEvent(connection, entry, actor, now.toISOString())
      return { created, rotated: { ...toApiKey(row), expiresAt: end, rotatedTo: created.id } }
    })
  }

  /**
   * Lets a limited key do more, with the secret that it has. Only operators can: no key hands out more than it has.
   *
   * @throws AgentError `invalid_input`, also for a key that works no more or is not limited; `api_key_not_found`
   */
  async addScopes(id: string, scopes: readonly string[]): Promise<ApiKey> {
    const checkedId = checkedText(id, 'id')
    const { scopes: added = [] } = checkedRequest({ scopes: [...(scopes ?? [])] }, this.clock())
    return this.database.write(async (connection) => {
      const row = await found(connection, checkedId, undefined)
      const now = this.clock()
      mustWork(row, now)
      const { scopes: before } = rowRights(row)
      if (!before) throw invalidInput('id', 'belongs to an API key without scopes, which may do everything')
      const wanted = [...new Set([...before, ...added])]
      const { scopes: all } = checkedRequest({ scopes: wanted }, now)
      if (wanted.length === before.length) return toApiKey(row)
      await connection.run(sql`UPDATE api_key SET scopes = ${listText(all)} WHERE id = ${id}`)
      const entry = { event: 'api-key-updated', subject: id, detail: added.join(' ') } as const
      await insertAuditEvent(connection, entry, { accountId: row.account_id }, now.toISOString())
      return toApiKey({ ...row, scopes: listText(all) })
    })
  }

  private async mustHaveRoom(connection: Connection, accountId: string, advice: string): Promise<void> {
    const working = await countWorkingKeys(connection, accountId, this.clock())
    const limit = await readLimit(connection, accountId, 'apiKeys', this.maxPerAccount)
    if (working >= limit) throw quotaError('apiKeys', { used: working, limit }, { advice })
  }

  /** Inserts a key within a transaction; its rights are already checked. */
  async insert(
    connection: Connection,
    account: Account,
    request: CheckedRequest,
    actor: AuditActor,
  ): Promise<CreatedApiKey> {
    const now = this.clock()
    const created = await insertApiKey(connection, account, request, now)
    const entry = { event: 'api-key-created', subject: created.id } as const
    await insertAuditEvent(connection, entry, actor, now.toISOString())
    return created
  }

  /**
   * The key that an earlier run of the same request created. Its secret was never returned, as that run sent no
   * response: it gets another one.
   */
  private async createdEarlier(
    connection: Connection,
    creation: CreationMark | undefined,
    actor: AuditActor,
  ): Promise<CreatedApiKey | undefined> {
    const known = await createdBefore(connection, creation)
    const row = known?.api_key_id ? await findApiKey(connection, known.api_key_id) : undefined
    if (!row) return undefined
    const entry = { event: 'api-key-created', subject: row.id, detail: 'repeated request' } as const
    await insertAuditEvent(connection, entry, actor, this.clock().toISOString())
    return replaceApiKey(connection, row)
  }

  /** Those of the caller. A key may have been revoked since it was recognised; a token lasts until it expires. */
  async ownRights(
    connection: Connection,
    askedBy: ApiKeyGrant | undefined,
  ): Promise<ApiKeyRights | undefined> {
    if (askedBy === undefined) return undefined
    const holder = tokenHolder(askedBy.id)
    if (holder) return { ...askedBy, issuer: holder.issuer }
    const own = await findApiKey(connection, askedBy.id)
    if (own && works(own, this.clock())) return rowRights(own)
    throw unauthenticated('x-api-key', 'unknown', NOT_VALID)
  }
}

async function found(connection: Connection, id: string, account: Account | undefined): Promise<ApiKeyRow> {
  const row = await findApiKey(connection, id, account?.id)
  if (row) return row
  const message = 'the account has no such API key'
  throw new AgentError('api_key_not_found', `id: ${message}`, { details: [{ path: 'id', message }] })
}

function mustWork(row: ApiKeyRow, now: Date): void {
  if (row.rotated_to !== null)
    throw invalidInput('id', `was already rotated; its successor is ${row.rotated_to}`)
  if (!works(row, now)) throw invalidInput('id', 'is revoked or expired; create a new API key instead')
}

function mustNotGoBeyond(rights: CheckedRequest, own: ApiKeyRights | undefined): void {
  const paths = own ? rightsBeyond(rights, own) : []
  if (paths.length > 0) throw moreThanOwn(paths)
}

/** Every token ends soon: its holder may revoke keys that live longer. */
function mustMayRevoke(
  row: ApiKeyRow,
  own: ApiKeyRights | undefined,
  askedBy: ApiKeyGrant | undefined,
): void {
  const rights = rowRights(row)
  const isToken = askedBy !== undefined && tokenHolder(askedBy.id) !== undefined
  const end = isToken && own?.expiresAt !== undefined ? { expiresAt: own.expiresAt } : {}
  mustNotGoBeyond({ ...rights, ...end }, own)
}

function endAfter(now: Date, overlapSeconds: number, expiresAt: string | null): string {
  const end = new Date(now.getTime() + overlapSeconds * 1000).toISOString()
  return expiresAt !== null && Date.parse(expiresAt) < Date.parse(end) ? expiresAt : end
}
