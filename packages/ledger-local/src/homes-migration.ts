import { homeOfText, HomesMigration, type TableWithoutHomes } from '@vidimus/database'
import type { QueryRunner } from 'typeorm'

/**
 * Every row of a DID and its resources has the home of the DID, so that a database that distributes rows keeps them
 * together. In the constraint against forks the name still comes first, see `LeadResourceIndicesByName`.
 */
export class AddHomesToLedger1797600000290 extends HomesMigration {
  readonly name = 'AddHomesToLedger1797600000290'

  protected readonly texts = [
    'SELECT "did" AS "text" FROM "ledger_did"',
    'SELECT "did" AS "text" FROM "ledger_did_version"',
    ...['', '_data', '_delta', '_latest'].map(
      (table) => `SELECT "collection_id" AS "text" FROM "ledger_resource${table}"`,
    ),
  ]

  protected readonly tables = [
    withHome('ledger_did', 'did', ['network', 'did']),
    withHome(
      'ledger_did_version',
      'did',
      ['network', 'did', 'version_id'],
      ['network', 'did', 'previous_version_id'],
    ),
    withHome('ledger_resource_data', 'collection_id', ['network', 'collection_id', 'id']),
    withHome('ledger_resource_delta', 'collection_id', ['network', 'collection_id', 'id']),
    withHome('ledger_resource_latest', 'collection_id', ['network', 'collection_id', 'name', 'type']),
    {
      table: 'ledger_resource',
      home: homeOfText('"collection_id"'),
      keys: [
        ['home', 'network', 'collection_id', 'id'],
        ['name', 'type', 'home', 'network', 'collection_id', 'previous_version_id'],
      ],
      formerKeys: [
        ['network', 'collection_id', 'id'],
        ['name', 'type', 'network', 'collection_id', 'previous_version_id'],
      ],
    },
  ]

  /** Without the home in the index of all versions, PostgreSQL may take the primary key for as good, and sort them. */
  override async up(queryRunner: QueryRunner): Promise<void> {
    await super.up(queryRunner)
    for (const statement of indexByHeight('"home", "height"')) await queryRunner.query(statement)
  }

  override async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of indexByHeight('"height"')) await queryRunner.query(statement)
    await super.down(queryRunner)
  }
}

const indexByHeight = (columns: string) => [
  'DROP INDEX "ledger_resource_by_height"',
  `CREATE INDEX "ledger_resource_by_height" ON "ledger_resource" (("network" || ' ' || "collection_id"), ${columns})`,
]

function withHome(table: string, of: string, ...keys: readonly string[][]): TableWithoutHomes {
  return {
    table,
    home: homeOfText(`"${of}"`),
    keys: keys.map((key) => ['home', ...key]),
    formerKeys: keys,
  }
}
