import { allowsOneOf, missingScope, type ApiKeyGrant } from '@vidimus/core-types'
import { SCOPE_GROUPS } from './scope-groups.js'
import { NAMED_RIGHTS } from './scope-table.js'

export { SCOPE_GROUPS, type ScopeGroup } from './scope-groups.js'

/** Every scope that an API key can be limited to: the groups, and each operation and agent method by its id. */
export const SCOPE_NAMES: readonly string[] = [...Object.keys(SCOPE_GROUPS), ...NAMED_RIGHTS]

/** @throws AgentError `forbidden`, naming the scopes of which one is needed */
export function requireScopeOf(grant: ApiKeyGrant | undefined, scopes: readonly string[]): void {
  if (!allowsOneOf(grant, scopes)) throw missingScope(scopes)
}
