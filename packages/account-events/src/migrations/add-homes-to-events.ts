import { homeOfText, HomesMigration, type TableWithoutHomes } from '@vidimus/database'

const OF_ACCOUNT = homeOfText('"account_id"')

/**
 * Events, their deliveries, and the positions that accounts are at have a home. Events that are there have that of their
 * account, even if they concern a DID: nothing is looked up by it. Keys by which rows are read in order end with the home.
 *
 * Deliveries do not refer to their events any more: with this reference, beside the one to webhooks, Citus distributes
 * neither.
 */
export class AddHomesToEvents1798200000830 extends HomesMigration {
  readonly name = 'AddHomesToEvents1798200000830'

  protected readonly texts = ['account_event', 'webhook', 'announced_event', 'account_event_head'].map(
    (table) => `SELECT "account_id" AS "text" FROM "${table}"`,
  )

  protected readonly tables: readonly TableWithoutHomes[] = [
    {
      table: 'account_event',
      home: OF_ACCOUNT,
      keys: [
        ['sequence', 'home'],
        ['account_id', 'position', 'home'],
      ],
      formerKeys: [['sequence'], ['account_id', 'position']],
      counted: 'sequence',
    },
    {
      table: 'webhook_delivery',
      home: `(SELECT "h"."home" FROM "webhook" "w" JOIN "row_home" "h" ON "h"."text" = "w"."account_id"
        WHERE "w"."id" = "webhook_id")`,
      keys: [['webhook_id', 'position', 'home']],
      formerKeys: [['webhook_id', 'position']],
      formerReferences: [
        { columns: ['event_sequence'], table: 'account_event', to: ['sequence'], onDelete: 'CASCADE' },
      ],
    },
    { table: 'announced_event', home: OF_ACCOUNT, keys: [['home', 'id']], formerKeys: [['id']] },
    {
      table: 'account_event_head',
      home: OF_ACCOUNT,
      keys: [['home', 'account_id']],
      formerKeys: [['account_id']],
    },
  ]
}
