import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Holdings are listed page by page, in every order and by every search field, without reading the rest; and counted
 * as they come and go.
 */
export class PageHoldings1796400000220 implements MigrationInterface {
  readonly name = 'PageHoldings1796400000220'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
    await compareTextByBytes(queryRunner, ['account_tally', 'account_did'])
    for (const [name, columns] of Object.entries(INDICES)) {
      await queryRunner.query(`CREATE INDEX ${name} ON ${columns}`)
    }
    await queryRunner.query('DROP INDEX api_key_account')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX api_key_account ON api_key (account_id, created_at)')
    for (const name of Object.keys(INDICES)) await queryRunner.query(`DROP INDEX ${name}`)
    await queryRunner.query('DROP TABLE account_tally')
    await queryRunner.query('ALTER TABLE account_did DROP COLUMN provider')
  }
}

const STATEMENTS = [
  `CREATE TABLE account_tally (
    account_id TEXT NOT NULL REFERENCES account (id),
    kind TEXT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (account_id, kind)
  )`,
  `INSERT INTO account_tally (account_id, kind, n)
    SELECT account_id, 'dids', COUNT(*) FROM account_did GROUP BY account_id`,
  `INSERT INTO account_tally (account_id, kind, n)
    SELECT account_id, 'keys', COUNT(*) FROM account_key GROUP BY account_id`,
  'ALTER TABLE account_did ADD COLUMN provider TEXT',
  `UPDATE account_did SET provider =
    (SELECT i.provider FROM identifier i WHERE i.did = account_did.stored_did)`,
]

const INDICES = {
  account_did_provider: 'account_did (account_id, provider, did) WHERE pending = 0',
  account_did_created: 'account_did (account_id, created_at, did) WHERE pending = 0',
  account_did_pending: 'account_did (account_id) WHERE pending = 1',
  api_key_page: 'api_key (account_id, created_at, id)',
}
