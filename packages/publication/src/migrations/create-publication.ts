import { compareTextByBytes, VACUUM_OFTEN } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The pending publications, one row for each subject, and the targets that were completely filled. */
export class CreatePublication1796700000000 implements MigrationInterface {
  readonly name = 'CreatePublication1796700000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    const storage = queryRunner.connection.options.type === 'postgres' ? `WITH (${VACUUM_OFTEN})` : ''
    // `mark` is new with every change; `first_mark` is the oldest that is not published, made at the time `since`.
    await queryRunner.query(`CREATE TABLE publication_due (
      home INTEGER NOT NULL,
      kind TEXT NOT NULL,
      did TEXT NOT NULL,
      name TEXT NOT NULL,
      type TEXT NOT NULL,
      mark BIGINT NOT NULL,
      first_mark BIGINT NOT NULL,
      since TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      next_attempt_at TEXT NOT NULL,
      PRIMARY KEY (home, did, kind, name, type)
    ) ${storage}`)
    await queryRunner.query('CREATE INDEX publication_due_next ON publication_due (next_attempt_at)')
    await queryRunner.query('CREATE INDEX publication_due_since ON publication_due (since)')
    await queryRunner.query(
      'CREATE TABLE publication_place (place TEXT PRIMARY KEY NOT NULL, begun_at TEXT NOT NULL)',
    )
    await compareTextByBytes(queryRunner, ['publication_due', 'publication_place'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE publication_place')
    await queryRunner.query('DROP TABLE publication_due')
  }
}
