import {
  AgentError,
  type AccountRows,
  countWithin,
  currentAccount,
  PAGES,
  parseOptions,
  problemsError,
  type AccountEvent,
  type AccountEventSink,
  type AnnouncedEvent,
  type CheckResult,
  type HasAccountRows,
  type HasLifecycle,
  type HasSealedStores,
  type KeyEnvelope,
  type NewAccountEvent,
  type SealedStore,
} from '@vidimus/core-types'
import {
  homeOf,
  inAccount,
  SealedTexts,
  sql,
  TableOfAccounts,
  type AccountTable,
  type Connection,
  type Database,
} from '@vidimus/database'
import { WorkOfAccounts, workOn, type RunningKind } from '@vidimus/work'
import type { z } from 'zod'
import { Deliveries } from './deliveries.js'
import { giveUp } from './delivery-rows.js'
import { placeEvents } from './event-places.js'
import {
  deleteEvents,
  eventId,
  insertAccountEvent,
  keepUntil,
  eventPosition,
  selectEvents,
  toAccountEvent,
  type EventRow,
} from './event-rows.js'
import { Options, type EventsOptions } from './events-options.js'
import { AnnouncedEvents } from './announced-events.js'
import { requireParts } from './require-parts.js'
import { DELIVERY, SECRET_COLUMN, type SecretOwner } from './webhook-rows.js'
import { unlessFull } from './unless-full.js'
import { WebhookSuspension } from './webhook-suspension.js'
import { checkedTypes, Webhooks } from './webhooks.js'

const DAY_MS = 86_400_000
/** Events deleted in one transaction, so that no caller waits long for it. */
const DELETED_TOGETHER = 200
const ALL_ACCOUNTS = { spans: 'the lines of all accounts, after a restore' }

/** Which events; see {@link IAccountEvents}. */
export interface EventQuery {
  after?: string
  limit?: number
  types?: readonly string[]
}

/** More than an account has between two backups. */
const SKIPPED_IDS = 10_000_000

/**
 * Events of accounts, in the database of the service: kept for a while, listed, and delivered to webhooks. Several
 * processes may share it. {@link AccountEventsPlugin} lets accounts use it, and starts the deliveries.
 */
export class Events implements AccountEventSink, HasLifecycle, HasSealedStores, HasAccountRows {
  /** `start` throws AgentError `wrong_secret` if the secret is not the one that sealed what is stored. */
  readonly lifecycle = { start: () => this.start(), stop: () => this.stop(), check: () => this.check() }
  readonly sealedStores: readonly SealedStore[]
  readonly accountRows: readonly AccountRows[]
  readonly webhooks: Webhooks
  readonly within: NonNullable<AccountEventSink['within']>
  /** how often a process looks for what others have written, milliseconds */
  readonly pollMs: number

  private readonly clock: () => Date
  private readonly options: z.output<typeof Options>
  private readonly secrets: SealedTexts<SecretOwner>
  private readonly announced: AnnouncedEvents
  private readonly suspension: WebhookSuspension

  /** @throws AgentError `invalid_configuration` */
  constructor(
    private readonly database: Database,
    private readonly envelope: KeyEnvelope,
    options: EventsOptions = {},
  ) {
    requireParts(database, envelope)
    this.options = parseOptions(Options, options)
    this.pollMs = this.options.pollMs
    this.clock = this.options.clock ?? (() => new Date())
    this.secrets = new SealedTexts(database, envelope, SECRET_COLUMN)
    this.sealedStores = [this.secrets]
    this.suspension = new WebhookSuspension(database, this.options, this.clock)
    this.webhooks = new Webhooks(database, this.secrets, this.options, this.suspension, this.clock)
    this.announced = new AnnouncedEvents(database, this.clock)
    this.within = {
      database,
      tell: (transaction, event) =>
        insertAccountEvent(transaction as Connection, currentAccount().id, event, this.clock().toISOString()),
    }
    this.accountRows = [
      ...TABLES.map((table) => new TableOfAccounts(database, table)),
      this.announced.rows(),
      new WorkOfAccounts(database, DELIVERY, 'deliveries'),
    ]
    workOn(database).own(DELIVERY, {
      cancel: async (connection, { key }) => {
        await giveUp(connection, key, this.clock().toISOString())
      },
    })
  }

  /** @throws AgentError `no_account_scope`, `unavailable` */
  announce(event: NewAccountEvent): Promise<AnnouncedEvent> {
    return this.announced.announce(currentAccount().id, event)
  }

  /** Publishes what processes announced that are gone. */
  tellUnconfirmed(): Promise<void> {
    return this.announced.tellAll()
  }

  /** As {@link tellUnconfirmed}, in the background until it is stopped. */
  beginTelling(): void {
    this.announced.begin()
  }

  /** Events of the account in scope, oldest first. @throws AgentError `invalid_input` with every problem */
  async list({ after, limit = PAGES.usual, types }: EventQuery = {}): Promise<{
    events: AccountEvent[]
    more: boolean
  }> {
    const account = currentAccount().id
    // After a response, its caller finds the event.
    await this.announced.flush()
    const range = { after: demandPosition(after), limit: demandLimit(limit) + 1, types: checkedTypes(types) }
    await this.placeWritten()
    const rows = await this.database.query<EventRow>(selectEvents(account, range))
    const events = rows.slice(0, limit).map(toAccountEvent)
    events.splice(countWithin(events, PAGES.bytes))
    return { events, more: rows.length > events.length }
  }

  /** The id of the newest event of the account in scope. */
  async last(): Promise<string | undefined> {
    const account = currentAccount().id
    await this.placeWritten()
    const [row] = await this.database.query<{ last: number | string }>(
      sql`SELECT last FROM account_event_head WHERE ${inAccount(account)}`,
    )
    return row && eventId(Number(row.last))
  }

  /**
   * After the database was restored from a backup: ids that events have had since are not given again, so that nobody
   * who continues after one of them misses another.
   */
  async skipIds(): Promise<void> {
    await this.database.write(async (connection) => {
      const accounts = await connection.query<{ id: string }>(sql`SELECT id FROM account`)
      for (const { id } of accounts) {
        connection.send(
          sql`INSERT INTO account_event_head (home, account_id, last) VALUES (${homeOf(id)}, ${id}, ${SKIPPED_IDS})
            ON CONFLICT (home, account_id) DO UPDATE SET last = account_event_head.last + excluded.last`,
        )
      }
    }, ALL_ACCOUNTS)
  }

  /** Whether other processes keep, delete and deliver events. */
  get isReadOnly(): boolean {
    return this.database.isReadOnly
  }

  /** Takes part in deliveries, now and from then on. */
  deliver(): RunningKind {
    const { webhooks } = this.options
    return workOn(this.database).run(
      new Deliveries(this.database, this.envelope, webhooks, this.suspension, this.clock),
    )
  }

  /** Assigns positions to new events, and has them delivered. @throws what the database throws */
  place(): Promise<void> {
    return unlessFull(placeEvents(this.database, this.clock))
  }

  /**
   * Deletes expired events and revoked webhooks, ends those that stay suspended, in portions, and extends the time until which events are written.
   */
  async sweep(): Promise<void> {
    const now = this.clock().getTime()
    const keepMs = this.options.keepDays * DAY_MS
    await this.database.write((connection) => keepUntil(connection, new Date(now + keepMs)))
    const before = new Date(now - keepMs).toISOString()
    await this.database.write((connection) =>
      connection.run(sql`DELETE FROM webhook WHERE revoked_at < ${before}`),
    )
    await this.suspension.sweep(before)
    for (let deleted = DELETED_TOGETHER; deleted === DELETED_TOGETHER;) {
      deleted = await deleteEvents(this.database, before, DELETED_TOGETHER)
    }
  }

  private async start(): Promise<void> {
    await this.secrets.verify()
    if (this.isReadOnly) return
    const until = new Date(this.clock().getTime() + this.options.keepDays * DAY_MS)
    await unlessFull(this.database.write((connection) => keepUntil(connection, until)))
  }

  private async placeWritten(): Promise<void> {
    if (!this.isReadOnly) await this.place()
  }

  private async stop(): Promise<void> {
    await Promise.all([this.announced.stop(), workOn(this.database).stop(DELIVERY)])
    await this.announced.flush()
  }

  private async check(): Promise<CheckResult[]> {
    const name = 'events'
    await this.announced.flush()
    try {
      this.announced.mustBeStored()
      await this.database.probe(sql`SELECT kept_until FROM account_event_keeping`)
      return [{ name, ok: true }]
    } catch (error) {
      const message = error instanceof AgentError ? error.message : 'its tables cannot be read'
      return [{ name, ok: false, message }]
    }
  }
}

/** Deliveries go with their webhooks, which are first. */
const TABLES: readonly AccountTable[] = [
  { name: 'webhooks', table: 'webhook', id: ['id'] },
  { name: 'events', table: 'account_event', id: ['sequence'] },
  { name: 'places of events', table: 'account_event_head', id: ['home', 'account_id'] },
]

/** @returns 0, before all positions, if there is none */
export function demandPosition(after: string | undefined): number {
  const position = after === undefined ? 0 : eventPosition(after)
  if (position !== undefined) return position
  throw problemsError('invalid_input', [{ path: 'after', message: 'must be the id of an event' }])
}

export function demandLimit(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= PAGES.most) return limit
  throw problemsError('invalid_input', [
    { path: 'limit', message: `must be a whole number from 1 to ${PAGES.most}` },
  ])
}
