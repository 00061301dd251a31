import { homeOfText, HomesMigration } from '@vidimus/database'

/** Requests and their responses have the home of the account, as the marks of their creations and the tally of their size. */
export class AddHomesToRecords1798200000850 extends HomesMigration {
  readonly name = 'AddHomesToRecords1798200000850'

  protected readonly texts = ['SELECT "account_id" AS "text" FROM "idempotency_record"']

  protected readonly tables = [
    {
      table: 'idempotency_record',
      home: homeOfText('"account_id"'),
      keys: [
        ['home', 'id'],
        ['home', 'account_id', 'key_digest'],
      ],
      formerKeys: [['id'], ['account_id', 'key_digest']],
    },
  ]
}
