import type { MigrationInterface } from 'typeorm'
import { CreateAccountEvents1795824000080 } from './create-account-events.js'

/** The tables of events and webhooks; `@vidimus/account-manager` brings them along with its own. */
export const migrations: (new () => MigrationInterface)[] = [CreateAccountEvents1795824000080]
