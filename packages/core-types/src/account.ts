import { AsyncLocalStorage } from 'node:async_hooks'
import type { ConsoleLogin } from './console-login.js'
import { AgentError } from './errors.js'
import type { IdempotentRun } from './idempotency.js'
import type { Network } from './networks.js'
import type { HandOver } from './with-version.js'

/** Names that new accounts may have. */
export const ACCOUNT_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,62}$/u

export const ACCOUNT_NAME_SHAPE =
  'must begin with a letter or digit and have at most 63 letters, digits, spaces or any of . _ @ -'

/** One tenant of the service: it owns keys, DIDs and API keys, and cannot see those of others. */
export interface Account {
  /** UUID */
  id: string
  /** unique, chosen by the operator */
  name: string
  /** ISO 8601 in UTC */
  createdAt: string
  /** the KMS of new keys whose request names none; absent: the default of the service */
  kms?: string
}

/** The limits of an API key, or of the bearer token of an identity provider. Omitted limits do not apply. */
export interface ApiKeyGrant {
  /** id of the API key, or of the holder of a token: see {@link tokenHolder} */
  id: string
  /** ids of operations, and names of groups of them */
  scopes?: readonly string[]
  /** on which something may be written */
  networks?: readonly Network[]
  /** ISO 8601 in UTC; absent: the key does not expire. Of a token: how long API keys may live that it creates. */
  expiresAt?: string
  /** of a token: fingerprint of the rule of its identity provider that gives these rights */
  rule?: string
}

/** An account, with the limits of the API key that identified it. */
export interface AuthenticatedAccount extends Account {
  /** absent: nothing is limited */
  grant?: ApiKeyGrant
}

/** Where a call comes from, for the audit trail, and its request id. */
export interface CallOrigin {
  /** of the client, as far as it is known */
  address?: string
  requestId?: string
  /** of a request with an idempotency key */
  run?: IdempotentRun
  /** of background work: demanded before a document of a DID changes, and with what the account stores of it */
  work?: HandOver
}

/** The account and API key on whose behalf something is done, and where the call comes from. */
export interface Caller extends CallOrigin {
  account: Account
  /** absent: nothing is limited; so it is for the service's own work */
  grant?: ApiKeyGrant
}

const scope = new AsyncLocalStorage<Caller>()

/**
 * Runs `work` in the scope of an account. Everything that it awaits, however deep, sees only this account.
 *
 * A nested scope of the same account keeps the limits of the outer one, unless it brings its own.
 */
export function runInAccountScope<T>(
  account: AuthenticatedAccount,
  work: () => T,
  origin: CallOrigin = {},
): T {
  const outer = scope.getStore()
  const inherited = outer?.account.id === account.id ? outer : undefined
  const { grant, ...bare } = account
  const limits = grant ?? inherited?.grant
  return scope.run({ ...inherited, ...origin, account: bare, ...(limits && { grant: limits }) }, work)
}

/**
 * The account in whose scope the caller runs.
 *
 * @throws AgentError `no_account_scope` outside of any scope
 */
export function currentAccount(): Account {
  const caller = scope.getStore()
  if (!caller) {
    throw new AgentError('no_account_scope', 'keys and DIDs can only be used in the scope of an account')
  }
  return caller.account
}

/** The caller in whose scope this runs; `undefined` outside of any, as for the command line. */
export const currentCaller = (): Caller | undefined => scope.getStore()

/** Identifies the owner of an API key or token; all that the HTTP server needs of accounts. */
export interface Authenticator {
  /**
   * @param credential - an API key, or a bearer token if identity providers are configured; untrusted
   * @returns the account and the limits of the key, or `undefined` for an unknown, expired or revoked key
   * @throws AgentError `forbidden` for a valid token that has no account here, `unavailable` if it cannot be verified now
   */
  authenticate(credential: string): Promise<AuthenticatedAccount | undefined>
  /** Whether a text has the form of a credential, without looking it up; absent: any may be one. @param text - untrusted */
  hasForm?(text: string): boolean
  /** scopes that its configuration gives, so that the server can report unknown ones */
  readonly namedScopes?: readonly NamedScope[]
  /** where tokens for the service are to be had (RFC 9728), without `resource`; absent: it accepts none */
  readonly protectedResource?: object
  /** signs people in to the console; absent: only API keys do */
  readonly consoleLogin?: ConsoleLogin | undefined
}

/** A scope in the configuration of an {@link Authenticator}. */
export interface NamedScope {
  /** its place in the options */
  path: string
  scope: string
}
