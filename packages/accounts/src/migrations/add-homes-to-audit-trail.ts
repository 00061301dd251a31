import { homeOf, homeOfText, HomesMigration } from '@vidimus/database'
import type { QueryRunner } from 'typeorm'
import { guardAuditUpdates, LET_GO, SAME } from './know-tokens.js'

/**
 * Rows of the audit trail have a home, which cannot be changed either. Those that are there have that of their account, even if
 * they concern a DID: nothing is looked up by it. The number stays first in the key, as the trail is read in its order.
 */
export class AddHomesToAuditTrail1797800000810 extends HomesMigration {
  readonly name = 'AddHomesToAuditTrail1797800000810'

  protected readonly texts = [
    'SELECT "account_id" AS "text" FROM "audit_event" WHERE "account_id" IS NOT NULL',
  ]

  protected readonly tables = [
    {
      table: 'audit_event',
      home: `COALESCE(${homeOfText('"account_id"')}, ${homeOf('')})`,
      keys: [['sequence', 'home']],
      formerKeys: [['sequence']],
      counted: 'sequence',
    },
  ]

  override async up(queryRunner: QueryRunner): Promise<void> {
    await super.up(queryRunner)
    await guardAuditUpdates(queryRunner, LET_GO, [...SAME, 'home'])
  }

  override async down(queryRunner: QueryRunner): Promise<void> {
    await guardAuditUpdates(queryRunner, LET_GO, SAME)
    await super.down(queryRunner)
  }
}
