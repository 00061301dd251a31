import type { MigrationInterface } from 'typeorm'
import { KeepConsoleSessions1797300000730 } from './keep-console-sessions.js'

/** The migrations of this package, for the `migrations` of the database. */
export const migrations: (new () => MigrationInterface)[] = [KeepConsoleSessions1797300000730]
