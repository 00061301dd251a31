import type { MigrationInterface } from 'typeorm'

/** The migrations of this package, for the `migrations` of the database. */
export const migrations: (new () => MigrationInterface)[] = []
