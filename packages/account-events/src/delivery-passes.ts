import { backOff, inFairOrder, log, SharedQueue, queueName, type KeyEnvelope } from '@vidimus/core-types'
import type { Connection, Database } from '@vidimus/database'
import { StrangersHosts } from '@vidimus/public-hosts'
import { backOffOf, giveUpBefore, type RetrySchedule } from './retry-or-give-up.js'
import {
  dueWebhooks,
  isAsRead,
  nextDelivery,
  nextDueTime,
  noteDelivered,
  noteFailed,
  type DueDelivery,
  type DueWebhook,
} from './delivery-rows.js'
import { placeEvents } from './event-places.js'
import { toAccountEvent } from './event-rows.js'
import { postMessage, type PostLimits, type PostOutcome } from './post-message.js'
import { signatureHeaders } from './signature.js'
import { endWebhook, secretContext } from './webhook-rows.js'
import type { WebhookSuspension } from './webhook-suspension.js'

export interface DeliveryRules extends PostLimits, RetrySchedule {
  /** deliveries under way at the same time, of this process */
  concurrency: number
  /** and of these to one host */
  concurrencyPerHost: number
}

interface Active {
  host: string
  accountId: string
  done: Promise<void>
}

/** One account gets at most one in this many of the concurrent deliveries, so that its slow receivers leave room. */
const SHARE_OF_ACCOUNT = 4
/** Names that are looked up at the same time, and of these for one account. */
const MOST_LOOKUPS = 16
const LOOKUPS_OF_ACCOUNT = 4
/** How long attempts under way may take once the service stops, before they are broken off. */
const STOP_GRACE_MS = 2000
/** Read together, as those of a busy host or account are skipped. */
const LOOKED_AT = 200

/**
 * Delivers what is due, in one process at a time. Attempts to one webhook are sequential, the oldest due event first.
 * While its receiver is down, everything for it waits, and the order is kept; an event that the receiver alone
 * refuses is retried later, and others overtake it.
 */
export class DeliveryPasses {
  private readonly active = new Map<string, Active>()
  private readonly abort = new AbortController()
  private readonly hosts = new StrangersHosts(new SharedQueue(MOST_LOOKUPS, LOOKUPS_OF_ACCOUNT))
  /** webhooks that an error of ours keeps from being delivered, left for a later pass */
  private readonly aside = new Set<string>()
  private stopping = false
  /** another process delivers, as this one seemed to be gone */
  private overtaken = false

  constructor(
    private readonly database: Database,
    private readonly envelope: KeyEnvelope,
    private readonly rules: DeliveryRules,
    private readonly suspension: WebhookSuspension,
    private readonly clock: () => Date,
  ) {}

  /**
   * Assigns positions to new events, and delivers until nothing is due or the service stops. Does nothing if another
   * process is delivering.
   *
   * @throws what the database throws
   */
  async run(): Promise<void> {
    await placeEvents(this.database, this.clock)
    const dueAt = await nextDueTime(this.database)
    if (this.stopping || dueAt === undefined || dueAt > this.now()) return
    const release = await this.database.lock(queueName('webhook-deliveries'))
    if (!release) return
    this.aside.clear()
    this.overtaken = false
    try {
      await this.deliverAll()
    } finally {
      await Promise.allSettled([...this.active.values()].map(({ done }) => done))
      await release()
    }
  }

  /** Begins nothing more; breaks off what does not end soon. It is delivered again later. */
  stop(): void {
    this.stopping = true
    setTimeout(() => this.abort.abort(), STOP_GRACE_MS).unref()
  }

  private async deliverAll(): Promise<void> {
    while (!this.stopping && !this.overtaken) {
      await placeEvents(this.database, this.clock)
      const due = await dueWebhooks(this.database, this.now(), LOOKED_AT)
      for (const webhook of inFairOrder(due, ({ account_id: account }) => account)) this.begin(webhook)
      if (this.active.size === 0) return
      await Promise.race([...this.active.values()].map(({ done }) => done))
    }
  }

  private begin(webhook: DueWebhook): void {
    const { webhook_id: id, account_id: accountId, url } = webhook
    const host = URL.canParse(url) ? new URL(url).host : url
    const underWay = [...this.active.values()]
    const { concurrency, concurrencyPerHost } = this.rules
    const ofAccount = Math.max(1, Math.floor(concurrency / SHARE_OF_ACCOUNT))
    if (
      this.active.has(id) ||
      this.aside.has(id) ||
      underWay.length >= concurrency ||
      underWay.filter((one) => one.host === host).length >= concurrencyPerHost ||
      underWay.filter((one) => one.accountId === accountId).length >= ofAccount
    )
      return
    const done = this.deliver(id)
      .catch((error: unknown) => {
        this.aside.add(id)
        log('error', 'a webhook could not be processed; it will be retried', {}, error)
      })
      .finally(() => this.active.delete(id))
    this.active.set(id, { host, accountId, done })
  }

  /** One attempt. */
  private async deliver(webhookId: string): Promise<void> {
    const delivery = await nextDelivery(this.database, webhookId, this.now())
    if (!delivery) return
    if (await this.suspension.hasEnded(delivery))
      return this.suspension.suspend({ ...delivery, id: webhookId })
    const outcome = await this.attempt(delivery)
    if (outcome === 'aborted') return
    const note = this.noteOf(delivery, outcome)
    const isNoted = await this.database.write(async (connection) => {
      const isOurs = await isAsRead(connection, delivery)
      if (isOurs) await note(connection)
      return isOurs
    })
    this.overtaken ||= !isNoted
  }

  private async attempt(delivery: DueDelivery): Promise<PostOutcome> {
    const { webhook_id: id, url } = delivery
    const secret = this.secretOf(delivery)
    if (secret === undefined) return { reason: 'its secret cannot be decrypted' }
    const event = toAccountEvent(delivery)
    const body = JSON.stringify(event)
    const timestamp = Math.floor(this.clock().getTime() / 1000)
    // Receivers recognise repetitions by it: the same for every attempt, and different for every webhook.
    const message = { id: `${id}.${event.id}`, timestamp, body }
    return postMessage(
      { url, headers: signatureHeaders(secret, message), body },
      this.rules,
      this.hosts.lookupFor(delivery.account_id),
      this.abort.signal,
    )
  }

  /** One that does not open must not hold up the others. */
  private secretOf({ webhook_id: id, account_id, sealed_secret: sealed }: DueDelivery): string | undefined {
    try {
      return this.envelope.open(sealed, secretContext({ account_id, id }))
    } catch {
      return undefined
    }
  }

  /** What follows from an attempt. */
  private noteOf(
    delivery: DueDelivery,
    outcome: Exclude<PostOutcome, 'aborted'>,
  ): (connection: Connection) => Promise<unknown> {
    const time = this.now()
    const status = 'status' in outcome ? outcome.status : undefined
    if (status !== undefined && status >= 200 && status < 300) {
      return (connection) => noteDelivered(connection, delivery, time)
    }
    if (status === GONE) return (connection) => endWebhook(connection, delivery.webhook_id, 'receiver', time)
    const ofReceiver = status === undefined || status >= 500 || OF_RECEIVER.has(status)
    const failures = Number(ofReceiver ? delivery.failures : delivery.attempts) + 1
    const retryAt = this.clock().getTime() + backOff(failures, backOffOf(this.rules))
    const reason = 'reason' in outcome ? outcome.reason : `its host responded with ${outcome.status}`
    const failed = {
      failure: { time, ...(status !== undefined && { status }), reason },
      retryAt: new Date(retryAt).toISOString(),
      giveUpBefore: giveUpBefore(retryAt, this.rules).toISOString(),
      ofReceiver,
    }
    return (connection) => noteFailed(connection, delivery, failed)
  }

  private now(): string {
    return this.clock().toISOString()
  }
}

/** The receiver does not want any more (Standard Webhooks, "Deliverability and reliability"). */
const GONE = 410
/** These statuses concern the receiver, not the event: it is late, or there is too much. */
const OF_RECEIVER: ReadonlySet<number> = new Set([408, 425, 429])
