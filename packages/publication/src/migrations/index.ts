import type { MigrationInterface } from 'typeorm'
import { CreatePublication1796700000000 } from './create-publication.js'

/** The migrations of this package, for the `migrations` of the database. */
export const migrations: (new () => MigrationInterface)[] = [CreatePublication1796700000000]
