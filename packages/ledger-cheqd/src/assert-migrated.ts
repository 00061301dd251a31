import { AgentError } from '@vidimus/core-types'
import type { Database, MigrationClass } from '@vidimus/database'

/** @throws AgentError `invalid_configuration` if the database does not get the tables of this package */
export function assertMigrated(
  database: Pick<Database, 'migrationNames'>,
  migrations: readonly MigrationClass[],
): void {
  const names = new Set(database.migrationNames)
  if (migrations.every((Migration) => names.has(new Migration().name ?? ''))) return
  const line = "{ $require: '@vidimus/ledger-cheqd?t=object#migrations' }"
  const message = `lacks the tables of this ledger: add ${line} to the migrations of the database`
  throw new AgentError('invalid_configuration', `database: ${message}`, {
    details: [{ path: 'database', message }],
  })
}
