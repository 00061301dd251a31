import type { IPluginMethodMap } from '@veramo/core-types'
import type { UsedOf } from './account-usage.js'
import { isAgentError, type ErrorCode } from './errors.js'
import type { NextPage, PageRequest, Total } from './paging.js'
import type { OpenTransaction } from './open-transaction.js'
import { hasMethods } from './required-methods.js'
import { log } from './service-log.js'

/** The events of accounts; each is explained in `docs/events.md`. Plugins add their own with a prefix and a colon. */
export const EVENT_TYPES = {
  'did.created': 'A DID was created',
  'did.imported': 'A DID was imported',
  'did.updated': 'A DID of the account was changed',
  'did.rotated': 'The signing key of a DID was replaced, and its status lists were signed again',
  'did.deactivated': 'A DID was deactivated on its ledger',
  'list.created': 'A status list was created',
  'list.updated': 'A new version of a status list was published',
  'job.ended': 'A mass change of status lists ended',
  'list.nearly-full': '90 % of the entries of a status list are given out, and no list continues it',
  'list.closed': 'Every credential in a member of a series has expired',
  'list.series-blocked': 'The next member of a series of status lists could not be created',
  'credentials.registered': 'Credentials that were issued elsewhere were imported into the register',
  'key.created': 'A key pair was created',
  'key.imported': 'A key pair was imported',
  'api-key.created': 'An API key was created',
  'api-key.revoked': 'An API key was revoked',
  'api-key.rotated': 'An API key was rotated: it has a successor and expires',
  'api-key.updated': 'An operator added scopes to an API key',
  'budget.nearly-spent': '80 % of a daily budget is spent',
  'payer.short': 'The payer of a network has insufficient funds for writes of the account',
} as const

export type EventType = keyof typeof EVENT_TYPES | `${string}:${string}`

/** An event about something of an account. Never contains a secret. */
export interface AccountEvent {
  /** opaque; of two events of an account the later one has the greater text */
  id: string
  type: EventType
  /** ISO 8601 in UTC; when it happened, which is not always the order of the ids */
  time: string
  /** a DID, a DID URL, a kid, the id of an API key */
  subject: string
  /** further data; depends on the type */
  data?: Record<string, unknown>
}

/** An event to be written. */
export type NewAccountEvent = Pick<AccountEvent, 'type' | 'subject' | 'data'>

/** Takes events of the account in scope that happen elsewhere than in the database, on a ledger for example. */
export interface AccountEventSink {
  /**
   * Records that something is about to be done. If the process ends before it reports the outcome, the event is
   * written as unconfirmed: with `confirmed: false` in its data.
   *
   * @throws AgentError `unavailable` if this cannot be written now: then it should not be done either
   */
  announce(event: NewAccountEvent): Promise<AnnouncedEvent>
  /** omitted by sinks elsewhere: events are written in the transaction of their change */
  readonly within?: {
    /** whose transactions */
    readonly database: object
    tell(transaction: OpenTransaction, event: NewAccountEvent): void
  }
}

/** The events of a change, for the code that makes it. */
export interface ToldChange {
  events: AccountEventSink
  event: NewAccountEvent
}

/**
 * One of these methods must be called. They return at once; the outcome is stored later if it cannot be stored now.
 */
export interface AnnouncedEvent {
  happened(): void
  didNotHappen(): void
  /** it may have happened, or still happen: the event is written with `confirmed: false` in its data */
  mayHaveHappened(): void
}

const UNCLEAR: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'outcome_unknown',
  'ledger_unavailable',
  'internal_error',
])

/** Whether something that failed this way may have happened anyway, or still happen. */
export const isUnclear = (error: unknown): boolean => !isAgentError(error) || UNCLEAR.has(error.code)

/**
 * Does something that causes events.
 *
 * @param events - omitted: no events are written
 * @throws what `announce` and `work` throw
 */
export async function announced<T>(
  events: AccountEventSink | undefined,
  event: NewAccountEvent,
  work: () => Promise<T>,
): Promise<T> {
  const announcement = await events?.announce(event)
  try {
    const result = await work()
    announcement?.happened()
    return result
  } catch (error) {
    if (isUnclear(error)) announcement?.mayHaveHappened()
    else announcement?.didNotHappen()
    throw error
  }
}

/**
 * Writes an event about something that has happened, for the account in scope. Never rejects: what happened must not
 * fail because of this.
 *
 * @param what - names the event, completing the sentence of the log if this fails
 */
export async function tellAccount(
  events: AccountEventSink | undefined,
  event: NewAccountEvent,
  what: string,
): Promise<void> {
  try {
    await announced(events, event, () => Promise.resolve())
  } catch (error) {
    log('warn', `an account was not told ${what}`, {}, error)
  }
}

/** Whether an object named in `agent.yml` can take events of accounts. */
export const isAccountEventSink = (value: unknown): value is AccountEventSink => hasMethods(value, 'announce')

/** A receiver of the events of an account. */
export interface Webhook {
  id: string
  url: string
  /** absent: events of all types */
  types?: string[]
  createdAt: string
  /** id of the API key that it belongs to: that created or resumed it; absent if unknown, or if a token did */
  apiKeyId?: string
  /** suspended: the rights of its owner have ended, and its events wait; absent: it is revoked */
  state?: 'active' | 'suspended'
  /** it gets no events any more */
  revokedAt?: string
  /** the account, its receiver with a 410, or the service, as nobody resumed it */
  revokedBy?: 'account' | 'receiver' | 'service'
  /** when an event was delivered last */
  lastDeliveredAt?: string
  /** the error of the last attempt, if that failed */
  lastFailure?: DeliveryFailure
  /** pending events; 10,000 also means more */
  waiting: number
  /** events that could not be delivered, counted as far; see {@link IAccountEvents.webhookDeadLetters} */
  deadLetters: number
}

export interface DeliveryFailure {
  time: string
  /** of the response; absent: there was none */
  status?: number
  /** a sentence without addresses */
  reason: string
}

export interface CreatedWebhook extends Webhook {
  /** what deliveries are signed with, `whsec_...`; shown this once */
  secret: string
}

/** An event that could not be delivered. */
export interface DeadLetter {
  event: AccountEvent
  attempts: number
  failure: DeliveryFailure
}

/**
 * The events of the account in scope, and its webhooks. Those of other accounts look nonexistent.
 *
 * Methods throw AgentError `invalid_input` with every problem, and `webhook_not_found`.
 */
export interface IAccountEvents extends IPluginMethodMap {
  /**
   * Oldest first.
   *
   * @param args - `after`: id of an event, only later ones; `limit` 1 to 1000, default 100; `types`: only these
   */
  accountEventList(args?: {
    after?: string
    limit?: number
    types?: readonly string[]
  }): Promise<{ events: AccountEvent[]; more: boolean }>
  /** The id of the newest event; `undefined` if there is none. */
  accountEventLast(): Promise<string | undefined>
  webhookCreate(args: { url: string; types?: readonly string[] }): Promise<CreatedWebhook>
  /** Newest first, revoked ones included. */
  webhookList(args?: PageRequest): Promise<{ webhooks: Webhook[] } & Total & NextPage>
  /** How many work, and how many may. */
  webhookUsage(): Promise<UsedOf>
  /** Ends it for good, and forgets what waits for it. Revoking again changes nothing. */
  webhookRevoke(args: { id: string }): Promise<Webhook>
  /** Makes a suspended webhook the caller's, and delivers what waits for it, in order. An active one stays unchanged. */
  webhookResume(args: { id: string }): Promise<Webhook>
  /** Oldest first. @param args - `after`: id of an event; `limit` 1 to 1000, default 100 */
  webhookDeadLetters(args: {
    id: string
    after?: string
    limit?: number
  }): Promise<{ deadLetters: DeadLetter[]; more: boolean }>
  /** Delivers dead letters again. @param args - `events`: ids of events; default: all */
  webhookReplay(args: { id: string; events?: readonly string[] }): Promise<{ replayed: number }>
}
