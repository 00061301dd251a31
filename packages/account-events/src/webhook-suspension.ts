import {
  mayCause,
  type ApiKeyGrant,
  type AuditActor,
  type RightsOfNow,
  type Webhook,
  type AuditRows,
} from '@vidimus/core-types'
import { sql, type Connection, type Database, type Reader } from '@vidimus/database'
import { workOn, type Work } from '@vidimus/work'
import { DELIVERY, deliveryKey, endWebhook, newDelivery, selectWebhooks, toWebhooks } from './webhook-rows.js'
import type { OwnerColumns, WebhookRow } from './webhook-rows.js'

/** Webhooks whose rights one sweep asks for: those without events, which no delivery asks for. */
const SWEPT_TOGETHER = 500

interface Owned extends OwnerColumns {
  id: string
}

/** A webhook belongs to whoever created or resumed it: if their rights end, it waits with its events. */
export class WebhookSuspension {
  private readonly rights: RightsOfNow | undefined
  private readonly audit: AuditRows | undefined
  private readonly work: Work
  private sweptTo = ''

  constructor(
    private readonly database: Database,
    { rights, audit }: { rights?: RightsOfNow | undefined; audit?: AuditRows | undefined },
    private readonly clock: () => Date,
  ) {
    this.rights = rights
    this.audit = audit
    this.work = workOn(database)
  }

  /** Never within a transaction: the rights may be asked for in the same database. */
  async hasEnded({ account_id: account, api_key_id: id, rule }: OwnerColumns): Promise<boolean> {
    if (!this.rights) return false
    const source = id === null ? undefined : { id, ...(rule !== null && { rule }) }
    const now = await this.rights.rightsNow(account, source)
    return !now || !mayCause(now.grant, 'read-all-events')
  }

  /** As {@link toWebhooks}, each with its state. */
  async show(reader: Reader, rows: readonly WebhookRow[]): Promise<Webhook[]> {
    const byOwner = new Map<string, Promise<boolean>>()
    const suspended = new Set<string>()
    for (const row of rows) {
      if (row.revoked_at !== null) continue
      const owner = JSON.stringify([row.account_id, row.api_key_id, row.rule])
      const ended = byOwner.get(owner) ?? this.hasEnded(row)
      byOwner.set(owner, ended)
      if (row.suspended_at !== null || (await ended)) suspended.add(row.id)
    }
    return toWebhooks(reader, rows, ({ id }) => suspended.has(id))
  }

  /** Does nothing if the webhook has another owner by now, or its account is disabled: then nothing is delivered anyway. */
  async suspend({ id, account_id: accountId, api_key_id: owner, rule }: Owned): Promise<void> {
    const now = this.clock().toISOString()
    await this.database.write(async (connection) => {
      const suspended = await connection.run(
        sql`UPDATE webhook SET suspended_at = ${now} WHERE id = ${id} AND revoked_at IS NULL AND suspended_at IS NULL
          AND COALESCE(api_key_id, '') = ${owner ?? ''} AND COALESCE(rule, '') = ${rule ?? ''}
          AND account_id IN (SELECT id FROM account WHERE id = ${accountId} AND disabled_at IS NULL)`,
      )
      if (suspended === 0) return
      this.work.remove(connection, DELIVERY, deliveryKey({ id, account_id: accountId }))
      await this.audit?.recordWithin(connection, { event: 'webhook-suspended', subject: id }, { accountId })
    })
  }

  /** Makes a webhook the caller's; what waited is due, with all the time of new events. */
  async resume(
    connection: Connection,
    webhook: WebhookRow,
    { grant, actor }: { grant: ApiKeyGrant | undefined; actor: AuditActor },
  ): Promise<void> {
    const { id } = webhook
    const now = this.clock()
    await connection.run(
      sql`UPDATE webhook SET suspended_at = NULL, api_key_id = ${grant?.id ?? null},
        rule = ${grant?.rule ?? null} WHERE id = ${id}`,
    )
    await connection.run(
      sql`UPDATE webhook_delivery SET retry_at = NULL, since = ${now.toISOString()}, attempts = 0
        WHERE webhook_id = ${id} AND dead_at IS NULL`,
    )
    this.work.resume(connection, DELIVERY, newDelivery(webhook, now), now)
    await this.audit?.recordWithin(connection, { event: 'webhook-resumed', subject: id }, actor)
  }

  /** Ends what nobody has resumed, and looks at some webhooks whose rights may have ended unnoticed. */
  async sweep(before: string): Promise<void> {
    const left = await this.database.query<WebhookRow>(
      selectWebhooks(
        sql`WHERE w.suspended_at < ${before} AND w.revoked_at IS NULL ORDER BY w.suspended_at LIMIT ${SWEPT_TOGETHER}`,
      ),
    )
    for (const webhook of left) {
      const accountId = webhook.account_id
      await this.database.write(async (connection) => {
        const parts = { work: this.work, connection }
        const isEnded = await endWebhook(parts, webhook, 'service', this.clock().toISOString())
        const entry = {
          event: 'webhook-revoked',
          subject: webhook.id,
          detail: 'suspended for too long',
        } as const
        if (isEnded) await this.audit?.recordWithin(connection, entry, { accountId })
      })
    }
    const rows = await this.database.query<WebhookRow>(
      selectWebhooks(sql`WHERE w.id > ${this.sweptTo} AND w.revoked_at IS NULL AND w.suspended_at IS NULL
        ORDER BY w.id LIMIT ${SWEPT_TOGETHER}`),
    )
    this.sweptTo = rows[SWEPT_TOGETHER - 1]?.id ?? ''
    for (const row of rows) if (await this.hasEnded(row)) await this.suspend(row)
  }
}
