import { AgentError, type KeyEnvelope } from '@vidimus/core-types'
import type { Database } from '@vidimus/database'
import type { UnitOfWork } from './unit-of-work.js'

/** Checks what `agent.yml` handed over, where a wrong reference would otherwise show at the first request. */
function requireMethods(value: unknown, methods: readonly string[], description: string): void {
  const has = (method: string) =>
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Record<string, unknown>)[method] === 'function'
  if (methods.every(has)) return
  const message = `has to be ${description}`
  throw new AgentError('invalid_configuration', message, { details: [{ path: '', message }] })
}

/** @throws AgentError `invalid_configuration` */
export const requireDatabase = (value: Database) =>
  requireMethods(value, ['query', 'write'], 'a Database of @vidimus/database')

/** @throws AgentError `invalid_configuration` */
export const requireUnitOfWork = (value: UnitOfWork) =>
  requireMethods(value, ['run', 'stage', 'query'], 'a UnitOfWork of @vidimus/account-manager')

/** @throws AgentError `invalid_configuration` */
export const requireEnvelope = (value: KeyEnvelope) =>
  requireMethods(
    value,
    ['seal', 'open', 'isSealed', 'knows', 'keyIdOf', 'prepare'],
    'an envelope such as PrivateKeyEnvelope of @vidimus/kms-node',
  )
