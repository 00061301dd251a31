import { Command } from 'commander'
import { configurationOption, withDatabase } from '../installation.js'

interface Options {
  config: string
  dryRun?: boolean
  json?: boolean
}

/** `vidimus migrate` */
export const migrateCommand = () =>
  new Command('migrate')
    .description('bring the tables of the database up to date, as every start does')
    .option('--dry-run', 'tell what would be done, and change nothing')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(migrate)

async function migrate({ config, dryRun, json }: Options): Promise<void> {
  const { location, migrations } = await withDatabase(config, async (database) => {
    if (dryRun) return { location: database.location, migrations: await database.pendingMigrations() }
    await database.lifecycle.start()
    return { location: database.location, migrations: database.appliedMigrations }
  })
  const [pending, applied] = dryRun ? [migrations, []] : [[], migrations]
  if (json) console.log(JSON.stringify({ database: location, pending, applied }))
  else console.log(report(location, migrations, dryRun === true))
}

function report(location: string, migrations: readonly string[], dryRun: boolean): string {
  if (migrations.length === 0) return `${location} is up to date`
  const verb = dryRun ? 'would get' : 'got'
  return [`${location} ${verb}, in this order:`, ...migrations.map((name) => `  ${name}`)].join('\n')
}
