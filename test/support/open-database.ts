import { entities, migrations as accountMigrations } from '@vidimus/account-manager'
import { Database } from '@vidimus/database'
import { migrations as ledgerMigrations } from '@vidimus/ledger-local'
import { migrations as storeMigrations } from '@vidimus/status-list-store'
import type { Service } from './service.js'

/** The database of an installation, beside the service that runs on it. */
export async function openDatabase({
  dataDirectory,
  databaseUrl,
}: Pick<Service, 'dataDirectory' | 'databaseUrl'>): Promise<Database> {
  const migrations = [accountMigrations, ledgerMigrations, storeMigrations]
  const database = new Database({
    url: databaseUrl,
    dataDirectory,
    migrations,
    entities: [entities],
  })
  await database.lifecycle.start()
  return database
}
