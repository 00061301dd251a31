import { PAGES, tokenHolder, type DeliveryFailure, type Webhook } from '@vidimus/core-types'
import { homeOf, joinSql, sql, type Connection, type SealedColumn, type Sql } from '@vidimus/database'
import type { NewWork, Work, WorkKey } from '@vidimus/work'

/** A stored failure, of a webhook or of a delivery. */
export interface FailureColumns {
  failed_at: string | null
  failed_status: number | null
  failed_reason: string | null
}

/** Whose a webhook is. */
export interface OwnerColumns {
  account_id: string
  /** id of the grant that created or resumed it */
  api_key_id: string | null
  rule: string | null
}

/** A stored webhook; its secret only as {@link findSecret} finds it. */
export interface WebhookRow extends FailureColumns, OwnerColumns {
  id: string
  url: string
  types: string | null
  created_at: string
  revoked_at: string | null
  revoked_by: 'account' | 'receiver' | 'service' | null
  delivered_at: string | null
  suspended_at: string | null
}

/**
 * @param rest - conditions on `w`, and the order
 * @param more - further columns, each with a comma before
 */
export const selectWebhooks = (rest: Sql, more: Sql = sql``): Sql =>
  sql`SELECT w.id, w.account_id, w.url, w.types, w.created_at, w.revoked_at, w.revoked_by, w.delivered_at, w.failed_at,
      w.failed_status, w.failed_reason, w.api_key_id, w.rule, w.suspended_at ${more}
    FROM webhook w ${rest}`

export async function findWebhook(
  connection: Pick<Connection, 'query'>,
  accountId: string,
  id: string,
): Promise<WebhookRow | undefined> {
  const [row] = await connection.query<WebhookRow>(
    selectWebhooks(sql`WHERE w.id = ${id} AND w.account_id = ${accountId}`),
  )
  return row
}

/** The kind of the work on a webhook: one item, as its events are in order. */
export const DELIVERY = 'delivery'

export const deliveryKey = ({ id, account_id: account }: SecretOwner): WorkKey => ({
  home: homeOf(account),
  key: id,
})

/** Its payload is the host. */
export const newDelivery = (webhook: SecretOwner & { url: string }, now: Date): NewWork => ({
  ...deliveryKey(webhook),
  owner: webhook.account_id,
  dueAt: now,
  since: now,
  payload: URL.canParse(webhook.url) ? new URL(webhook.url).host : '',
})

/** Ends a webhook; what waited for it, or was dead, is forgotten. @returns whether it had not ended before */
export async function endWebhook(
  { work, connection }: { work: Work; connection: Connection },
  webhook: SecretOwner,
  by: NonNullable<Webhook['revokedBy']>,
  now: string,
): Promise<boolean> {
  const { id } = webhook
  work.remove(connection, DELIVERY, deliveryKey(webhook))
  const ended = await connection.run(
    sql`UPDATE webhook SET revoked_at = ${now}, revoked_by = ${by} WHERE id = ${id} AND revoked_at IS NULL`,
  )
  await connection.run(sql`DELETE FROM webhook_delivery WHERE webhook_id = ${id}`)
  return ended > 0
}

/** Webhooks whose deliveries are counted in one statement. */
const TOGETHER = 100

/**
 * With what waits for each of them and is dead, counted to a limit. This is a statement of its own, without the table of
 * webhooks: Citus cannot count rows of other servers for each row of a table.
 */
export async function toWebhooks(
  reader: Pick<Connection, 'query'>,
  rows: readonly WebhookRow[],
  isSuspended: (row: WebhookRow) => boolean,
): Promise<Webhook[]> {
  const webhooks: Webhook[] = []
  for (let from = 0; from < rows.length; from += TOGETHER) {
    const some = rows.slice(from, from + TOGETHER)
    const counts = await reader.query<DeliveryCount>(
      joinSql(
        some.flatMap(({ id }) => [deliveryCount(id, 'waiting'), deliveryCount(id, 'dead')]),
        ' UNION ALL ',
      ),
    )
    for (const row of some) {
      const of = (state: DeliveryCount['state']) =>
        Number(counts.find((count) => count.id === row.id && count.state === state)?.n)
      const state = isSuspended(row) ? 'suspended' : 'active'
      webhooks.push(toWebhook(row, { state, waiting: of('waiting'), deadLetters: of('dead') }))
    }
  }
  return webhooks
}

interface DeliveryCount {
  id: string
  state: 'waiting' | 'dead'
  n: number | string
}

const deliveryCount = (id: string, state: DeliveryCount['state']): Sql =>
  sql`SELECT CAST(${id} AS TEXT) AS id, CAST(${state} AS TEXT) AS state, COUNT(*) AS n
    FROM (SELECT 1 FROM webhook_delivery
      WHERE webhook_id = ${id} AND dead_at ${state === 'dead' ? sql`IS NOT NULL` : sql`IS NULL`} LIMIT ${PAGES.counted}) c`

const toWebhook = (
  row: WebhookRow,
  { state, ...counts }: Required<Pick<Webhook, 'state' | 'waiting' | 'deadLetters'>>,
): Webhook => ({
  id: row.id,
  url: row.url,
  ...(row.types !== null && { types: JSON.parse(row.types) as string[] }),
  createdAt: row.created_at,
  ...(row.api_key_id !== null && !tokenHolder(row.api_key_id) && { apiKeyId: row.api_key_id }),
  ...(row.revoked_at === null ? { state } : { revokedAt: row.revoked_at }),
  ...(row.revoked_by !== null && { revokedBy: row.revoked_by }),
  ...(row.delivered_at !== null && { lastDeliveredAt: row.delivered_at }),
  ...(row.failed_at !== null && { lastFailure: toFailure(row) }),
  ...counts,
})

export const toFailure = ({
  failed_at: time,
  failed_status: status,
  failed_reason: reason,
}: FailureColumns) =>
  ({
    time: time ?? '',
    ...(status !== null && { status }),
    reason: reason ?? '',
  }) satisfies DeliveryFailure

/** The owner of a secret. */
export interface SecretOwner {
  account_id: string
  id: string
}

export const secretContext = ({ account_id: account, id }: SecretOwner): readonly string[] => [
  'secret of a webhook',
  account,
  id,
]

/** The column of the secrets that deliveries are signed with. */
export const SECRET_COLUMN: SealedColumn<SecretOwner> = {
  name: 'secrets of webhooks',
  table: sql`webhook`,
  sealed: sql`sealed_secret`,
  id: [sql`id`],
  joined: sql`webhook`,
  context: sql`webhook.account_id, webhook.id`,
  contextOf: secretContext,
  check: {
    table: sql`webhook_secret_check`,
    id: 'webhooks',
    text: 'the secret fits',
    context: ['secret check', 'webhooks'],
  },
}
