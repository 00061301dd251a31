import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * A migration after which PostgreSQL vacuums growing tables as soon as a small part of their rows is dead, instead of
 * a fifth: of a million that is much space, and plans based on outdated statistics. SQLite needs none.
 *
 * @see https://www.postgresql.org/docs/current/runtime-config-autovacuum.html
 */
export abstract class VacuumOftenMigration implements MigrationInterface {
  abstract readonly name: string
  protected abstract readonly tables: readonly string[]

  async up(queryRunner: QueryRunner): Promise<void> {
    await this.alter(queryRunner, `SET (${VACUUM_OFTEN})`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await this.alter(queryRunner, `RESET (${Object.keys(SETTINGS).join(', ')})`)
  }

  private async alter(queryRunner: QueryRunner, change: string): Promise<void> {
    if (queryRunner.connection.options.type !== 'postgres') return
    for (const table of this.tables) await queryRunner.query(`ALTER TABLE "${table}" ${change}`)
  }
}

/** Parts of the rows of a table: dead ones, new ones (for index-only scans), and changed ones (for plans). */
const SETTINGS = {
  autovacuum_vacuum_scale_factor: 0.02,
  autovacuum_vacuum_insert_scale_factor: 0.05,
  autovacuum_analyze_scale_factor: 0.02,
}

/** The settings as a list of PostgreSQL. */
export const VACUUM_OFTEN = Object.entries(SETTINGS)
  .map(([name, value]) => `${name} = ${value}`)
  .join(', ')
