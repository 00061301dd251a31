import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * For a migration: lets the text columns of tables compare by bytes on PostgreSQL, as they do on SQLite. There they
 * would otherwise compare by the rules of a language, whichever the database was made with: pages and orders would be
 * others, and what begins with a text would not be found over an index. Indexes are built anew.
 *
 * Columns that are joined must compare in the same way, or no index serves for it.
 *
 * @param tables - names; columns that compare by bytes already stay as they are
 * @see https://www.postgresql.org/docs/current/collation.html
 */
export const compareTextByBytes = (queryRunner: QueryRunner, tables: readonly string[]): Promise<void> =>
  collate(queryRunner, tables, 'C')

/** A migration that is nothing but {@link compareTextByBytes}; taken back, text compares as in the rest of the database. */
export abstract class TextByBytesMigration implements MigrationInterface {
  abstract readonly name: string
  protected abstract readonly tables: readonly string[]

  up(queryRunner: QueryRunner): Promise<void> {
    return compareTextByBytes(queryRunner, this.tables)
  }

  down(queryRunner: QueryRunner): Promise<void> {
    return collate(queryRunner, this.tables, 'default')
  }
}

async function collate(
  queryRunner: QueryRunner,
  tables: readonly string[],
  collation: 'C' | 'default',
): Promise<void> {
  if (queryRunner.connection.options.type !== 'postgres') return
  for (const table of tables) {
    const columns = (await queryRunner.query(
      `SELECT column_name AS name, data_type || COALESCE('(' || character_maximum_length || ')', '') AS type
        FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = $1 AND data_type IN ('text', 'character varying')
          AND COALESCE(collation_name, 'default') <> $2 ORDER BY ordinal_position`,
      [table, collation],
    )) as { name: string; type: string }[]
    if (columns.length === 0) continue
    const changes = columns.map(
      ({ name, type }) => `ALTER COLUMN "${name}" TYPE ${type} COLLATE "${collation}"`,
    )
    await queryRunner.query(`ALTER TABLE "${table}" ${changes.join(', ')}`)
  }
}
