import type { MigrationInterface, QueryRunner } from 'typeorm'
import { Sql, sql } from './sql.js'

/** Characters at the beginning of a sealed text that an index is on; no envelope needs more to know its secret. */
export const HEAD_LENGTH = 12

/** The expression that a {@link SealedHeadsMigration} indexes; clear texts have no dot. */
export const sealedHead = (sealed: Sql): Sql => sql`substr(${sealed}, 1, 12)`
export const isSealed = (sealed: Sql): Sql => sql`${sealed} LIKE '%.%'`

/** A migration that lets a start find out which secrets seal the texts of columns, however many there are. */
export abstract class SealedHeadsMigration implements MigrationInterface {
  abstract readonly name: string
  /** a table, and its column of sealed texts */
  protected abstract readonly columns: Readonly<Record<string, string>>

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column] of Object.entries(this.columns)) {
      const sealed = new Sql([`"${column}"`], [])
      await queryRunner.query(
        `CREATE INDEX "${sealedHeadIndex(table)}" ON "${table}" (${sealedHead(sealed).text('sqlite')})
          WHERE ${isSealed(sealed).text('sqlite')}`,
      )
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of Object.keys(this.columns))
      await queryRunner.query(`DROP INDEX "${sealedHeadIndex(table)}"`)
  }
}

const sealedHeadIndex = (table: string): string => `${table}_sealed_head`
