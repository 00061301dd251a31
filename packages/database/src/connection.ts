import type { QueryRunner } from 'typeorm'
import { toDatabaseError } from './errors.js'
import type { Sql } from './sql.js'

/** Runs statements; inside {@link Database.write} all of them belong to one transaction. */
export interface Connection {
  /** @returns the rows, with column names as the statement writes them */
  query<Row>(statement: Sql): Promise<Row[]>
  /** @returns how many rows the statement changed */
  run(statement: Sql): Promise<number>
}

/** A connection over TypeORM's query runner. */
export class QueryRunnerConnection implements Connection {
  constructor(private readonly queryRunner: QueryRunner) {}

  async query<Row>(statement: Sql): Promise<Row[]> {
    const result = await this.execute(statement)
    return result.records as Row[]
  }

  async run(statement: Sql): Promise<number> {
    const result = await this.execute(statement)
    return result.affected ?? 0
  }

  private async execute(statement: Sql) {
    const text = statement.text('sqlite')
    try {
      return await this.queryRunner.query(text, [...statement.values], true)
    } catch (error) {
      throw toDatabaseError(error, text)
    }
  }
}
