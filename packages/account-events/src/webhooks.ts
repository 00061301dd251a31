import { randomUUID } from 'node:crypto'
import {
  AgentError,
  BOUNDS,
  countWithin,
  currentAccount,
  currentActor,
  currentCaller,
  EVENT_TYPES,
  PAGES,
  placeText,
  problemsError,
  quotaError,
  readPage,
  readPlace,
  uuidOfMark,
  type Account,
  type ApiKeyGrant,
  type CreatedWebhook,
  type DeadLetter,
  type NextPage,
  type PageRequest,
  type Total,
  type UsedOf,
  type Webhook,
  type AuditRows,
} from '@vidimus/core-types'
import {
  countRows,
  joinSql,
  readRows,
  sql,
  type AccountQuotas,
  type Connection,
  type Database,
  type Listing,
  type Reader,
  type SealedTexts,
} from '@vidimus/database'
import { workOn, type Work } from '@vidimus/work'
import { findDeadLetters, replayDeadLetters } from './delivery-rows.js'
import { placeEvents } from './event-places.js'
import { eventPosition } from './event-rows.js'
import { newWebhookSecret } from './signature.js'
import {
  DELIVERY,
  endWebhook,
  findWebhook,
  newDelivery,
  secretContext,
  selectWebhooks,
} from './webhook-rows.js'
import type { SecretOwner, WebhookRow } from './webhook-rows.js'
import type { WebhookSuspension } from './webhook-suspension.js'
import { checkedWebhookUrl, type UrlRules } from './webhook-url.js'

export interface WebhookRules extends UrlRules {
  /** webhooks of an account that are not revoked */
  maxPerAccount: number
}

/** Types of plugins have a prefix and a colon. */
const TYPE_OF_PLUGIN = /^[a-z0-9-]+:[a-z0-9.-]+$/

/** Manages the webhooks of the account in scope. */
export class Webhooks {
  private readonly rules: WebhookRules
  private readonly audit: AuditRows | undefined
  private readonly quotas: AccountQuotas | undefined
  private readonly work: Work

  constructor(
    private readonly database: Database,
    private readonly secrets: SealedTexts<SecretOwner>,
    {
      webhooks,
      audit,
      quotas,
    }: { webhooks: WebhookRules; audit?: AuditRows | undefined; quotas?: AccountQuotas | undefined },
    private readonly suspension: WebhookSuspension,
    private readonly clock: () => Date,
  ) {
    this.rules = webhooks
    this.audit = audit
    this.quotas = quotas
    this.work = workOn(database)
  }

  /**
   * A repeated request finds the webhook of its first run, with a new secret: the first one was never returned.
   *
   * @throws AgentError `invalid_input` with every problem
   */
  async create({ url, types }: { url: string; types?: readonly string[] }): Promise<CreatedWebhook> {
    const account_id = currentAccount().id
    const { run, grant } = currentCaller() ?? {}
    const wanted = {
      url: checkedWebhookUrl(url, this.rules),
      types: checkedTypes(types),
      grant,
    }
    const owner = { account_id, id: run ? uuidOfMark(run.nextMark()) : randomUUID() }
    const secret = newWebhookSecret()
    const actor = currentActor()
    // Earlier events are not delivered to it.
    await placeEvents(this.database, this.clock)
    const row = await this.database.write(async (connection) => {
      const sealed = await this.secrets.seal(connection, secret, secretContext(owner))
      if (await findWebhook(connection, account_id, owner.id)) {
        await connection.run(sql`UPDATE webhook SET sealed_secret = ${sealed} WHERE id = ${owner.id}`)
      } else await this.insert(connection, owner, wanted, sealed)
      await this.audit?.recordWithin(connection, { event: 'webhook-created', subject: owner.id }, actor)
      return found(connection, account_id, owner.id)
    })
    return { ...(await this.shown(row)), secret }
  }

  /** Newest first. @throws AgentError `invalid_input` */
  async list(page: PageRequest = {}): Promise<{ webhooks: Webhook[] } & Total & NextPage> {
    const account = currentAccount().id
    const range = readPage(page)
    const listing: Listing<WebhookRow, WebhookRow> = {
      rows: (after) =>
        selectWebhooks(sql`WHERE w.account_id = ${account}
          ${after === undefined ? sql`` : sql`AND (w.created_at, w.id) < (${joinSql(readPlace(after, 2))})`}
          ORDER BY w.created_at DESC, w.id DESC`),
      placeOf: ({ created_at: createdAt, id }) => placeText([createdAt, id]),
      toItem: (row) => row,
    }
    const { items, ...rest } = await readRows(this.database, listing, range)
    const ids = () => sql`SELECT id FROM webhook WHERE account_id = ${account}`
    const webhooks = await this.suspension.show(this.database, items)
    return { ...(await countRows(this.database, { rows: ids })), webhooks, ...rest }
  }

  /** Webhooks of all accounts, for the operator; as {@link list}. */
  async listAll(): Promise<(Webhook & { account: string })[]> {
    const rows = await this.database.query<WebhookRow & { account: string }>(
      selectWebhooks(
        sql`JOIN account a ON a.id = w.account_id ORDER BY w.created_at DESC, w.id`,
        sql`, a.name AS account`,
      ),
    )
    const webhooks = await this.suspension.show(this.database, rows)
    return webhooks.map((webhook, n) => ({ ...webhook, account: rows[n]?.account ?? '' }))
  }

  /** Whose webhook it is, for the operator. @throws AgentError `webhook_not_found` */
  async accountOf(id: string): Promise<Account> {
    const [row] = await this.database.query<{ id: string; name: string; created_at: string }>(
      sql`SELECT a.id, a.name, a.created_at FROM webhook w JOIN account a ON a.id = w.account_id WHERE w.id = ${id}`,
    )
    if (!row) throw notFound()
    return { id: row.id, name: row.name, createdAt: row.created_at }
  }

  /** @throws AgentError `webhook_not_found` */
  async revoke(id: string): Promise<Webhook> {
    const account = currentAccount().id
    const now = this.clock().toISOString()
    const actor = currentActor()
    const row = await this.database.write(async (connection) => {
      const webhook = await found(connection, account, id)
      const isEnded = await endWebhook({ work: this.work, connection }, webhook, 'account', now)
      const entry = { event: 'webhook-revoked', subject: id } as const
      if (isEnded) await this.audit?.recordWithin(connection, entry, actor)
      return found(connection, account, id)
    })
    return this.shown(row)
  }

  /** @throws AgentError `webhook_not_found`, `invalid_input` */
  async resume(id: string): Promise<Webhook> {
    const account = currentAccount().id
    const by = { grant: currentCaller()?.grant, actor: currentActor() }
    const before = await found(this.database, account, id)
    const isSuspended = before.suspended_at !== null || (await this.suspension.hasEnded(before))
    const row = await this.database.write(async (connection) => {
      const webhook = await found(connection, account, id)
      if (webhook.revoked_at !== null) throw invalid('id', 'is revoked; create a new webhook')
      if (isSuspended) await this.suspension.resume(connection, webhook, by)
      return found(connection, account, id)
    })
    this.work.wake()
    return this.shown(row)
  }

  /** @throws AgentError `webhook_not_found`, `invalid_input` */
  async deadLetters(
    id: string,
    { after, limit }: { after: number; limit: number },
  ): Promise<{ deadLetters: DeadLetter[]; more: boolean }> {
    await found(this.database, currentAccount().id, id)
    const letters = await findDeadLetters(this.database, id, after, limit + 1)
    const deadLetters = letters.slice(0, countWithin(letters.slice(0, limit), PAGES.bytes))
    return { deadLetters, more: letters.length > deadLetters.length }
  }

  /** @throws AgentError `webhook_not_found`, `invalid_input` */
  async replay(id: string, events?: readonly string[]): Promise<{ replayed: number }> {
    const account = currentAccount().id
    const positions = events?.map(demandPosition)
    const now = this.clock()
    const actor = currentActor()
    const replayed = await this.database.write(async (connection) => {
      const webhook = await found(connection, account, id)
      if (webhook.revoked_at !== null) throw invalid('id', 'is revoked; nothing is delivered to it')
      if (webhook.suspended_at !== null) throw invalid('id', 'is suspended; resume it first')
      const count = await replayDeadLetters(connection, id, positions, now.toISOString())
      this.work.ask(connection, DELIVERY, newDelivery(webhook, now), now)
      const detail = `${count} events`
      await this.audit?.recordWithin(connection, { event: 'webhook-replayed', subject: id, detail }, actor)
      return count
    })
    this.work.wake()
    return { replayed }
  }

  /** How many the account in scope has, and may have. */
  async usage(): Promise<UsedOf> {
    const used = await working(this.database, currentAccount().id)
    return { used, limit: await this.readLimit(this.database, currentAccount().id) }
  }

  private async shown(row: WebhookRow): Promise<Webhook> {
    const [webhook] = await this.suspension.show(this.database, [row])
    return webhook ?? Promise.reject(notFound())
  }

  private async readLimit(reader: Pick<Connection, 'query'>, account: string): Promise<number> {
    const { maxPerAccount } = this.rules
    return this.quotas ? this.quotas.limitOf(reader, account, 'webhooks', maxPerAccount) : maxPerAccount
  }

  private async insert(
    connection: Connection,
    { account_id: account, id }: SecretOwner,
    { url, types, grant }: { url: string; types: string[] | undefined; grant: ApiKeyGrant | undefined },
    sealed: string,
  ): Promise<void> {
    const limit = await this.readLimit(connection, account)
    const used = await working(connection, account)
    if (used >= limit) throw quotaError('webhooks', { used, limit }, { advice: 'revoke one' })
    await connection.run(
      sql`INSERT INTO webhook (id, account_id, url, types, sealed_secret, created_at, api_key_id, rule)
        VALUES (${id}, ${account}, ${url}, ${types ? JSON.stringify(types) : null}, ${sealed},
          ${this.clock().toISOString()}, ${grant?.id ?? null}, ${grant?.rule ?? null})`,
    )
  }
}

async function working(reader: Reader, account: string): Promise<number> {
  const [row] = await reader.query<{ n: number | string }>(
    sql`SELECT COUNT(*) AS n FROM webhook WHERE account_id = ${account} AND revoked_at IS NULL`,
  )
  return Number(row?.n)
}

async function found(
  connection: Pick<Connection, 'query'>,
  accountId: string,
  id: string,
): Promise<WebhookRow> {
  const row = await findWebhook(connection, accountId, id)
  if (row) return row
  throw notFound()
}

function notFound(): AgentError {
  const message = 'the account has no such webhook'
  return new AgentError('webhook_not_found', `id: ${message}`, { details: [{ path: 'id', message }] })
}

/** @throws AgentError `invalid_input` with every problem */
export function checkedTypes(types: readonly string[] | undefined, path = 'types'): string[] | undefined {
  if (types === undefined) return undefined
  const given: unknown = types
  if (!Array.isArray(given) || types.length === 0 || types.length > BOUNDS.eventTypes) {
    throw invalid(path, `must be a list of 1 to ${BOUNDS.eventTypes} entries; omit it for all`)
  }
  const problems = types.flatMap((type: unknown, n) =>
    typeof type === 'string' && (Object.hasOwn(EVENT_TYPES, type) || TYPE_OF_PLUGIN.test(type))
      ? []
      : [{ path: `${path}[${n}]`, message: `must be one of ${Object.keys(EVENT_TYPES).join(', ')}` }],
  )
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  return [...new Set(types)]
}

function demandPosition(id: string, n: number): number {
  const position = eventPosition(id)
  if (position === undefined) throw invalid(`events[${n}]`, 'must be the id of an event')
  return position
}

const invalid = (path: string, message: string) => problemsError('invalid_input', [{ path, message }])
