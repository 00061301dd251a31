import { isAgentError, log, queueName } from '@vidimus/core-types'
import { homeOf, inAccount, joinSql, sql, type Connection, type Database } from '@vidimus/database'
import { workOn } from '@vidimus/work'
import { DELIVERY, newDelivery, type SecretOwner } from './webhook-rows.js'

/** Events placed in one transaction. */
const TOGETHER = 200
const PLACING = {
  lane: queueName('places of events'),
  spans: 'events of a DID get their place in the line of its account, with the deliveries that they lead to',
}

interface UnplacedRow {
  home: number
  sequence: number | string
  account_id: string
  type: string
  time: string
}

/**
 * Gives events that were committed since the last time their positions, and makes the deliveries that they lead to. All
 * of one transaction, so that each event leads to them once, whichever process places it.
 */
export async function placeEvents(database: Database, clock: () => Date): Promise<void> {
  const [waiting] = await database.query(
    sql`SELECT sequence FROM account_event WHERE position IS NULL ORDER BY sequence LIMIT 1`,
  )
  if (!waiting) return
  const aside = new Set<string>()
  for (let placed = TOGETHER; placed === TOGETHER;) placed = await placeNext(database, clock, aside)
  workOn(database).wake()
}

/**
 * Events of one account that cannot get positions must not block those of others.
 *
 * @param aside - accounts whose events could not get positions; this adds to it
 * @returns how many there were
 */
async function placeNext(database: Database, clock: () => Date, aside: Set<string>): Promise<number> {
  const place = (only?: string) =>
    database.write((connection) => placeSome({ database, connection }, clock(), aside, only), PLACING)
  try {
    return await place()
  } catch (error) {
    if (isAgentError(error)) throw error
    const rows = await unplaced(database, aside)
    for (const account of new Set(rows.map((row) => row.account_id))) {
      try {
        await place(account)
      } catch (reason) {
        aside.add(account)
        log('error', 'events of an account could not be ordered; they will be retried', {}, reason)
      }
    }
    return rows.length
  }
}

const unplaced = (reader: Pick<Connection, 'query'>, aside: ReadonlySet<string>, only?: string) =>
  reader.query<UnplacedRow>(
    sql`SELECT home, sequence, account_id, type, time FROM account_event WHERE position IS NULL
      ${aside.size > 0 ? sql`AND account_id NOT IN (${joinSql([...aside])})` : sql``}
      ${only === undefined ? sql`` : sql`AND account_id = ${only}`}
      ORDER BY sequence LIMIT ${TOGETHER}`,
  )

/** @returns how many */
async function placeSome(
  { database, connection }: { database: Database; connection: Connection },
  now: Date,
  aside: ReadonlySet<string>,
  only: string | undefined,
): Promise<number> {
  const rows = await unplaced(connection, aside, only)
  const byAccount = new Map<string, UnplacedRow[]>()
  for (const row of rows) {
    const others = byAccount.get(row.account_id)
    if (others) others.push(row)
    else byAccount.set(row.account_id, [row])
  }
  if (rows.length > 0) await givePlaces({ database, connection }, byAccount, now)
  return rows.length
}

interface SubscribedWebhook extends SecretOwner {
  url: string
  types: string | null
  suspended_at: string | null
}

/** All reading comes first: the writes are sent in one go. */
async function givePlaces(
  { database, connection }: { database: Database; connection: Connection },
  byAccount: ReadonlyMap<string, readonly UnplacedRow[]>,
  now: Date,
): Promise<void> {
  const accounts = joinSql([...byAccount.keys()])
  const own = [...byAccount.keys()].map((account) => sql`(${inAccount(account)})`)
  const heads = await connection.query<{ account_id: string; last: number | string }>(
    sql`SELECT account_id, last FROM account_event_head WHERE ${joinSql(own, ' OR ')}`,
  )
  const webhooks = await connection.query<SubscribedWebhook>(
    sql`SELECT id, account_id, url, types, suspended_at FROM webhook
      WHERE account_id IN (${accounts}) AND revoked_at IS NULL`,
  )
  for (const [account, events] of byAccount) {
    let position = Number(heads.find((head) => head.account_id === account)?.last ?? 0)
    const own = webhooks.filter((webhook) => webhook.account_id === account)
    const due = new Set<SubscribedWebhook>()
    for (const { home, sequence, type } of events) {
      position += 1
      connection.send(
        sql`UPDATE account_event SET position = ${position} WHERE home = ${home} AND sequence = ${sequence}`,
      )
      for (const webhook of own) {
        if (webhook.types !== null && !(JSON.parse(webhook.types) as string[]).includes(type)) continue
        connection.send(
          sql`INSERT INTO webhook_delivery (home, webhook_id, event_sequence, position, attempts, since)
            VALUES (${home}, ${webhook.id}, ${sequence}, ${position}, 0, ${now.toISOString()})`,
        )
        // One that is suspended waits until somebody resumes it.
        if (webhook.suspended_at === null) due.add(webhook)
      }
    }
    for (const webhook of due) workOn(database).ask(connection, DELIVERY, newDelivery(webhook, now), now)
    connection.send(
      sql`INSERT INTO account_event_head (home, account_id, last)
        VALUES (${homeOf(account)}, ${account}, ${position})
        ON CONFLICT (home, account_id) DO UPDATE SET last = excluded.last`,
    )
  }
}
