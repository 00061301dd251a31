import { requireMethods, type KeyEnvelope } from '@vidimus/core-types'
import type { Database } from '@vidimus/database'

/** @throws AgentError `invalid_configuration` */
export const requireDatabase = (value: Database) =>
  requireMethods(value, ['query', 'write'], 'a Database of @vidimus/database')

/** @throws AgentError `invalid_configuration` */
export const requireUnitOfWork = (value: object) =>
  requireMethods(value, ['run', 'stage', 'query'], 'a UnitOfWork of @vidimus/account-manager')

/** @throws AgentError `invalid_configuration` */
export const requireEnvelope = (value: KeyEnvelope) =>
  requireMethods(
    value,
    ['seal', 'open', 'isSealed', 'knows', 'isInUse', 'keyIdOf', 'prepare'],
    'an envelope such as PrivateKeyEnvelope of @vidimus/kms-node',
  )
