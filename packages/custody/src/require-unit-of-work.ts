import { requireMethods } from '@vidimus/core-types'

/** @throws AgentError `invalid_configuration` */
export const requireUnitOfWork = (value: object) =>
  requireMethods(value, ['run', 'stage', 'query'], 'a UnitOfWork of @vidimus/custody')
