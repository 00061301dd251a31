import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Records which secret seals new list keys. */
export class CreateStatusListSecretCheck1795222800000 implements MigrationInterface {
  readonly name = 'CreateStatusListSecretCheck1795222800000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "status_list_secret_check" (
      "id" TEXT PRIMARY KEY NOT NULL,
      "sealed" TEXT NOT NULL
    )`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "status_list_secret_check"')
  }
}
