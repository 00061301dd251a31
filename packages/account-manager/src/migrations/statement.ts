import type { Sql } from '@vidimus/database'
import type { QueryRunner } from 'typeorm'

/** Runs a statement of a migration. @returns the rows of a SELECT */
export async function run<Row = unknown>(queryRunner: QueryRunner, statement: Sql): Promise<Row[]> {
  const dialect = queryRunner.connection.options.type === 'postgres' ? 'postgres' : 'sqlite'
  return (await queryRunner.query(statement.text(dialect), [...statement.values])) as Row[]
}
