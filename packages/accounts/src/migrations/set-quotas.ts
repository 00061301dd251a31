import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Quotas that an operator sets for an account, and the room taken by stored responses. */
export class SetQuotas1796500000310 implements MigrationInterface {
  readonly name = 'SetQuotas1796500000310'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
    await compareTextByBytes(queryRunner, ['account_quota'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM account_tally WHERE kind = 'answerBytes'`)
    await queryRunner.query('ALTER TABLE idempotency_record DROP COLUMN answer_bytes')
    await queryRunner.query('DROP TABLE account_quota')
  }
}

const STATEMENTS = [
  `CREATE TABLE account_quota (
    account_id TEXT NOT NULL REFERENCES account (id),
    quota TEXT NOT NULL,
    most BIGINT NOT NULL,
    PRIMARY KEY (account_id, quota)
  )`,
  'ALTER TABLE idempotency_record ADD COLUMN answer_bytes BIGINT NOT NULL DEFAULT 0',
  `UPDATE idempotency_record SET answer_bytes = OCTET_LENGTH(sealed_answer) WHERE sealed_answer IS NOT NULL`,
  `INSERT INTO account_tally (account_id, kind, n)
    SELECT account_id, 'answerBytes', SUM(answer_bytes) FROM idempotency_record
    WHERE answer_bytes > 0 GROUP BY account_id`,
]
