import { AgentError } from '@vidimus/core-types'
import sqlite3 from 'sqlite3'
import { DataSource, type DataSourceOptions, type MigrationInterface, type QueryRunner } from 'typeorm'

export type MigrationClass = new () => MigrationInterface
export type EntityList = Exclude<DataSourceOptions['entities'], undefined>

export interface MigrateOptions {
  migrations: readonly (readonly MigrationClass[])[]
  /** entities that the migrations ask for */
  entities: readonly EntityList[]
  busyTimeoutMs: number
}

/**
 * Brings the schema of a SQLite file up to date, creating the file where it does not exist.
 *
 * @returns the names of the migrations that were applied, oldest first
 * @throws AgentError `invalid_configuration` where a newer version has written the database
 */
export async function migrate(file: string, options: MigrateOptions): Promise<string[]> {
  const dataSource = new DataSource({
    type: 'sqlite',
    // TypeORM asks the driver for its verbose form, which records a stack with every later call of the process.
    driver: { ...sqlite3, verbose: () => sqlite3 },
    database: file,
    enableWAL: true,
    busyTimeout: options.busyTimeoutMs,
    synchronize: false,
    logging: false,
    // Veramo's migrations look rows up: a missing value must not become "the first row".
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    migrations: options.migrations.flat(),
    entities: options.entities.flatMap((list) => Object.values(list)),
  })
  await dataSource.initialize()
  try {
    await refuseNewerSchema(file, dataSource)
    const applied = await dataSource.runMigrations({ transaction: 'each' })
    return applied.map(({ name }) => name)
  } finally {
    await dataSource.destroy()
  }
}

async function refuseNewerSchema(file: string, dataSource: DataSource): Promise<void> {
  const known = new Set(
    dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name),
  )
  const unknown = (await appliedBefore(dataSource.createQueryRunner())).filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new AgentError(
    'invalid_configuration',
    `the database ${file} was written by a newer version (it has the migration ${unknown.join(', ')}); ` +
      'start that version, or restore a backup made before it',
  )
}

async function appliedBefore(runner: QueryRunner): Promise<string[]> {
  if (!(await runner.hasTable('migrations'))) return []
  const { records } = await runner.query('SELECT name FROM migrations', [], true)
  return (records as { name: string }[]).map(({ name }) => name)
}
