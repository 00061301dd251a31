import type { QueryRunner } from 'typeorm'
import type { Sql } from './sql.js'

/** Runs a statement of a migration. @returns the rows of a SELECT */
export async function runInMigration<Row = unknown>(
  queryRunner: QueryRunner,
  statement: Sql,
): Promise<Row[]> {
  const dialect = queryRunner.connection.options.type === 'postgres' ? 'postgres' : 'sqlite'
  return (await queryRunner.query(statement.text(dialect), [...statement.values])) as Row[]
}
