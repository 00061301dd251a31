import { compareTextByBytes, VACUUM_OFTEN } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * The owner of each did:web under the public URL: the account that created it first, even after it has deleted it;
 * `NULL`: a deleted account, so the DID belongs to nobody any more.
 */
export class KeepWebDids1796500000800 implements MigrationInterface {
  static readonly remembered = ['web_did']

  readonly name = 'KeepWebDids1796500000800'

  async up(queryRunner: QueryRunner): Promise<void> {
    const storage = queryRunner.connection.options.type === 'postgres' ? `WITH (${VACUUM_OFTEN})` : ''
    await queryRunner.query(
      `CREATE TABLE web_did (did TEXT NOT NULL PRIMARY KEY, account_id TEXT REFERENCES account (id)) ${storage}`,
    )
    await compareTextByBytes(queryRunner, ['web_did'])
    await queryRunner.query('CREATE INDEX web_did_account ON web_did (account_id)')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE web_did')
  }
}
