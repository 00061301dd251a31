import type { MigrationInterface } from 'typeorm'
import { KeepConsoleSessions1797300000730 } from './keep-console-sessions.js'
import { SealSessionClaims1800100000872 } from './seal-session-claims.js'
import { UseSignInsOnce1800100000870 } from './use-sign-ins-once.js'

/** The migrations of this package, for the `migrations` of the database. */
export const migrations: (new () => MigrationInterface)[] = [
  KeepConsoleSessions1797300000730,
  UseSignInsOnce1800100000870,
  SealSessionClaims1800100000872,
]
