import { requireEnvelope, requireMethods, type KeyEnvelope } from '@vidimus/core-types'
import type { Database } from '@vidimus/database'

/** @throws AgentError `invalid_configuration` */
export function requireParts(database: Database, envelope: KeyEnvelope): void {
  requireMethods(database, ['query', 'write', 'lock'], 'a Database of @vidimus/database')
  requireEnvelope(envelope)
}
