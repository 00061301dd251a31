import type { Database } from '@vidimus/database'
import { Command, Option } from 'commander'
import { copyFromVeramo } from '../from-veramo.js'
import { harmless } from '../harmless.js'
import { configurationOption, newDatabaseOption, withDatabase } from '../installation.js'
import { tellingMigrations } from '../migrations-progress.js'
import { printOutcome, quietOption, showsProgress } from '../quiet.js'

interface Options {
  config: string
  newDatabase?: boolean
  dryRun?: boolean
  fromVeramo?: string
  secretFile?: string
  account: string
  json?: boolean
  quiet?: boolean
}

/** `vidimus migrate` */
export const migrateCommand = () =>
  new Command('migrate')
    .description('migrate the database, as every start does')
    .addOption(
      new Option('--dry-run', 'show the pending migrations, without changing anything').conflicts(
        'fromVeramo',
      ),
    )
    .option(
      '--from-veramo <file|url>',
      "copy keys and DIDs of a database of Veramo's own stores, a SQLite file or a URL; nothing is changed there",
    )
    .option('--secret-file <file>', "holds the key of that agent's SecretBox (dbEncryptionKey)")
    .option('--account <name>', 'gets the keys and DIDs; created if there is none of this name', 'default')
    .addOption(newDatabaseOption())
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .addOption(quietOption())
    .action(migrate)

async function migrate({ newDatabase = false, ...options }: Options): Promise<void> {
  const { fromVeramo } = options
  if (fromVeramo === undefined) return bringUpToDate({ newDatabase, ...options })
  const { account } = options
  const copied = await copyFromVeramo({ ...options, fromVeramo, newDatabase })
  printOutcome(
    options,
    { ...copied, account },
    ({ keys, dids }) => `${keys} keys and ${dids} DIDs copied into the account "${harmless(account)}"`,
  )
}

async function bringUpToDate({
  config,
  newDatabase = false,
  dryRun = false,
  ...loudness
}: Options): Promise<void> {
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
