import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * For a migration: makes the text columns of tables compare by bytes on PostgreSQL, as they do on SQLite. Otherwise
 * they compare by the rules of the language that the database was created with: pages and orders would differ, and
 * prefixes could not be found over an index. Indexes are rebuilt.
 *
 * Columns that are joined must compare in the same way, or no index serves the join.
 *
 * @param tables - names; columns that compare by bytes already are unchanged
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
