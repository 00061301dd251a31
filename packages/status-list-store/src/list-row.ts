import { randomInt } from 'node:crypto'
import {
  asDid,
  asListName,
  type Did,
  type StatusListLocation,
  type StatusListName,
} from '@vidimus/core-types'
import { homeOfDid, sql, Sql, type Connection } from '@vidimus/database'
import type { WorkItem } from '@vidimus/work'

/** PostgreSQL returns large numbers as text. */
export type ListNumber = number | string

/** The key of a list in the tables. */
export interface ListKey {
  /** of its DID */
  home: number
  id: ListNumber
}

/** With its location. */
export interface LocatedKey extends ListKey {
  location: StatusListLocation
}

export interface LocationRow {
  did: Did
  name: StatusListName
  resource_type: string
}

export const toLocation = ({ did, name, resource_type }: LocationRow): StatusListLocation => ({
  did,
  statusListName: name,
  resourceType: resource_type,
})

/** Just below 2^48, the largest range of `randomInt`; collisions between lists are negligible. */
const MOST_LIST_IDS = 2 ** 48 - 1

/** The condition for the row of a list, whose table has the alias `l`. */
export const isList = ({ did, statusListName, resourceType }: StatusListLocation): Sql =>
  sql`"l"."home" = ${homeOfDid(did)} AND "l"."did" = ${did} AND "l"."name" = ${statusListName} AND "l"."resource_type" = ${resourceType}`

/** The condition for rows of a list in the other tables. @param table - its alias in the statement, if it has one */
export function ofList({ home, id }: ListKey, table?: string): Sql {
  const of = new Sql([table === undefined ? '' : `"${table}".`], [])
  return sql`${of}"home" = ${home} AND ${of}"list_id" = ${id}`
}

/** Finds the row of a list in the running transaction, or creates it. */
export async function findOrCreateList(connection: Connection, list: StatusListLocation): Promise<ListKey> {
  const known = await findList(connection, list)
  if (known !== undefined) return known
  sendList(connection, list)
  const made = await findList(connection, list)
  if (made === undefined) throw new Error('the row of a status list vanished in its own transaction')
  return made
}

/** Creates the row of a list, unless it has one. Nothing is remembered of a list that has no other rows. */
export function sendList(
  connection: Pick<Connection, 'send'>,
  { did, statusListName, resourceType }: StatusListLocation,
): void {
  connection.send(
    sql`INSERT INTO "status_list" ("home", "id", "did", "name", "resource_type")
    VALUES (${homeOfDid(did)}, ${randomInt(MOST_LIST_IDS)}, ${did}, ${statusListName}, ${resourceType})
    ON CONFLICT ("home", "did", "name", "resource_type") DO NOTHING`.changing(),
  )
}

export async function findList(
  connection: Pick<Connection, 'query'>,
  list: StatusListLocation,
): Promise<ListKey | undefined> {
  const [row] = await connection.query<{ id: ListNumber }>(
    sql`SELECT "l"."id" FROM "status_list" "l" WHERE ${isList(list)}`,
  )
  return row && { home: homeOfDid(list.did), id: row.id }
}

/** The kind of the work on lists with a pace. */
export const SLOT = 'slot'

/** What identifies the work of a kind on a list. It belongs to the DID, not to an account: any account with the DID may sign. */
export const workOfList = ({ did, statusListName, resourceType }: StatusListLocation) => ({
  home: homeOfDid(did),
  key: JSON.stringify([did, statusListName, resourceType]),
  owner: did,
})

/** The list that {@link workOfList} was about. */
export function listOfWork({ key }: Pick<WorkItem, 'key'>): StatusListLocation {
  const [did = '', name = '', resourceType = ''] = JSON.parse(key) as string[]
  return { did: asDid(did), statusListName: asListName(name), resourceType }
}
