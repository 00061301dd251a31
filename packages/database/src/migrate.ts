import { AgentError } from '@vidimus/core-types'
import { DataSource, type DataSourceOptions, type Logger, type MigrationInterface } from 'typeorm'

export type MigrationClass = new () => MigrationInterface
export type EntityList = Exclude<DataSourceOptions['entities'], undefined>

/**
 * The table that stands in a database while an import fills it, and says how far that is. Whoever opens the database for
 * anything else is refused.
 */
export const UNFINISHED_IMPORT = 'unfinished_import'

export interface Migrations {
  /** each storing package's */
  migrations: readonly (readonly MigrationClass[])[]
  /** entities that the migrations ask for */
  entities: readonly EntityList[]
  /** told before each migration that is applied, as one may take long */
  onMigration?: ((begun: BegunMigration) => void) | undefined
  /** why a database without tables is not one to begin with */
  noEmptyOne?: string | undefined
}

/** A migration that is about to be applied. */
export interface BegunMigration {
  name: string
  /** how many have been applied before it */
  done: number
  /** how many are to be applied, this one and those before it included */
  total: number
}

/**
 * Brings a schema up to date.
 *
 * @param location - of the database, for messages
 * @param importing - whether an unfinished import may be there
 * @returns the names of the migrations that were applied, oldest first
 * @throws AgentError `invalid_configuration` where a newer version has written the database, or an import is unfinished
 */
export function migrate(
  location: string,
  options: DataSourceOptions,
  migrations: Migrations,
  importing: boolean,
): Promise<string[]> {
  return onDataSource(options, migrations, async (dataSource) => {
    const before = await refuseNewerSchema(location, dataSource)
    if (before.size === 0) refuseEmpty(location, migrations)
    if (!importing) await refuseUnfinishedImport(location, dataSource)
    if (migrations.onMigration) tellOf(dataSource, before, migrations.onMigration)
    const applied = await dataSource.runMigrations({ transaction: 'each' })
    return applied.map(({ name }) => name)
  })
}

function tellOf(
  { migrations }: DataSource,
  appliedBefore: ReadonlySet<string>,
  tell: (begun: BegunMigration) => void,
): void {
  const total = migrations.filter((migration) => !appliedBefore.has(nameOf(migration))).length
  let done = 0
  for (const migration of migrations) {
    const up = migration.up.bind(migration)
    migration.up = (runner) => {
      tell({ name: nameOf(migration), done: done++, total })
      return up(runner)
    }
  }
}

const nameOf = (migration: MigrationInterface): string => migration.name ?? migration.constructor.name

/** @throws AgentError `invalid_configuration` where a database without tables is not to be begun with */
export function refuseEmpty(location: string, { noEmptyOne }: Migrations): void {
  if (noEmptyOne === undefined) return
  throw new AgentError('invalid_configuration', `the database ${location} is missing or empty, ${noEmptyOne}`)
}

/** What {@link migrate} would apply, and what it would throw; changes nothing. */
export function pendingMigrations(
  location: string,
  options: DataSourceOptions,
  migrations: Migrations,
): Promise<string[]> {
  return onDataSource(options, migrations, async (dataSource) => {
    const applied = await refuseNewerSchema(location, dataSource)
    return namesOf(migrations).filter((name) => !applied.has(name))
  })
}

/** The names of migrations, in the order in which they are applied: that of the time stamps at their end. */
export function namesOf({ migrations }: Migrations): string[] {
  return migrations
    .flat()
    .map((Migration) => nameOf(new Migration()))
    .sort((one, other) => timeStampOf(one) - timeStampOf(other))
}

const timeStampOf = (name: string): number => Number(name.slice(-13))

async function onDataSource<T>(
  options: DataSourceOptions,
  { migrations, entities }: Migrations,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const dataSource = new DataSource({
    ...options,
    synchronize: false,
    // What fails is thrown, and what is applied is told: nothing is to be printed.
    logger: SILENT,
    // Veramo's migrations look rows up: a missing value must not become "the first row".
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    migrations: migrations.flat(),
    entities: entities.flatMap((list) => Object.values(list)),
  })
  await dataSource.initialize()
  try {
    return await work(dataSource)
  } finally {
    await dataSource.destroy()
  }
}

const nothing = () => undefined
const SILENT: Logger = {
  logQuery: nothing,
  logQueryError: nothing,
  logQuerySlow: nothing,
  logSchemaBuild: nothing,
  logMigration: nothing,
  log: nothing,
}

/** @returns the names of the migrations that were applied before */
async function refuseNewerSchema(location: string, dataSource: DataSource): Promise<Set<string>> {
  const known = new Set(dataSource.migrations.map(nameOf))
  const applied = await appliedBefore(dataSource)
  const unknown = applied.filter((name) => !known.has(name))
  if (unknown.length === 0) return new Set(applied)
  throw new AgentError(
    'invalid_configuration',
    `the database ${location} was written by a newer version (it has the migration ${unknown.join(', ')}); ` +
      'start that version, or restore a backup made before it',
  )
}

async function refuseUnfinishedImport(location: string, dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner()
  try {
    if (!(await runner.hasTable(UNFINISHED_IMPORT))) return
  } finally {
    await runner.release()
  }
  throw new AgentError(
    'invalid_configuration',
    `the import of an archive into the database ${location} is not finished: run \`vidimus import\` with the same ` +
      'archive again, which goes on where it stopped; or begin anew with an empty database',
  )
}

async function appliedBefore(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner()
  try {
    if (!(await runner.hasTable('migrations'))) return []
    const { records } = await runner.query('SELECT name FROM migrations', [], true)
    return (records as { name: string }[]).map(({ name }) => name)
  } finally {
    await runner.release()
  }
}
