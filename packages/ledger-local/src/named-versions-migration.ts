import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * The index by version name only contains named versions: those of status lists rarely are, and an index entry took a
 * sixth of the size of a version beside its content.
 */
export class IndexNamedVersionsAlone1796500000720 implements MigrationInterface {
  readonly name = 'IndexNamedVersionsAlone1796500000720'

  async up(queryRunner: QueryRunner): Promise<void> {
    await indexAnew(queryRunner, ` WHERE "version" <> ''`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await indexAnew(queryRunner, '')
  }
}

async function indexAnew(queryRunner: QueryRunner, which: string): Promise<void> {
  await queryRunner.query('DROP INDEX "ledger_resource_by_version"')
  await queryRunner.query(
    `CREATE INDEX "ledger_resource_by_version" ON "ledger_resource"
      ("name", "type", "network", "collection_id", "version", "created")${which}`,
  )
}
