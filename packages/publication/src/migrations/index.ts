import type { MigrationInterface } from 'typeorm'
import { CountPasses1797200000590 } from './count-passes.js'
import { CreatePublication1796700000000 } from './create-publication.js'

/** The migrations of this package, for the `migrations` of the database. */
export const migrations: (new () => MigrationInterface)[] = [
  CreatePublication1796700000000,
  CountPasses1797200000590,
]
