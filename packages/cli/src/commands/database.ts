import { AgentError } from '@vidimus/core-types'
import { Command } from 'commander'
import type { Distribution, Moved } from '../distribution/distribute.js'
import { configurationArgument, configurationOption, withDatabase } from '../installation.js'
import { ProgressLine } from '../progress.js'
import { printOutcome, quietOption, showsProgress } from '../quiet.js'

interface Options {
  config: string
  yes?: boolean
  json?: boolean
  quiet?: boolean
}

/** `vidimus database distribute` */
export function databaseCommand(): Command {
  const database = new Command('database').description('how the tables of the database are kept')
  database
    .command('distribute')
    .description(
      'distribute the tables among the workers of a Citus database. Without --yes it only shows what it would do. If ' +
        'interrupted, run it again to continue',
    )
    .option('--yes', 'do it; no service may be running on the database')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .addOption(quietOption())
    .action(distributeTables)
  return database
}

async function distributeTables({ config, yes = false, ...loudness }: Options): Promise<void> {
  // Loaded here, so that the other commands start faster.
  const { distribute } = await import('../distribution/distribute.js')
  const progress = yes && showsProgress(loudness) ? new ProgressLine(process.stderr) : undefined
  const onTable = (subject: string, done: number, total: number) => progress?.show({ subject, done, total })
  try {
    const distribution = await withDatabase(config, async (database) => {
      const pending = await database.pendingMigrations()
      if (pending.length > 0) throw notMigrated(database.location, config)
      await database.lifecycle.start()
      return distribute(database, { yes, onTable })
    })
    progress?.end()
    printOutcome(loudness, distribution, (done) => distributionText(done, config))
  } finally {
    progress?.end()
  }
}

const notMigrated = (location: string, config: string) =>
  new AgentError(
    'invalid_configuration',
    `the database ${location} lacks tables of this version; first run: vidimus migrate${configurationArgument(config)}`,
  )

const WORDS: Readonly<Record<Moved['to'], string>> = {
  distributed: 'distributed by home',
  reference: 'on every server',
  coordinator: 'on the coordinator',
}

function distributionText(
  { database, version, workers, done, moved, kept, notYet }: Distribution,
  config: string,
): string {
  const lines = [`${database}: Citus ${version}, ${workers} ${workers === 1 ? 'worker' : 'workers'}`]
  const kinds = Object.keys(WORDS) as Moved['to'][]
  for (const to of kinds) {
    const tables = moved.filter((one) => one.to === to).map(({ table }) => table)
    if (tables.length > 0) lines.push(`  ${done ? 'now' : 'would be'} ${WORDS[to]}: ${tables.join(', ')}`)
  }
  if (moved.length === 0) {
    const counts = kinds.map((kind) => `${kept[kind].length} ${WORDS[kind]}`).join(', ')
    lines.push(`  nothing to do: ${counts}`)
  }
  if (notYet.length > 0)
    lines.push(
      `  stay on the coordinator in this version, as "home" is not in their keys: ${notYet.join(', ')}`,
    )
  if (!done && moved.length > 0)
    lines.push(
      `Stop the service, make a backup, then: vidimus database distribute --yes${configurationArgument(config)}`,
    )
  return lines.join('\n')
}
