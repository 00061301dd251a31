import { AgentError } from '@vidimus/core-types'
import type { DataSource, DataSourceOptions, Logger, MigrationInterface } from 'typeorm'
import type { MigrationClass } from './baseline.js'
import type { Reader } from './connection.js'
import { countUpAll } from './home-versions.js'
import { whyUnfit } from './unfit-schema.js'
import { sql, type Dialect, type Sql } from './sql.js'

/**
 * The table that exists in a database while an import fills it, with the import's progress. Opening the database for
 * anything else is refused.
 */
export const UNFINISHED_IMPORT = 'unfinished_import'

export interface Migrations {
  /** each storing package's */
  migrations: readonly (readonly MigrationClass[])[]
  /** called before each migration that is applied, as one may take long */
  onMigration?: ((begun: BegunMigration) => void) | undefined
  /** why a database without tables is not one to begin with, if it is not */
  noEmptyOne?: (() => Promise<string | undefined>) | undefined
}

/** A migration that is about to be applied. */
export interface BegunMigration {
  name: string
  /** how many were applied before it */
  done: number
  /** how many will be applied, including this and earlier ones */
  total: number
}

/** A database whose schema is looked at, and brought up to date. */
export interface MigratedDatabase {
  /** for messages */
  location: string
  dialect: Dialect
  /** looks at it */
  reader: Reader
  /** what TypeORM opens to change it */
  dataSource: DataSourceOptions
}

/**
 * Brings a schema up to date. TypeORM is only loaded if a migration is missing: it is a fifth of what a start loads.
 *
 * @param importing - whether an unfinished import is allowed
 * @returns the names of the applied migrations, oldest first
 * @throws AgentError `invalid_configuration` if a newer version has written the database, or an import is unfinished
 */
export async function migrate(
  database: MigratedDatabase,
  migrations: Migrations,
  importing: boolean,
): Promise<string[]> {
  const applied = await appliedBefore(database, migrations)
  if (applied.size === 0) await refuseEmpty(database.location, migrations)
  if (!importing) await refuseUnfinishedImport(database)
  if (missing(migrations, applied).length === 0) return []
  return onDataSource(database.dataSource, migrations, async (dataSource) => {
    if (migrations.onMigration) reportBegun(dataSource, applied, migrations.onMigration)
    const added = await dataSource.runMigrations({ transaction: 'each' })
    for (const changed of countUpAll(database.dialect))
      await dataSource.query(changed.text(database.dialect), [...changed.values])
    return added.map(({ name }) => name)
  })
}

function reportBegun(
  { migrations }: DataSource,
  appliedBefore: ReadonlySet<string>,
  tell: (begun: BegunMigration) => void,
): void {
  const total = migrations.filter((migration) => !appliedBefore.has(migrationName(migration))).length
  let done = 0
  for (const migration of migrations) {
    const up = migration.up.bind(migration)
    migration.up = (runner) => {
      tell({ name: migrationName(migration), done: done++, total })
      return up(runner)
    }
  }
}

const migrationName = (migration: MigrationInterface): string => migration.name ?? migration.constructor.name

/** @throws AgentError `invalid_configuration` if a database without tables must not be used */
export async function refuseEmpty(location: string, { noEmptyOne }: Migrations): Promise<void> {
  const reason = await noEmptyOne?.()
  if (reason === undefined) return
  throw new AgentError('invalid_configuration', `the database ${location} is missing or empty, ${reason}`)
}

/** The migrations that {@link migrate} would apply, and the errors it would throw; changes nothing. */
export const pendingMigrations = async (
  database: MigratedDatabase,
  migrations: Migrations,
): Promise<string[]> => missing(migrations, await appliedBefore(database, migrations))

/** @throws AgentError `invalid_configuration` if a process that applies no migrations cannot serve */
export async function demandMigrated(database: MigratedDatabase, migrations: Migrations): Promise<void> {
  const pending = await pendingMigrations(database, migrations)
  await refuseUnfinishedImport(database)
  if (pending.length === 0) return
  throw new AgentError(
    'invalid_configuration',
    `the database ${database.location} lacks ${pending.length === 1 ? 'a migration' : `${pending.length} migrations`}, ` +
      'which a read-only process does not apply: start this version on the primary first',
  )
}

const missing = (migrations: Migrations, applied: ReadonlySet<string>): string[] =>
  migrationNames(migrations).filter((name) => !applied.has(name))

/** Names of all tables whose rows may be cached. */
export const rememberedTables = ({ migrations }: Pick<Migrations, 'migrations'>): ReadonlySet<string> =>
  new Set(migrations.flat().flatMap(({ remembered = [] }) => remembered))

/** The names of migrations, in the order in which they are applied: that of the time stamps at their end. */
export function migrationNames({ migrations }: Pick<Migrations, 'migrations'>): string[] {
  return migrations
    .flat()
    .map((Migration) => migrationName(new Migration()))
    .sort((one, other) => migrationTime(one) - migrationTime(other))
}

const migrationTime = (name: string): number => Number(name.slice(-13))

async function onDataSource<T>(
  options: DataSourceOptions,
  { migrations }: Migrations,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const { DataSource } = await import('typeorm')
  const dataSource = new DataSource({
    ...options,
    synchronize: false,
    // Failures are thrown, and applied migrations reported: nothing may be printed.
    logger: SILENT,
    migrations: migrations.flat(),
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

/**
 * @returns the names of the migrations that were applied before
 * @throws AgentError `invalid_configuration` if one of them is not of this version
 */
async function appliedBefore(database: MigratedDatabase, migrations: Migrations): Promise<Set<string>> {
  if (!(await hasTable(database, 'migrations'))) return new Set()
  const rows = await database.reader.query<{ name: string }>(sql`SELECT name FROM migrations`)
  const applied = rows.map(({ name }) => name)
  const known = new Set(migrationNames(migrations))
  const unknown = applied.filter((name) => !known.has(name))
  if (unknown.length === 0) return new Set(applied)
  const why =
    whyUnfit(applied, unknown, migrationNames(migrations)) ??
    `was written by a newer version (it has the migration ${unknown.join(', ')}); ` +
      'start that version, or restore a backup made before it'
  throw new AgentError('invalid_configuration', `the database ${database.location} ${why}`)
}

async function refuseUnfinishedImport(database: MigratedDatabase): Promise<void> {
  if (!(await hasTable(database, UNFINISHED_IMPORT))) return
  throw new AgentError(
    'invalid_configuration',
    `the import of an archive into the database ${database.location} is not finished: run \`vidimus import\` again, ` +
      'which starts over',
  )
}

const hasTable = async ({ reader, dialect }: MigratedDatabase, name: string): Promise<boolean> =>
  (await reader.query(tableNamed(name, dialect))).length > 0

/** A statement with a row if there is a table of this name. */
export const tableNamed = (name: string, dialect: Dialect): Sql =>
  dialect === 'sqlite'
    ? sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ${name}`
    : sql`SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = ${name}`

/** Packages list the tables of those that they need. */
export function eachOnce(migrations: readonly (readonly MigrationClass[])[]): MigrationClass[] {
  return [...new Map(migrations.flat().map((Migration) => [new Migration().name, Migration])).values()]
}
