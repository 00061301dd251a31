import { AgentError, type KeyEnvelope } from '@vidimus/core-types'
import type { Database } from '@vidimus/database'

/**
 * Checks what `agent.yml` handed over, where a wrong reference would otherwise show at the first request.
 *
 * @throws AgentError `invalid_configuration`
 */
export function requireParts(database: Database, envelope: KeyEnvelope): void {
  demand(database, ['query', 'write', 'lock'], 'a Database of @vidimus/database')
  demand(
    envelope,
    ['seal', 'open', 'knows', 'keyIdOf', 'prepare'],
    'an envelope such as PrivateKeyEnvelope of @vidimus/kms-node',
  )
}

/** @throws AgentError `invalid_configuration` */
export function demand(value: unknown, methods: readonly string[], description: string): void {
  const has = (method: string) =>
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Record<string, unknown>)[method] === 'function'
  if (methods.every(has)) return
  const message = `has to be ${description}`
  throw new AgentError('invalid_configuration', message, { details: [{ path: '', message }] })
}
