import { AsyncLocalStorage } from 'node:async_hooks'
import { AgentError } from './errors.js'
import type { IdempotentRun } from './idempotency.js'
import type { Network } from './networks.js'

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

/** The limits of an API key. Omitted limits do not apply. */
export interface ApiKeyGrant {
  /** id of the API key */
  id: string
  /** ids of operations, and names of groups of them */
  scopes?: readonly string[]
  /** on which something may be written */
  networks?: readonly Network[]
  /** ISO 8601 in UTC; absent: the key does not expire */
  expiresAt?: string
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

/** Identifies the owner of an API key; all that the HTTP server needs of accounts. */
export interface Authenticator {
  /**
   * @param apiKey - as the caller sent it, untrusted
   * @returns the account and the limits of the key, or `undefined` for an unknown, expired or revoked key
   */
  authenticate(apiKey: string): Promise<AuthenticatedAccount | undefined>
}
