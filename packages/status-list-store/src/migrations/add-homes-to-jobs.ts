import { homeOfText, HomesMigration, type TableWithoutHomes } from '@vidimus/database'
import type { QueryRunner } from 'typeorm'

const INDEX = 'CREATE UNIQUE INDEX "status_list_job_by_id" ON "status_list_job"'

/**
 * Jobs, and the keys of registers, have the home of their account; addresses that of their own id, which is all that a reader
 * has. It comes last in their keys: they are listed and deleted by account, or by id.
 */
export class AddHomesToJobs1798200000822 extends HomesMigration {
  readonly name = 'AddHomesToJobs1798200000822'

  protected readonly texts = [
    'SELECT "account_id" AS "text" FROM "credential_register_key"',
    'SELECT "account_id" AS "text" FROM "status_list_job"',
    'SELECT "account_id" AS "text" FROM "status_list_job_part"',
    'SELECT "id" AS "text" FROM "status_list_address"',
  ]

  protected readonly tables: readonly TableWithoutHomes[] = [
    withHome('credential_register_key', 'account_id'),
    withHome('status_list_job', 'account_id', 'uid'),
    withHome('status_list_job_part', 'account_id', 'job_uid', 'kind', 'list', 'place'),
    withHome('status_list_address', 'id'),
  ]

  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "status_list_job_by_id"')
    await super.up(queryRunner)
    await queryRunner.query(`${INDEX} ("account_id", "id", "home")`)
  }

  override async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "status_list_job_by_id"')
    await super.down(queryRunner)
    await queryRunner.query(`${INDEX} ("account_id", "id")`)
  }
}

/** That of the first column of its key. */
const withHome = (table: string, ...key: readonly [string, ...string[]]): TableWithoutHomes => ({
  table,
  home: homeOfText(`"${key[0]}"`),
  keys: [[...key, 'home']],
  formerKeys: [key],
})
