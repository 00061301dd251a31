import type { ChangeToStore, WaitingChange } from '@vidimus/core-types'
import { joinSql, sql, type Connection, type Reader } from '@vidimus/database'
import { countAllocated } from './list-fill.js'
import { ofList, type ListKey, type ListNumber } from './list-row.js'

/** Rows of one statement. */
const TOGETHER = 500

interface ChangeRow {
  place: string
  content: string
  number: ListNumber
}

/** A list, and up to which change it is published: rows up to that one may still be there. */
export interface ChangesOf {
  list: ListKey
  published: number
}

/** @param places - only these; absent: all */
export async function readChanges(
  reader: Reader,
  of: ChangesOf,
  places?: readonly string[],
): Promise<WaitingChange[]> {
  return places === undefined ? readAll(reader, of) : readSome(reader, of, places)
}

async function readSome(
  reader: Reader,
  { list, published }: ChangesOf,
  places: readonly string[],
): Promise<WaitingChange[]> {
  const found: WaitingChange[] = []
  for (let from = 0; from < places.length; from += TOGETHER) {
    const some = joinSql(places.slice(from, from + TOGETHER))
    const rows = await reader.query<ChangeRow>(
      sql`SELECT "place", "content", "number" FROM "status_list_change" WHERE ${ofList(list)}
        AND "number" > ${published} AND "place" IN (${some})`,
    )
    found.push(...rows.map(toChange))
  }
  return found
}

/** A page at a time, so that others have their turn. */
async function readAll(reader: Reader, { list, published }: ChangesOf): Promise<WaitingChange[]> {
  const found: WaitingChange[] = []
  for (let after = ''; ;) {
    const rows = await reader.query<ChangeRow>(
      sql`SELECT "place", "content", "number" FROM "status_list_change" WHERE ${ofList(list)}
        AND "number" > ${published} AND "place" > ${after} ORDER BY "place" LIMIT ${TOGETHER}`,
    )
    found.push(...rows.map(toChange))
    const last = rows.at(-1)
    if (!last || rows.length < TOGETHER) return found
    after = last.place
  }
}

/** Each replaces the waiting change of its entry; its index counts as allocated. */
export async function storeChanges(
  connection: Connection,
  list: ListKey,
  changes: readonly ChangeToStore[],
  number: number,
): Promise<void> {
  let taken = 0
  for (let from = 0; from < changes.length; from += TOGETHER) {
    const some = changes.slice(from, from + TOGETHER)
    const rows = some.map(
      ({ place, content }) => sql`(${list.home}, ${list.id}, ${place}, ${content}, ${number})`,
    )
    await connection.run(
      sql`INSERT INTO "status_list_change" ("home", "list_id", "place", "content", "number") VALUES ${joinSql(rows)}
        ON CONFLICT ("home", "list_id", "place") DO UPDATE SET "content" = excluded."content", "number" = excluded."number"`,
    )
    const indices = some.map(({ index }) => sql`(${list.home}, ${list.id}, ${index})`)
    taken += await connection.run(
      sql`INSERT INTO "status_list_taken_index" ("home", "list_id", "list_index") VALUES ${joinSql(indices)}
        ON CONFLICT ("home", "list_id", "list_index") DO NOTHING`,
    )
  }
  if (taken > 0) connection.send(countAllocated(list, taken))
}

/** Some in each transaction. */
export async function deleteChanges(
  write: (work: (connection: Connection) => Promise<number>) => Promise<number>,
  list: ListKey,
  upTo: number,
): Promise<void> {
  const some = sql`DELETE FROM "status_list_change" WHERE ${ofList(list)} AND "place" IN
    (SELECT "c"."place" FROM "status_list_change" "c" WHERE ${ofList(list, 'c')} AND "c"."number" <= ${upTo}
      LIMIT ${TOGETHER})`
  for (let deleted = TOGETHER; deleted === TOGETHER;)
    deleted = await write((connection) => connection.run(some))
}

const toChange = ({ place, content, number }: ChangeRow): WaitingChange => ({
  place,
  content,
  number: Number(number),
})
