import { randomInt } from 'node:crypto'
import type { StatusListLocation } from '@vidimus/core-types'
import { sql, type Connection, type Sql } from '@vidimus/database'

/** The key of a list in the tables; PostgreSQL returns large numbers as text. */
export type ListId = number | string

/** Just below 2^48, the largest range of `randomInt`; collisions between lists are negligible. */
const MOST_LIST_IDS = 2 ** 48 - 1

/** The condition for the row of a list, whose table has the alias `l`. */
export const isList = ({ did, statusListName, resourceType }: StatusListLocation): Sql =>
  sql`"l"."did" = ${did} AND "l"."name" = ${statusListName} AND "l"."resource_type" = ${resourceType}`

/** Finds the row of a list in the running transaction, or creates it. */
export async function findOrCreateListId(connection: Connection, list: StatusListLocation): Promise<ListId> {
  const known = await findListId(connection, list)
  if (known !== undefined) return known
  sendList(connection, list)
  const made = await findListId(connection, list)
  if (made === undefined) throw new Error('the row of a status list vanished in its own transaction')
  return made
}

/** Creates the row of a list, unless it has one. */
export function sendList(
  connection: Pick<Connection, 'send'>,
  { did, statusListName, resourceType }: StatusListLocation,
): void {
  connection.send(sql`INSERT INTO "status_list" ("id", "did", "name", "resource_type")
    VALUES (${randomInt(MOST_LIST_IDS)}, ${did}, ${statusListName}, ${resourceType})
    ON CONFLICT ("did", "name", "resource_type") DO NOTHING`)
}

export async function findListId(
  connection: Pick<Connection, 'query'>,
  list: StatusListLocation,
): Promise<ListId | undefined> {
  const [row] = await connection.query<{ id: ListId }>(
    sql`SELECT "l"."id" FROM "status_list" "l" WHERE ${isList(list)}`,
  )
  return row?.id
}
