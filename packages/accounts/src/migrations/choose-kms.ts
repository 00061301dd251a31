import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The KMS for new keys of an account whose request names none, as chosen by an operator. */
export class ChooseKms1796600000510 implements MigrationInterface {
  readonly name = 'ChooseKms1796600000510'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE account ADD COLUMN kms TEXT')
    await compareTextByBytes(queryRunner, ['account'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE account DROP COLUMN kms')
  }
}
