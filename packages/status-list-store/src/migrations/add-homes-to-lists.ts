import { homeOfText, HomesMigration, type TableWithoutHomes } from '@vidimus/database'

/** The home of the DID of a list. */
const OF_LIST = `(SELECT "h"."home" FROM "status_list" "s" JOIN "row_home" "h" ON "h"."text" = "s"."did"
  WHERE "s"."id" = "list_id")`

/**
 * What belongs to a list has the home of its DID. In the register of credentials it comes last in the key: entries are listed by
 * account and list. An entry whose list is gone has the home of its account.
 */
export class AddHomesToLists1797600000291 extends HomesMigration {
  readonly name = 'AddHomesToLists1797600000291'

  protected readonly texts = [
    'SELECT "did" AS "text" FROM "status_list"',
    'SELECT "account_id" AS "text" FROM "credential_entry"',
  ]

  protected readonly tables: readonly TableWithoutHomes[] = [
    {
      table: 'status_list',
      home: homeOfText('"did"'),
      keys: [
        ['home', 'id'],
        ['home', 'did', 'name', 'resource_type'],
      ],
      formerKeys: [['id'], ['did', 'name', 'resource_type']],
    },
    ofList('status_list_order', 'list_id'),
    ofList('status_list_taken_index', 'list_id', 'list_index'),
    ofList('status_list_key', 'list_id'),
    ofList('status_list_pace', 'list_id'),
    ofList('status_list_change', 'list_id', 'place'),
    {
      table: 'credential_entry',
      home: `COALESCE(${OF_LIST}, ${homeOfText('"account_id"')})`,
      keys: [['account_id', 'list_id', 'list_index', 'credential_hash', 'signing_key_hash', 'home']],
      formerKeys: [['account_id', 'list_id', 'list_index', 'credential_hash', 'signing_key_hash']],
    },
  ]
}

function ofList(table: string, ...key: readonly string[]): TableWithoutHomes {
  return {
    table,
    home: OF_LIST,
    keys: [['home', ...key]],
    formerKeys: [key],
    references: [{ columns: ['home', 'list_id'], table: 'status_list', to: ['home', 'id'] }],
    formerReferences: [{ columns: ['list_id'], table: 'status_list', to: ['id'] }],
  }
}
