import { runInMigration, sql } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Ends of API keys beyond the year 9999 are wider than others, and came before them as text. */
export class EndApiKeys1796300000030 implements MigrationInterface {
  readonly name = 'EndApiKeys1796300000030'

  async up(queryRunner: QueryRunner): Promise<void> {
    await runInMigration(
      queryRunner,
      sql`UPDATE api_key SET expires_at = '9999-12-31T23:59:59.999Z' WHERE expires_at LIKE '+%'`,
    )
  }

  /** Which keys they were is not known any more. */
  down(): Promise<void> {
    return Promise.resolve()
  }
}
