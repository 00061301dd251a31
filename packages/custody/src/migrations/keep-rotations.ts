import { compareTextByBytes, VACUUM_OFTEN } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Rotations of the keys of DIDs with their progress, so that any process can continue them. */
export class KeepRotations1796700000571 implements MigrationInterface {
  readonly name = 'KeepRotations1796700000571'

  async up(queryRunner: QueryRunner): Promise<void> {
    const storage = queryRunner.connection.options.type === 'postgres' ? `WITH (${VACUUM_OFTEN})` : ''
    await queryRunner.query(`CREATE TABLE did_rotation (
      home INTEGER NOT NULL,
      account_id TEXT NOT NULL REFERENCES account (id),
      did TEXT NOT NULL,
      id TEXT NOT NULL,
      state TEXT NOT NULL,
      kid TEXT NOT NULL,
      kms TEXT NOT NULL,
      former_kid TEXT NOT NULL,
      grace_period TEXT,
      lists_after TEXT,
      lists_signed INTEGER NOT NULL,
      holder TEXT,
      started_at TEXT NOT NULL,
      signs_since TEXT,
      removes_at TEXT,
      ended_at TEXT,
      failure TEXT,
      next_look_at TEXT,
      PRIMARY KEY (home, account_id, did)
    ) ${storage}`)
    await queryRunner.query('CREATE INDEX did_rotation_account ON did_rotation (account_id)')
    await queryRunner.query(
      'CREATE INDEX did_rotation_next_look ON did_rotation (next_look_at) WHERE next_look_at IS NOT NULL',
    )
    await compareTextByBytes(queryRunner, ['did_rotation'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE did_rotation')
  }
}
