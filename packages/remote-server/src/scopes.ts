import { allowsOneOf, missingScope, PAYMENTS_SCOPE, type ApiKeyGrant } from '@vidimus/core-types'
import type { Operation } from './operation.js'

/** Groups of operations that an API key may be limited to. */
export const SCOPE_GROUPS = {
  read: 'Operations that change nothing, except those of API keys and webhooks',
  dids: 'DIDs: create, import, update, deactivate, list, resolve',
  keys: 'Key pairs: make, import, read',
  'status-lists': 'Status lists: create, update, check, search',
  credentials: 'Credentials and presentations: issue, create, verify',
  'api-keys': 'API keys of the account: list, create, rotate, revoke',
  webhooks: 'Webhooks of the account: list, create, revoke, replay; whoever creates one is sent the events',
  [PAYMENTS_SCOPE]: 'Spending money of the payer on encrypted lists, beside the operation that does it',
} as const

export type ScopeGroup = Exclude<keyof typeof SCOPE_GROUPS, typeof PAYMENTS_SCOPE>

/** Any of these lets an API key use the operation. */
export const scopesOf = ({ id, scopes = [] }: Pick<Operation, 'id' | 'scopes'>): readonly string[] => [
  ...scopes,
  id,
]

/** Every scope that an API key can be limited to: the groups, and each operation by its id. */
export const scopeNames = (operations: readonly Operation[]): string[] => [
  ...Object.keys(SCOPE_GROUPS),
  ...operations.map(({ id }) => id),
]

/** @throws AgentError `forbidden`, naming the scopes of which one is needed */
export function requireScopeOf(grant: ApiKeyGrant | undefined, scopes: readonly string[]): void {
  if (!allowsOneOf(grant, scopes)) throw missingScope(scopes)
}
