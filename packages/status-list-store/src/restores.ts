import { randomUUID } from 'node:crypto'
import {
  type Did,
  queueName,
  type ForgottenIndices,
  type SkippedIndices,
  type StatusListLocation,
  type StatusListRestores,
} from '@vidimus/core-types'
import { homeOfDid, joinSql, sql, type Connection, type Database, type SealedTexts } from '@vidimus/database'
import { IndexOrder, orderContext, type OrderedList } from './index-order.js'
import { findList, findOrCreateList, isList, ofList, type ListNumber } from './list-row.js'
import type { OwnerRow } from './sealed-list-column.js'

/** Skipped at least, if nobody knows how many indices were allocated. */
const LEAST_SKIPPED = 10_000

/** Restores of the database from a backup, and what the lists skip because of them. */
export class Restores implements StatusListRestores {
  constructor(
    private readonly database: Database,
    private readonly texts: SealedTexts<OwnerRow>,
  ) {}

  async begin(): Promise<{ id: string; undo: () => Promise<void> }> {
    return this.database.write(async (connection) => {
      const [row] = await connection.query<{ id: string; ended_at: string | null }>(
        sql`SELECT "id", "ended_at" FROM "database_restore"`,
      )
      const id = row?.id ?? randomUUID()
      const undo = async () => {
        if (!row) await this.forget(id)
        else if (row.ended_at !== null) await this.end(id)
      }
      const now = new Date().toISOString()
      await connection.run(
        row
          ? sql`UPDATE "database_restore" SET "ended_at" = NULL WHERE "id" = ${id}`
          : sql`INSERT INTO "database_restore" ("id", "begun_at") VALUES (${id}, ${now})`,
      )
      return { id, undo }
    })
  }

  private async forget(id: string): Promise<void> {
    await this.database.write((connection) =>
      connection.run(sql`DELETE FROM "database_restore" WHERE "id" = ${id}`),
    )
  }

  /** A service starts: the next restore is a new one, and skips anew. */
  async serve(): Promise<void> {
    const [row] = await this.database.query(sql`SELECT "id" FROM "database_restore"`)
    if (!row) return
    await this.database.write((connection) =>
      connection.run(sql`DELETE FROM "database_restore" WHERE "ended_at" IS NOT NULL`),
    )
  }

  async end(id: string): Promise<void> {
    const now = new Date().toISOString()
    await this.database.write((connection) =>
      connection.run(sql`UPDATE "database_restore" SET "ended_at" = ${now} WHERE "id" = ${id}`),
    )
  }

  /** Whether one was begun and is not complete. */
  async isInterrupted(): Promise<boolean> {
    return (await unfinished(this.database)) !== undefined
  }

  async dids(after: string, limit: number): Promise<Did[]> {
    const rows = await this.database.query<{ did: Did }>(
      sql`SELECT DISTINCT did FROM account_did WHERE pending = 0 AND did > ${after} ORDER BY did LIMIT ${limit}`,
    )
    return rows.map(({ did }) => did)
  }

  async unknownDids(dids: readonly string[]): Promise<string[]> {
    if (dids.length === 0) return []
    const rows = await this.database.query<{ did: string }>(
      sql`SELECT DISTINCT did FROM account_did WHERE home IN (${joinSql([...new Set(dids.map(homeOfDid))])})
        AND did IN (${joinSql(dids)})`,
    )
    const known = new Set(rows.map(({ did }) => did))
    return dids.filter((did) => !known.has(did))
  }

  async skip(list: StatusListLocation, forgotten: ForgottenIndices): Promise<SkippedIndices> {
    const taken = await this.taken(list)
    const lane = queueName(...orderContext(list))
    return this.database.write(
      async (connection) => {
        const skipped = await this.planned(list, forgotten, taken, connection)
        const { restore, entries } = forgotten
        if (restore === undefined || skipped.to === skipped.from) return skipped
        const key = await findOrCreateList(connection, list)
        const ordered = { list: { ...key, location: list }, entries }
        const order = await IndexOrder.of(ordered, this.texts, connection)
        await order.moveTo(skipped.to, order.countUntil(skipped.to, taken))
        await connection.run(
          sql`UPDATE "status_list_order" SET "restore_id" = ${restore} WHERE ${ofList(key)}`,
        )
        return skipped
      },
      { lane },
    )
  }

  private async planned(
    list: StatusListLocation,
    { entries, isUsed, most, restore }: ForgottenIndices,
    taken: ReadonlySet<number>,
    connection: Connection,
  ): Promise<SkippedIndices> {
    const key = await findList(connection, list)
    const order = key && (await this.findOrder({ list: { ...key, location: list }, entries }, connection))
    // A new order has another key: no position in it tells anything about the lost one.
    if (!order) return { from: 0, to: most === 0 ? 0 : entries, isOrderKnown: false }
    const from = order.order.position
    const isKnown = (index: number) => taken.has(index) || isUsed(index)
    const atLeast = Math.max(from, reached(order.order, entries, taken, isUsed))
    // The margin is skipped once, however often a restore is repeated; another copy may still show more.
    const isRepeated = restore !== undefined && order.restore === restore
    const to = isRepeated
      ? atLeast
      : most === undefined
        ? withMargin(atLeast, entries)
        : afterFree(order.order, entries, most, isKnown)
    return { from, to, isOrderKnown: true }
  }

  private async findOrder(
    ordered: OrderedList,
    connection: Connection,
  ): Promise<{ order: IndexOrder; restore: string | null } | undefined> {
    const [row] = await connection.query<{ restore_id: string | null }>(
      sql`SELECT "restore_id" FROM "status_list_order" WHERE ${ofList(ordered.list)}`,
    )
    const order = row && (await IndexOrder.find(ordered, this.texts, connection))
    return order && { order, restore: row.restore_id }
  }

  private async taken(list: StatusListLocation): Promise<ReadonlySet<number>> {
    const rows = await this.database.query<{ list_index: ListNumber }>(
      sql`SELECT "t"."list_index" FROM "status_list_taken_index" "t"
        JOIN "status_list" "l" ON "l"."home" = "t"."home" AND "l"."id" = "t"."list_id" WHERE ${isList(list)}`,
    )
    return new Set(rows.map((row) => Number(row.list_index)))
  }
}

async function unfinished(reader: Pick<Connection, 'query'>): Promise<string | undefined> {
  const [row] = await reader.query<{ id: string }>(
    sql`SELECT "id" FROM "database_restore" WHERE "ended_at" IS NULL`,
  )
  return row?.id
}

/** How far the lost counter had come at least: an index that is set but not taken here was allocated since. */
function reached(
  order: IndexOrder,
  entries: number,
  taken: ReadonlySet<number>,
  isUsed: (index: number) => boolean,
): number {
  let after = 0
  for (let index = 0; index < entries; index += 1) {
    if (!taken.has(index) && isUsed(index)) after = Math.max(after, order.positionOf(index) + 1)
  }
  return after
}

const withMargin = (from: number, entries: number): number =>
  Math.min(entries, from + Math.max(LEAST_SKIPPED, Math.ceil((entries - from) / 2)))

/** The position after so many indices that were free, as far as is known. */
function afterFree(
  order: IndexOrder,
  entries: number,
  most: number,
  isKnown: (index: number) => boolean,
): number {
  let position = order.position
  for (let free = 0; free < most && position < entries; position += 1) {
    if (!isKnown(order.indexAt(position))) free += 1
  }
  return position
}
