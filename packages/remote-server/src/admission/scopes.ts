import { allowsOneOf, missingScope, type ApiKeyGrant } from '@vidimus/core-types'
import { SCOPE_GROUPS } from './scope-groups.js'
import { NAMED_RIGHTS } from './scope-table.js'

export { SCOPE_GROUPS, type ScopeGroup } from './scope-groups.js'

/** All scopes for API keys: the groups, and the id of each operation and agent method. */
export const SCOPE_NAMES: readonly string[] = [...Object.keys(SCOPE_GROUPS), ...NAMED_RIGHTS]

/** @throws AgentError `forbidden`, listing the scopes of which one is required */
export function requireScopeOf(grant: ApiKeyGrant | undefined, scopes: readonly string[]): void {
  if (!allowsOneOf(grant, scopes)) throw missingScope(scopes, grant)
}
