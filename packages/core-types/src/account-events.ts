import type { IPluginMethodMap } from '@veramo/core-types'
import type { UsedOf } from './account-usage.js'
import { isAgentError, type ErrorCode } from './errors.js'
import type { NextPage, PageRequest, Total } from './paging.js'
import type { OpenTransaction } from './open-transaction.js'
import { hasMethods } from './required-methods.js'
import { log } from './service-log.js'

/** What accounts are told of; each is explained in `docs/events.md`. Plugins add their own with a prefix and a colon. */
export const EVENT_TYPES = {
  'did.created': 'A DID was created',
  'did.imported': 'A DID was imported',
  'did.updated': 'A DID that the account holds was changed',
  'did.rotated': 'Another key signs for a DID, and has signed its status lists',
  'did.deactivated': 'A DID was deactivated on its ledger',
  'list.created': 'A status list was created',
  'list.updated': 'A new version of a status list was published',
  'key.created': 'A key pair was created',
  'key.imported': 'A key pair was imported',
  'api-key.created': 'An API key was created',
  'api-key.revoked': 'An API key was revoked',
  'api-key.rotated': 'An API key got a successor and an expiry',
  'api-key.updated': 'An operator added scopes to an API key',
  'budget.nearly-spent': '80 % of a daily budget are spent',
  'payer.short': 'The payer of a network has too little money for the writes of the account',
} as const

export type EventType = keyof typeof EVENT_TYPES | `${string}:${string}`

/** What happened to something of an account. Never a secret in any of it. */
export interface AccountEvent {
  /** opaque; of two events of an account the later one has the greater text */
  id: string
  type: EventType
  /** ISO 8601 in UTC; when it happened, which is not always the order of the ids */
  time: string
  /** a DID, a DID URL, a kid, the id of an API key */
  subject: string
  /** what there is to say beside; depends on the type */
  data?: Record<string, unknown>
}

/** What is to be told. */
export type NewAccountEvent = Pick<AccountEvent, 'type' | 'subject' | 'data'>

/** Takes events of the account in scope that happen elsewhere than in the database, on a ledger for example. */
export interface AccountEventSink {
  /**
   * Writes down that something is about to be done. Where the process ends before it says what became of it, the event
   * is told as one that nobody confirms: with `confirmed: false` in its data.
   *
   * @throws AgentError `unavailable` where that cannot be written now: then it should not be done either
   */
  announce(event: NewAccountEvent): Promise<AnnouncedEvent>
  /** left out by sinks elsewhere: events are written in the transaction of what they tell of */
  readonly within?: {
    /** whose transactions */
    readonly database: object
    tell(transaction: OpenTransaction, event: NewAccountEvent): void
  }
}

/** What an account is to be told of a change, by whoever makes it. */
export interface ToldChange {
  events: AccountEventSink
  event: NewAccountEvent
}

/** One of these methods must be called. They return at once, and what they say is stored later where it cannot be now. */
export interface AnnouncedEvent {
  happened(): void
  didNotHappen(): void
  /** it may have happened, or yet happen: the event is told with `confirmed: false` in its data */
  mayHaveHappened(): void
}

const UNCLEAR: ReadonlySet<ErrorCode> = new Set(['unavailable', 'ledger_unavailable', 'internal_error'])

/** Whether what failed so may have happened all the same, or yet happen. */
export const isUnclear = (error: unknown): boolean => !isAgentError(error) || UNCLEAR.has(error.code)

/**
 * Does something that an account is told of.
 *
 * @param events - left out: nobody is told
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
 * Tells the account in scope of something that has happened. Never rejects: what is told of must not fail for it.
 *
 * @param what - of which it is told, as a sentence of the log goes on where that fails
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

/** Whether something that `agent.yml` named can take events of accounts. */
export const isAccountEventSink = (value: unknown): value is AccountEventSink => hasMethods(value, 'announce')

/** Where events of an account are sent to. */
export interface Webhook {
  id: string
  url: string
  /** left out: events of all types */
  types?: string[]
  createdAt: string
  /** id of the API key that made it; left out where nobody remembers */
  apiKeyId?: string
  /** it gets no events any more */
  revokedAt?: string
  /** who ended it: the account, or its receiver, which answered 410 */
  revokedBy?: 'account' | 'receiver'
  /** when an event was delivered last */
  lastDeliveredAt?: string
  /** what went wrong at the last attempt, where that failed */
  lastFailure?: DeliveryFailure
  /** events that are still to be delivered; 10,000 stands for more as well */
  waiting: number
  /** events that could not be delivered, counted as far; see {@link IAccountEvents.webhookDeadLetters} */
  deadLetters: number
}

export interface DeliveryFailure {
  time: string
  /** that the receiver answered with; absent: there was no answer */
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
 * The events of the account in scope, and its webhooks. What is another account's reads like what does not exist.
 *
 * Methods throw AgentError `invalid_input` with every problem, and `webhook_not_found`.
 */
export interface IAccountEvents extends IPluginMethodMap {
  /**
   * Oldest first.
   *
   * @param args - `after`: id of an event, those after it alone; `limit` 1 to 1000, default 100; `types`: these alone
   */
  accountEventList(args?: {
    after?: string
    limit?: number
    types?: readonly string[]
  }): Promise<{ events: AccountEvent[]; more: boolean }>
  /** The id of the newest event; `undefined` where there is none. */
  accountEventLast(): Promise<string | undefined>
  webhookCreate(args: { url: string; types?: readonly string[] }): Promise<CreatedWebhook>
  /** Newest first, revoked ones included. */
  webhookList(args?: PageRequest): Promise<{ webhooks: Webhook[] } & Total & NextPage>
  /** How many work, and how many may. */
  webhookUsage(): Promise<UsedOf>
  /** Ends it for good, and forgets what waits for it. Revoking again changes nothing. */
  webhookRevoke(args: { id: string }): Promise<Webhook>
  /** Oldest first. @param args - `after`: id of an event; `limit` 1 to 1000, default 100 */
  webhookDeadLetters(args: {
    id: string
    after?: string
    limit?: number
  }): Promise<{ deadLetters: DeadLetter[]; more: boolean }>
  /** Delivers dead letters again. @param args - `events`: ids of events; left out: all */
  webhookReplay(args: { id: string; events?: readonly string[] }): Promise<{ replayed: number }>
}
