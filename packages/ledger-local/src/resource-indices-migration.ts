import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Only the primary key begins with its columns: for a look-up of a resource by id, a generic plan considered another
 * index as good, and scanned all versions of the collection. The index by height is dropped, as it only listed
 * everything.
 */
export class LeadResourceIndicesByName1796300000020 implements MigrationInterface {
  readonly name = 'LeadResourceIndicesByName1796300000020'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "ledger_resource_by_height"')
    await indexBy(queryRunner, '"name", "type", "network", "collection_id"')
    await forkBy(queryRunner, '"name", "type", "network", "collection_id", "previous_version_id"')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX "ledger_resource_by_height" ON "ledger_resource" ("network", "collection_id", "height")',
    )
    await indexBy(queryRunner, '"network", "collection_id", "name", "type"')
    await forkBy(queryRunner, '"network", "collection_id", "name", "type", "previous_version_id"')
  }
}

const INDICES = {
  ledger_resource_by_time: '"created"',
  ledger_resource_by_version: '"version", "created"',
  ledger_resource_by_checksum: '"checksum", "created"',
}

async function indexBy(queryRunner: QueryRunner, resource: string): Promise<void> {
  for (const [index, columns] of Object.entries(INDICES)) {
    await queryRunner.query(`DROP INDEX "${index}"`)
    await queryRunner.query(`CREATE INDEX "${index}" ON "ledger_resource" (${resource}, ${columns})`)
  }
}

/** The constraint against forks. SQLite would have to copy the table, and has no generic plans. */
async function forkBy(queryRunner: QueryRunner, columns: string): Promise<void> {
  if (queryRunner.connection.options.type !== 'postgres') return
  const found = (await queryRunner.query(
    `SELECT conname AS "name" FROM pg_constraint WHERE conrelid = '"ledger_resource"'::regclass AND contype = 'u'`,
  )) as { name: string }[]
  for (const { name } of found) {
    await queryRunner.query(
      `ALTER TABLE "ledger_resource" DROP CONSTRAINT "${name}", ADD UNIQUE (${columns})`,
    )
  }
}
