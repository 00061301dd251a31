import { randomBytes } from 'node:crypto'
import type { KeyEnvelope, StatusListIndices, StatusListLocation } from '@vidimus/core-types'
import { joinSql, SealedTexts, sql, type Connection, type Database } from '@vidimus/database'
import { IndexPermutation } from './index-permutation.js'
import { findOrCreateListId, isList, type ListId } from './list-row.js'
import { sealedListColumn, type OwnerRow } from './sealed-list-column.js'

const KEY_BYTES = 32

/**
 * Positions looked at together, once the next one turned out to be taken, and how often in one transaction: others
 * that want to write wait for some milliseconds at the most, however full a list is.
 */
const LOOKED_AT_TOGETHER = 64
const LOOKS_PER_TRANSACTION = 8

/** The order in which the indices of a list are given out. */
interface Order {
  listId: ListId
  key: Uint8Array
}

type IsUsed = (index: number) => boolean

/**
 * Which indices are given out. The order is a secret permutation of a counter that is kept with its key, so a step
 * costs the same however full the list is; what is taken stands in rows of its own, whose primary key makes it
 * impossible to give an index out twice.
 */
export class TakenIndices implements StatusListIndices {
  readonly texts: SealedTexts<OwnerRow>

  constructor(
    private readonly database: Database,
    private readonly envelope: KeyEnvelope,
  ) {
    this.texts = new SealedTexts(
      database,
      envelope,
      sealedListColumn('list-orders', 'orders of status lists', sql`"status_list_order"`, contextOf),
    )
  }

  async take(list: StatusListLocation, entries: number, isUsed: IsUsed): Promise<number | undefined> {
    const { listId, key } = (await this.findOrder(list)) ?? (await this.createOrder(list, entries))
    const permutation = new IndexPermutation(key, entries)
    for (;;) {
      const { index, atEnd } = await this.database.write(
        (connection) => takeNext(connection, listId, permutation, isUsed),
        { lane: laneOf(list) },
      )
      if (index !== undefined || atEnd) return index
    }
  }

  async reserve(list: StatusListLocation, index: number): Promise<boolean> {
    return this.database.write(
      async (connection) => insertTaken(connection, await findOrCreateListId(connection, list), index),
      { lane: laneOf(list) },
    )
  }

  private async findOrder(list: StatusListLocation): Promise<Order | undefined> {
    const [row] = await this.database.query<{ list_id: ListId; sealed_key: string }>(
      sql`SELECT "o"."list_id", "o"."sealed_key" FROM "status_list" "l"
        JOIN "status_list_order" "o" ON "o"."list_id" = "l"."id" WHERE ${isList(list)}`,
    )
    if (!row) return undefined
    const key = Buffer.from(this.envelope.open(row.sealed_key, contextOf(list)), 'hex')
    return { listId: row.list_id, key }
  }

  private async createOrder(list: StatusListLocation, entries: number): Promise<Order> {
    const key = randomBytes(KEY_BYTES).toString('hex')
    await this.database.write(async (connection) => {
      const sealed = await this.texts.seal(connection, key, contextOf(list))
      const listId = await findOrCreateListId(connection, list)
      await connection.run(sql`INSERT INTO "status_list_order" ("list_id", "sealed_key", "entries", "position")
        VALUES (${listId}, ${sealed}, ${entries}, ${0}) ON CONFLICT ("list_id") DO NOTHING`)
    })
    // Another process may have been first, with another key.
    const order = await this.findOrder(list)
    if (!order) throw new Error('the order of a status list vanished after it was made')
    return order
  }
}

const laneOf = (list: StatusListLocation): string => contextOf(list).join(' ')

const contextOf = ({ did, statusListName, resourceType }: StatusListLocation) => [
  'order of a status list',
  did,
  statusListName,
  resourceType,
]

/**
 * Takes the first index from the counter on that is free, and moves the counter behind it. Gives up after some
 * positions, with the counter behind those, which nobody has to look at again.
 */
async function takeNext(
  connection: Connection,
  listId: ListId,
  permutation: IndexPermutation,
  isUsed: IsUsed,
): Promise<{ index: number | undefined; atEnd: boolean }> {
  let position = await positionOf(connection, listId, permutation.length)
  if (position >= permutation.length) return { index: undefined, atEnd: true }
  let index: number | undefined
  for (let look = 0; look < LOOKS_PER_TRANSACTION && index === undefined; look += 1) {
    const candidates = permutation.indicesFrom(position, look === 0 ? 1 : LOOKED_AT_TOGETHER)
    if (candidates.length === 0) break
    const free = await firstFree(connection, listId, candidates, isUsed)
    position += free === undefined ? candidates.length : candidates.indexOf(free) + 1
    if (free !== undefined && (await insertTaken(connection, listId, free))) index = free
  }
  await connection.run(sql`UPDATE "status_list_order" SET "entries" = ${permutation.length},
    "position" = ${position} WHERE "list_id" = ${listId}`)
  return { index, atEnd: position >= permutation.length }
}

/** Where somebody has published the list with another length, the order begins anew and passes over what is taken. */
async function positionOf(connection: Connection, listId: ListId, entries: number): Promise<number> {
  const [row] = await connection.query<{ entries: ListId; position: ListId }>(
    sql`SELECT "entries", "position" FROM "status_list_order" WHERE "list_id" = ${listId}`,
  )
  return row && Number(row.entries) === entries ? Number(row.position) : 0
}

async function firstFree(
  connection: Connection,
  listId: ListId,
  candidates: readonly number[],
  isUsed: IsUsed,
): Promise<number | undefined> {
  if (candidates.every(isUsed)) return undefined
  // All of them are asked for, also the used ones, so that the statement is the same each time and stays prepared.
  const rows = await connection.query<{ list_index: ListId }>(
    sql`SELECT "list_index" FROM "status_list_taken_index"
      WHERE "list_id" = ${listId} AND "list_index" IN (${joinSql(candidates)})`,
  )
  const taken = new Set(rows.map((row) => Number(row.list_index)))
  return candidates.find((index) => !taken.has(index) && !isUsed(index))
}

/** @returns whether it was free */
async function insertTaken(connection: Connection, listId: ListId, index: number): Promise<boolean> {
  const inserted = await connection.run(
    sql`INSERT INTO "status_list_taken_index" ("list_id", "list_index") VALUES (${listId}, ${index})
      ON CONFLICT ("list_id", "list_index") DO NOTHING`,
  )
  return inserted === 1
}
