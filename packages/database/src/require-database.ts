import { requireMethods } from '@vidimus/core-types'
import type { Database } from './database.js'

/** @throws AgentError `invalid_configuration` */
export const requireDatabase = (value: Database) =>
  requireMethods(value, ['query', 'write'], 'a Database of @vidimus/database')
