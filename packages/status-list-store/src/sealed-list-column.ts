import type { StatusListName, Did, StatusListLocation } from '@vidimus/core-types'
import { sql, type SealedColumn, type Sql } from '@vidimus/database'

/** The list that a sealed text belongs to. */
export interface OwnerRow {
  did: Did | null
  name: StatusListName | null
  resource_type: string | null
}

/**
 * The column `sealed_key` of a table with a row for each list.
 *
 * @param id - identifies the column in the record of sealing secrets
 * @param name - of its content, for messages
 */
export const sealedListColumn = (
  id: string,
  name: string,
  table: Sql,
  contextOf: (list: StatusListLocation) => readonly string[],
): SealedColumn<OwnerRow> => ({
  name,
  table,
  sealed: sql`"sealed_key"`,
  id: [sql`"home"`, sql`"list_id"`],
  joined: sql`${table} LEFT JOIN "status_list" "l" ON "l"."home" = ${table}."home"
    AND "l"."id" = ${table}."list_id"`,
  context: sql`"l"."did", "l"."name", "l"."resource_type"`,
  contextOf: ({ did, name: statusListName, resource_type: resourceType }) =>
    did === null || statusListName === null || resourceType === null
      ? undefined
      : contextOf({ did, statusListName, resourceType }),
  check: {
    table: sql`"status_list_secret_check"`,
    id,
    text: 'the secret fits',
    context: ['secret check', id],
  },
})
