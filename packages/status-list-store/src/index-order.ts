import { randomBytes } from 'node:crypto'
import type { StatusListLocation } from '@vidimus/core-types'
import { homeOfDid, joinSql, sql, type Connection, type SealedTexts } from '@vidimus/database'
import { IndexPermutation } from './index-permutation.js'
import { isList, ofList, sendList, type ListKey, type ListNumber } from './list-row.js'
import type { OwnerRow } from './sealed-list-column.js'

const KEY_BYTES = 32

/** Positions checked together once some of the next ones turned out to be taken. */
const LOOKED_AT_TOGETHER = 64

/** The list that the order belongs to. */
export interface OrderedList {
  list: StatusListLocation
  key: ListKey
  /** number of indices in the list */
  entries: number
}

/** Where a search for free indices ended. */
export interface Looked {
  /** fewer than were wanted: no more were found */
  indices: number[]
  /** of the last index if all were found, or else after the last one checked */
  position: number
}

/**
 * The allocation order of a list's indices, within a running transaction: a secret permutation of a counter stored with
 * its key, so that a step costs the same however full the list is.
 */
export class IndexOrder {
  private constructor(
    private readonly connection: Connection,
    private readonly permutation: IndexPermutation,
    private readonly list: ListKey,
    private at: number,
  ) {}

  /**
   * Reads the order of a list, or creates it. If the list was published with another length, the order starts over and
   * skips taken indices.
   *
   * @throws AgentError `wrong_secret`
   */
  static async of(
    ordered: OrderedList,
    texts: SealedTexts<OwnerRow>,
    connection: Connection,
  ): Promise<IndexOrder> {
    const found = await IndexOrder.find(ordered, texts, connection)
    if (found) return found
    const { list, key: listKey, entries } = ordered
    const key = randomBytes(KEY_BYTES)
    const sealed = await texts.seal(connection, key.toString('hex'), orderContext(list))
    await connection.run(sql`INSERT INTO "status_list_order" ("home", "list_id", "sealed_key", "entries", "position")
      VALUES (${listKey.home}, ${listKey.id}, ${sealed}, ${entries}, ${0})`)
    return new IndexOrder(connection, new IndexPermutation(key, entries), listKey, 0)
  }

  /** @throws AgentError `wrong_secret` */
  static async find(
    { list, key: listKey, entries }: OrderedList,
    texts: SealedTexts<OwnerRow>,
    connection: Connection,
  ): Promise<IndexOrder | undefined> {
    const [row] = await connection.query<{ sealed_key: string; entries: ListNumber; position: ListNumber }>(
      sql`SELECT "sealed_key", "entries", "position" FROM "status_list_order" WHERE ${ofList(listKey)}`,
    )
    if (!row) return undefined
    const key = Buffer.from(texts.envelope.open(row.sealed_key, orderContext(list)), 'hex')
    const position = Number(row.entries) === entries ? Number(row.position) : 0
    return new IndexOrder(connection, new IndexPermutation(key, entries), listKey, position)
  }

  /** The current counter. */
  get position(): number {
    return this.at
  }

  /** Positions that were not checked yet. */
  get left(): number {
    return this.permutation.length - this.at
  }

  /** Whether all positions were checked. */
  get atEnd(): boolean {
    return this.at >= this.permutation.length
  }

  /**
   * Finds the first free indices from the counter on.
   *
   * @param lists - those in which they must be free
   * @param isUsed - whether to skip an index
   * @param limits - `count`: how many are wanted; `looks`: maximum number of look-ups
   */
  async look(
    lists: readonly ListKey[],
    isUsed: (index: number) => boolean,
    { count, looks }: { count: number; looks: number },
  ): Promise<Looked> {
    const indices: number[] = []
    let { position } = this
    for (let look = 0; look < looks; look += 1) {
      const candidates = this.permutation.indicesFrom(position, look === 0 ? count : LOOKED_AT_TOGETHER)
      if (candidates.length === 0) break
      for (const index of await freeAmong(this.connection, lists, candidates, isUsed)) {
        indices.push(index)
        if (indices.length === count) return { indices, position: position + candidates.indexOf(index) }
      }
      position += candidates.length
    }
    return { indices, position }
  }

  /** The index at a position. */
  indexAt(position: number): number {
    return this.permutation.indexAt(position)
  }

  positionOf(index: number): number {
    return this.permutation.positionOf(index)
  }

  /** Sets the position to continue from. */
  async moveTo(position: number): Promise<void> {
    this.at = position
    await this.connection.run(sql`UPDATE "status_list_order" SET "entries" = ${this.permutation.length},
      "position" = ${position} WHERE ${ofList(this.list)}`)
  }
}

/** The order of a new list, in the running transaction and with no trip of its own. */
export async function createOrder(
  connection: Connection,
  list: StatusListLocation,
  entries: number,
  texts: SealedTexts<OwnerRow>,
): Promise<void> {
  const sealed = await texts.seal(connection, randomBytes(KEY_BYTES).toString('hex'), orderContext(list))
  sendList(connection, list)
  connection.send(sql`INSERT INTO "status_list_order" ("home", "list_id", "sealed_key", "entries", "position")
    SELECT CAST(${homeOfDid(list.did)} AS INTEGER), "l"."id", CAST(${sealed} AS TEXT), CAST(${entries} AS BIGINT), 0 FROM "status_list" "l" WHERE ${isList(list)}
    ON CONFLICT ("home", "list_id") DO NOTHING`)
}

/** The context that the key of an order is sealed with. */
export const orderContext = ({ did, statusListName, resourceType }: StatusListLocation) => [
  'order of a status list',
  did,
  statusListName,
  resourceType,
]

async function freeAmong(
  connection: Connection,
  lists: readonly ListKey[],
  candidates: readonly number[],
  isUsed: (index: number) => boolean,
): Promise<number[]> {
  const unused = candidates.filter((index) => !isUsed(index))
  if (unused.length === 0) return []
  // Includes used ones, so that the statement text depends on few numbers and stays prepared.
  const rows = await connection.query<{ list_index: ListNumber }>(
    sql`SELECT "list_index" FROM "status_list_taken_index"
      WHERE "home" IN (${joinSql([...new Set(lists.map(({ home }) => home))])})
      AND "list_id" IN (${joinSql(lists.map(({ id }) => id))}) AND "list_index" IN (${joinSql(candidates)})`,
  )
  const taken = new Set(rows.map((row) => Number(row.list_index)))
  return unused.filter((index) => !taken.has(index))
}
