import { AsyncLocalStorage } from 'node:async_hooks'
import { AgentError } from './errors.js'

/** One tenant of the service: it owns keys, DIDs and API keys, and never meets those of another. */
export interface Account {
  /** UUID */
  id: string
  /** unique, chosen by the operator */
  name: string
  /** ISO 8601 in UTC */
  createdAt: string
}

const scope = new AsyncLocalStorage<Account>()

/**
 * Runs `work` in the scope of an account. Everything that it awaits, however deep, sees this account and no other.
 */
export const runInAccountScope = <T>(account: Account, work: () => T): T => scope.run(account, work)

/**
 * The account in whose scope the caller runs.
 *
 * @throws AgentError `no_account_scope` outside of any scope
 */
export function currentAccount(): Account {
  const account = scope.getStore()
  if (!account) {
    throw new AgentError('no_account_scope', 'keys and DIDs can only be used in the scope of an account')
  }
  return account
}

/** Tells whose API key it is; what the HTTP server needs to know of accounts. */
export interface Authenticator {
  /**
   * @param apiKey - as the caller sent it, untrusted
   * @returns the account, or `undefined` for a key that is unknown, expired or revoked
   */
  authenticate(apiKey: string): Promise<Account | undefined>
}
