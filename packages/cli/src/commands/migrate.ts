import type { Database } from '@vidimus/database'
import { Command } from 'commander'
import { configurationOption, newDatabaseOption, withDatabase } from '../installation.js'
import { tellingMigrations } from '../migrations-progress.js'
import { printOutcome, quietOption, showsProgress } from '../quiet.js'

interface Options {
  config: string
  newDatabase?: boolean
  dryRun?: boolean
  json?: boolean
  quiet?: boolean
}

/** `vidimus migrate` */
export const migrateCommand = () =>
  new Command('migrate')
    .description('migrate the database, as every start does')
    .option('--dry-run', 'show the pending migrations, without changing anything')
    .addOption(newDatabaseOption())
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .addOption(quietOption())
    .action(migrate)

async function migrate({ config, newDatabase = false, dryRun = false, ...loudness }: Options): Promise<void> {
  const work = async (database: Database) => {
    if (dryRun) return { location: database.location, migrations: await database.pendingMigrations() }
    const start = () => database.lifecycle.start()
    await (showsProgress(loudness) ? tellingMigrations(database, start) : start())
    return { location: database.location, migrations: database.appliedMigrations }
  }
  const { location, migrations } = await withDatabase(config, work, { newDatabase })
  const [pending, applied] = dryRun ? [migrations, []] : [[], migrations]
  printOutcome(loudness, { database: location, pending, applied }, () => report(location, migrations, dryRun))
}

function report(location: string, migrations: readonly string[], dryRun: boolean): string {
  if (migrations.length === 0) return `${location} is up to date`
  const verb = dryRun ? 'would get' : 'got'
  return [`${location} ${verb}, in this order:`, ...migrations.map((name) => `  ${name}`)].join('\n')
}
