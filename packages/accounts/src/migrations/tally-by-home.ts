import { homeOfText, HomesMigration } from '@vidimus/database'
import type { QueryRunner } from 'typeorm'

/** What an account has is counted for each home, and added up. What was counted until now is in the home of the account. */
export class TallyByHome1798200000821 extends HomesMigration {
  readonly name = 'TallyByHome1798200000821'

  protected readonly texts = ['SELECT "account_id" AS "text" FROM "account_tally"']

  protected readonly tables = [
    {
      table: 'account_tally',
      home: homeOfText('"account_id"'),
      keys: [['account_id', 'kind', 'home']],
      formerKeys: [['account_id', 'kind']],
    },
  ]

  override async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "tally_sum" AS SELECT "account_id", "kind", SUM("n") AS "n" FROM "account_tally" GROUP BY "account_id", "kind"`,
    )
    await queryRunner.query('DELETE FROM "account_tally"')
    await queryRunner.query(
      `INSERT INTO "account_tally" ("account_id", "kind", "n", "home") SELECT "account_id", "kind", "n", 0 FROM "tally_sum"`,
    )
    await queryRunner.query('DROP TABLE "tally_sum"')
    await super.down(queryRunner)
  }
}
