import { migrations as accountMigrations } from '@vidimus/custody'
import { Database, type DatabaseOptions } from '@vidimus/database'
import { migrations as ledgerMigrations } from '@vidimus/ledger-local'
import { migrations as storeMigrations } from '@vidimus/status-list-store'
import type { Service } from './service.js'

/**
 * The database of an installation, beside the service that runs on it.
 *
 * @param more - migrations of packages that the default configuration does not name
 */
export async function openDatabase(
  { dataDirectory, databaseUrl }: Pick<Service, 'dataDirectory' | 'databaseUrl'>,
  more: DatabaseOptions['migrations'] = [],
): Promise<Database> {
  const migrations = [accountMigrations, ledgerMigrations, storeMigrations, ...more]
  const database = new Database({
    url: databaseUrl,
    dataDirectory,
    migrations,
  })
  await database.lifecycle.start()
  return database
}
