import { compareTextByBytes, VACUUM_OFTEN } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** How many passes have written to each target, which notes it too: after a restore it has the greater number. */
export class CountPasses1797200000590 implements MigrationInterface {
  readonly name = 'CountPasses1797200000590'

  async up(queryRunner: QueryRunner): Promise<void> {
    const storage = queryRunner.connection.options.type === 'postgres' ? `WITH (${VACUUM_OFTEN})` : ''
    await queryRunner.query(
      `CREATE TABLE publication_pass (place TEXT PRIMARY KEY NOT NULL, pass BIGINT NOT NULL) ${storage}`,
    )
    await compareTextByBytes(queryRunner, ['publication_pass'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE publication_pass')
  }
}
