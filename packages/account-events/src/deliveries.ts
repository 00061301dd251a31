import {
  AgentError,
  backOff,
  log,
  SharedQueue,
  type BackOff,
  type DeliveryFailure,
  type KeyEnvelope,
  type OpenTransaction,
} from '@vidimus/core-types'
import type { Connection, Database } from '@vidimus/database'
import { StrangersHosts } from '@vidimus/public-hosts'
import { workOn, type HeldWork, type Postponed, type WorkKind, type WorkOutcome } from '@vidimus/work'
import {
  nextDelivery,
  nextTurn,
  noteDelivered,
  noteFailed,
  type DueDelivery,
  type FailedAttempt,
} from './delivery-rows.js'
import { toAccountEvent } from './event-rows.js'
import { postMessage, type PostLimits, type PostOutcome } from './post-message.js'
import { signatureHeaders } from './signature.js'
import { DELIVERY, endWebhook, secretContext } from './webhook-rows.js'
import type { WebhookSuspension } from './webhook-suspension.js'

export interface DeliveryRules extends PostLimits {
  /** deliveries under way at the same time, of this process */
  concurrency: number
  /** and of these to one host */
  concurrencyPerHost: number
  /** how long events are tried to be delivered, hours */
  retryHours: number
  /** after the first failure, seconds */
  firstRetrySeconds: number
  /** the most between two attempts, seconds */
  longestRetrySeconds: number
}

/** One account gets at most one in this many of the concurrent deliveries, so that its slow receivers leave room. */
const SHARE_OF_ACCOUNT = 4
/** Names that are looked up at the same time, and of these for one account. */
const MOST_LOOKUPS = 16
const LOOKUPS_OF_ACCOUNT = 4
/** How long attempts under way may take once the service stops, before they are broken off. */
const STOP_GRACE_MS = 2000
/** A webhook whose events are delivered one after the other leaves its place to others after this time. */
const TURN_MS = 1000
/** How often a webhook with waiting events finds out whether its account is enabled again. */
const DISABLED_PAUSE_MS = 10_000
const HOUR_MS = 3_600_000
const OF_WEBHOOK = { spans: 'a delivery is in the home of its event, the work on it in that of the account' }

/** The receiver is down, or asks to wait: its events wait together. */
class ReceiverError extends AgentError {
  constructor(
    readonly delivery: DueDelivery,
    readonly failure: DeliveryFailure,
  ) {
    super('unavailable', failure.reason)
  }
}

/**
 * Delivers the events of a webhook, one attempt after the other, the oldest first. While its receiver is down, everything for it waits,
 * and the order is kept; an event that the receiver alone refuses is retried later, and others overtake it.
 */
export class Deliveries implements WorkKind {
  readonly name = DELIVERY
  readonly most: number
  readonly share: number
  readonly target: NonNullable<WorkKind['target']>
  readonly graceMs = STOP_GRACE_MS
  private readonly hosts = new StrangersHosts(new SharedQueue(MOST_LOOKUPS, LOOKUPS_OF_ACCOUNT))
  private readonly backOff: BackOff

  constructor(
    private readonly database: Database,
    private readonly envelope: KeyEnvelope,
    private readonly rules: DeliveryRules,
    private readonly suspension: WebhookSuspension,
    readonly clock: () => Date,
  ) {
    this.most = rules.concurrency
    this.share = Math.max(1, Math.floor(rules.concurrency / SHARE_OF_ACCOUNT))
    this.target = { of: ({ payload = '' }) => payload, most: rules.concurrencyPerHost }
    this.backOff = { firstMs: rules.firstRetrySeconds * 1000, mostMs: rules.longestRetrySeconds * 1000 }
  }

  retry = () => this.backOff

  async handle(held: HeldWork): Promise<WorkOutcome> {
    const { key, payload } = held.item
    const ended = (dueAt?: Date): WorkOutcome => ({
      isDone: true,
      ...(payload !== undefined && { askedPayload: payload }),
      ...(dueAt && { again: { dueAt, ...(payload !== undefined && { payload }) } }),
    })
    for (const end = performance.now() + TURN_MS; performance.now() < end;) {
      const delivery = await nextDelivery(this.database, key, this.now())
      if (!delivery) return ended(await this.nextTurn(key))
      if (await this.suspension.hasEnded(delivery)) {
        await this.suspension.suspend({ ...delivery, id: key })
        return ended(this.clock())
      }
      const outcome = await this.attempt(delivery, held.signal)
      if (outcome === 'aborted') break
      if (!(await this.note(held, delivery, outcome))) break
    }
    return ended(this.clock())
  }

  onFailure(error: unknown): void {
    if (error instanceof ReceiverError) return
    log('error', 'a webhook could not be processed; it will be retried', {}, error)
  }

  async noteFailure(
    transaction: OpenTransaction,
    error: unknown,
    { failures, until }: Postponed,
  ): Promise<void> {
    if (!(error instanceof ReceiverError)) return
    const { delivery, failure } = error
    const holdsUp = failures === 1 ? 'first' : 'again'
    await noteFailed(transaction as Connection, delivery, {
      ...this.failed(failure, until.getTime()),
      holdsUp,
    })
  }

  private async nextTurn(webhookId: string): Promise<Date | undefined> {
    const turn = await nextTurn(this.database, webhookId)
    if (turn?.disabled_at) return new Date(this.clock().getTime() + DISABLED_PAUSE_MS)
    return turn && (turn.retry_at === null ? this.clock() : new Date(turn.retry_at))
  }

  private async attempt(delivery: DueDelivery, signal: AbortSignal): Promise<PostOutcome> {
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
      signal,
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

  /** Stores what follows from an attempt. @returns `false` if another process has claimed the webhook @throws ReceiverError */
  private async note(
    held: HeldWork,
    delivery: DueDelivery,
    outcome: Exclude<PostOutcome, 'aborted'>,
  ): Promise<boolean> {
    const time = this.now()
    const write = (work: (connection: Connection) => Promise<unknown>, isDelivered = false) =>
      this.database.write(async (connection) => {
        const isOurs = await (isDelivered ? held.continues(connection) : held.isHeld(connection))
        if (isOurs) await work(connection)
        return isOurs
      }, OF_WEBHOOK)
    const status = 'status' in outcome ? outcome.status : undefined
    if (status !== undefined && status >= 200 && status < 300)
      return write((connection) => noteDelivered(connection, delivery, time), true)
    if (status === GONE)
      return write((connection) =>
        endWebhook(
          { work: this.work, connection },
          { ...delivery, id: delivery.webhook_id },
          'receiver',
          time,
        ),
      )
    const reason = 'reason' in outcome ? outcome.reason : `its host responded with ${outcome.status}`
    const failure = { time, ...(status !== undefined && { status }), reason }
    if (status === undefined || status >= 500 || OF_RECEIVER.has(status))
      throw new ReceiverError(delivery, failure)
    const retryAt = this.clock().getTime() + backOff(Number(delivery.attempts) + 1, this.backOff)
    return write((connection) => noteFailed(connection, delivery, this.failed(failure, retryAt)))
  }

  private failed(failure: DeliveryFailure, retryAt: number): FailedAttempt {
    const giveUpBefore = new Date(retryAt - this.rules.retryHours * HOUR_MS).toISOString()
    return { failure, retryAt: new Date(retryAt).toISOString(), giveUpBefore }
  }

  private get work() {
    return workOn(this.database)
  }

  private now(): string {
    return this.clock().toISOString()
  }
}

/** The receiver does not want any more (Standard Webhooks, "Deliverability and reliability"). */
const GONE = 410
/** These statuses concern the receiver, not the event: it is late, or there is too much. */
const OF_RECEIVER: ReadonlySet<number> = new Set([408, 425, 429])
