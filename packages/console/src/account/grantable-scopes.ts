import { OPERATOR, type KeyLimits } from '../rights.js'
import type { ApiDocument } from '../try-it/operation-form.js'

/**
 * The groups of operations that a new API key can be limited to, by the API document; of a limited key only its own
 * scopes, which may also be single operations.
 */
export function grantableScopes({ paths }: ApiDocument, { scopes }: KeyLimits): string[] {
  if (scopes) return scopes.filter((scope) => scope !== OPERATOR)
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const ids = new Set(operations.map(({ operationId }) => operationId))
  const groups = operations.flatMap((operation) => operation['x-scopes'] ?? [])
  return [...new Set(groups)].filter((scope) => !ids.has(scope) && scope !== OPERATOR)
}
