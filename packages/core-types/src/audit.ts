import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import { currentCaller, type ApiKeyGrant } from './account.js'
import type { OpenTransaction } from './open-transaction.js'
import { hasMethods } from './required-methods.js'
import type * as schemas from './schemas/index.js'
import { tokenHolder } from './token-holder.js'

/**
 * The events of the audit trail; each is explained in `docs/audit.md`. Plugins add their own with a prefix and a
 * colon, for example `acme:quota-raised`.
 */
export const AUDIT_EVENTS = {
  'account-created': 'An account was created',
  'account-updated': 'An operator changed the quotas or the KMS of an account',
  'account-disabled': 'An operator disabled an account',
  'account-enabled': 'An operator enabled an account again',
  'account-deletion-begun': 'An operator began to delete an account',
  'account-deleted': 'An account and its data were erased',
  'api-key-created': 'An API key was created',
  'api-key-revoked': 'An API key was revoked',
  'api-key-rotated': 'An API key was rotated: it has a successor and expires',
  'api-key-updated': 'An operator added scopes to an API key',
  'authentication-failed': 'Requests without a valid API key or token',
  'signed-in': 'Somebody signed in to the console at an identity provider',
  'signed-out': 'Somebody signed out of the console',
  'sign-in-refused': 'Attempts to sign in to the console that were refused',
  'session-ended': 'An operator ended a session of the console',
  'access-forbidden': 'A valid API key or token lacked the right for its request',
  'key-created': 'A key pair was created',
  'key-imported': 'A key pair was imported',
  'key-updated': 'The label of a key pair was changed',
  'key-deleted': 'A key pair was deleted',
  'key-certified': 'The certificates of a key were set or removed',
  'did-created': 'A DID was created',
  'did-imported': 'A DID was imported',
  'did-updated': 'A DID of the account was changed',
  'did-rotation-begun': 'The signing key of a DID is being replaced',
  'did-rotated': 'The signing key of a DID was replaced, and its status lists were signed again',
  'did-deactivated': 'A DID was deactivated on its ledger',
  'did-deleted': 'A DID was removed from its account',
  'name-released': 'An operator released the name of a did:web that its account no longer has',
  'resource-created': 'A status list or another DID-Linked Resource was created',
  'resource-updated': 'A new version of a status list or another DID-Linked Resource was published',
  'credentials-registered': 'Credentials that were issued before or elsewhere were registered',
  'status-job-created': 'A mass change of status lists was ordered',
  'job-paused': 'A job was paused by a caller, or because the rights of whoever ordered it have ended',
  'job-resumed': 'A paused job was resumed',
  'job-cancelled': 'A job was cancelled; what was applied stays applied',
  'work-retried': 'Work that had failed was retried at once',
  'work-paused': 'Work was paused',
  'work-resumed': 'Paused work was resumed',
  'work-cancelled': 'Work was cancelled',
  'credential-issued': 'A credential was issued as a DID',
  'presentation-created': 'A presentation was created as a DID',
  'data-signed': 'Raw data or a custom token was signed with a key or as a DID',
  'webhook-created': 'A webhook was created, or got a new secret',
  'webhook-revoked': 'A webhook was revoked',
  'webhook-suspended': 'The rights that a webhook was created or resumed with have ended; its events wait',
  'webhook-resumed': 'A suspended webhook was taken over',
  'webhook-replayed': 'Redelivery of dead letters of a webhook was requested',
  'payment-made': 'Funds of a payer were spent',
  'database-restored': 'The database was restored from a backup, and what is outside of it was taken over',
  'secret-rotated': 'The encryption secret was replaced',
} as const

export type AuditEventName = keyof typeof AUDIT_EVENTS | `${string}:${string}`

/** An event to be recorded. Never contains a secret. */
export interface AuditEntry {
  event: AuditEventName
  /** default `done` */
  outcome?: 'done' | 'refused'
  /** the object concerned: a DID, a kid, the id of an API key, the name of an account */
  subject?: string
  /** one short sentence or word more */
  detail?: string
}

/** The actor; `undefined` members: nobody in particular, as for the command line. */
export interface AuditActor {
  accountId?: string
  /** absent: a bearer token was used, or nothing */
  apiKeyId?: string
  /** the identity provider whose token was used, and the holder of the token */
  issuer?: string
  tokenSubject?: string
  address?: string
  requestId?: string
}

/** Where packages record events that matter for security. */
export interface AuditTrail {
  /**
   * Records an event right after it happened. Never rejects, as the action is done. An event that cannot be written
   * now is kept and written later, and the health check reports it.
   *
   * @param actor - default: the caller in whose scope this is called
   */
  record(entry: AuditEntry, actor?: AuditActor): Promise<void>
  /**
   * Records what nobody has seen yet, such as a signature, before it is handed out: whoever has it finds it in the trail, whatever
   * happens to this process.
   *
   * @throws AgentError `unavailable` if it cannot be stored: then the result must not be handed out
   */
  recordFirst(entry: AuditEntry, actor?: AuditActor): Promise<void>
  /**
   * Counts an event that a stranger can cause at will: the first of a minute is written at once, the others of the
   * same kind as one row with their number when the minute is over.
   */
  count(entry: AuditEntry, actor?: AuditActor): void
}

/** An audit trail in the database of what it is about: `AuditLog` of `@vidimus/accounts`. */
export interface AuditRows {
  /** Writes a row in the running transaction, of which it becomes a part: both are there, or neither. */
  recordWithin(transaction: OpenTransaction, entry: AuditEntry, actor: AuditActor): Promise<void>
}

type ListMethod = typeof schemas.accountAuditMethods.accountAuditList

/** A row of the audit trail as its account sees it. */
export type AuditedEvent = z.output<typeof schemas.AuditedEvent>

/** The audit trail of the account in scope. */
export interface IAccountAudit extends IPluginMethodMap {
  /**
   * Newest first. With a filter, a page may be short, or empty, without being the last.
   *
   * @throws AgentError `invalid_input`
   */
  accountAuditList(args?: z.input<ListMethod['arguments']>): Promise<z.output<ListMethod['returns']>>
}

/** The holder of an API key or token, as the audit trail names it. */
export function actorOfGrant(grant: ApiKeyGrant | undefined): AuditActor {
  if (!grant) return {}
  const holder = tokenHolder(grant.id)
  return holder ? { issuer: holder.issuer, tokenSubject: holder.subject } : { apiKeyId: grant.id }
}

/** The caller in scope, as the audit trail names it. Must be asked for before a transaction is. */
export function currentActor(): AuditActor {
  const caller = currentCaller()
  if (!caller) return {}
  const { account, grant, address, requestId } = caller
  return {
    accountId: account.id,
    ...actorOfGrant(grant),
    ...(address !== undefined && { address }),
    ...(requestId !== undefined && { requestId }),
  }
}

export const hasAuditRows = (value: unknown): value is AuditRows => hasMethods(value, 'recordWithin')

/** Whether an object named in `agent.yml` can take events. */
export const isAuditTrail = (value: unknown): value is AuditTrail =>
  hasMethods(value, 'record', 'recordFirst', 'count')
