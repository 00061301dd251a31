import { OPERATOR, type ApiDocument, type KeyLimits } from '../rights.js'

/**
 * The groups of operations that a new API key can be limited to, by the API document; of a limited key only its own
 * scopes, which may also be single operations.
 */
export function grantableScopes({ paths }: ApiDocument, { scopes: own }: KeyLimits): string[] {
  if (own) return own.filter((scope) => scope !== OPERATOR)
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const ids = new Set(operations.map(({ operationId }) => operationId))
  const scopes = operations.flatMap((operation) => operation['x-scopes'] ?? [])
  // Agent methods are in camel case; no group is.
  const groups = scopes.filter((scope) => !ids.has(scope) && !/[A-Z]/.test(scope))
  return [...new Set(groups)].filter((scope) => scope !== OPERATOR)
}
