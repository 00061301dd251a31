import { SealedHeadsMigration } from '@vidimus/database'
import type { QueryRunner } from 'typeorm'

/** Indexes for what a start looks for: secrets, and keys that are still sealed under a former name. */
export class FindSecretsByHeads1796500000450 extends SealedHeadsMigration {
  readonly name = 'FindSecretsByHeads1796500000450'
  protected readonly columns = {
    'private-key': 'privateKeyHex',
    idempotency_record: 'sealed_answer',
    webhook: 'sealed_secret',
  }

  override async up(queryRunner: QueryRunner): Promise<void> {
    await super.up(queryRunner)
    await queryRunner.query(
      `CREATE INDEX account_private_key_sealed_as ON account_private_key (stored_alias)
        WHERE sealed_as IS NOT NULL`,
    )
  }

  override async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX account_private_key_sealed_as')
    await super.down(queryRunner)
  }
}
