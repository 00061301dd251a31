import { randomBytes } from 'node:crypto'
import type { ListFill, StatusListLocation } from '@vidimus/core-types'
import { homeOfDid, joinSql, sql, type Connection, type SealedTexts } from '@vidimus/database'
import { IndexPermutation } from './index-permutation.js'
import { countAllocated, FILL_COLUMNS, isNearlyFull, type FillRow } from './list-fill.js'
import { isList, ofList, sendList, type ListKey, type ListNumber, type LocatedKey } from './list-row.js'
import type { OwnerRow } from './sealed-list-column.js'

const KEY_BYTES = 32

/** Positions checked together once some of the next ones turned out to be taken. */
const LOOKED_AT_TOGETHER = 64

/** The list that the order belongs to. */
export interface OrderedList {
  list: LocatedKey
  /** number of indices in the list */
  entries: number
}

/** Where a search for free indices ended. */
export interface Looked {
  /** fewer than were wanted: no more were found */
  indices: number[]
  /** of the last index if all were found, or else after the last one checked */
  position: number
  /** how many of the indices up to there were allocated before, and count already */
  counted: number
}

interface OrderRow extends FillRow {
  sealed_key: string
  position: ListNumber
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
    private allocated: number,
    private isTold: boolean,
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
    const { list, entries } = ordered
    const key = randomBytes(KEY_BYTES)
    const sealed = await texts.seal(connection, key.toString('hex'), orderContext(list.location))
    await connection.run(sql`INSERT INTO "status_list_order"
      ("home", "list_id", "sealed_key", "entries", "position", "allocated", "told_nearly_full")
      VALUES (${list.home}, ${list.id}, ${sealed}, ${entries}, ${0}, ${0}, ${0})`)
    return new IndexOrder(connection, new IndexPermutation(key, entries), list, 0, 0, false)
  }

  /** @throws AgentError `wrong_secret` */
  static async find(
    { list, entries }: OrderedList,
    texts: SealedTexts<OwnerRow>,
    connection: Connection,
  ): Promise<IndexOrder | undefined> {
    const [row] = await connection.query<OrderRow>(
      sql`SELECT "sealed_key", "position", ${FILL_COLUMNS} FROM "status_list_order" WHERE ${ofList(list)}`,
    )
    if (!row) return undefined
    const key = Buffer.from(texts.envelope.open(row.sealed_key, orderContext(list.location)), 'hex')
    const isSame = Number(row.entries) === entries
    const position = isSame ? Number(row.position) : 0
    const allocated = isSame ? Number(row.allocated) : await countTaken(connection, list, entries)
    const isTold = Number(row.told_nearly_full) === 1
    return new IndexOrder(connection, new IndexPermutation(key, entries), list, position, allocated, isTold)
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
    let counted = 0
    for (let look = 0; look < looks; look += 1) {
      const candidates = this.permutation.indicesFrom(position, look === 0 ? count : LOOKED_AT_TOGETHER)
      if (candidates.length === 0) break
      const { free, counts } = await this.lookAt(lists, candidates, isUsed)
      for (const index of free) {
        indices.push(index)
        if (indices.length < count) continue
        const passed = candidates.indexOf(index)
        counted += countAmong(candidates.slice(0, passed), counts)
        return { indices, position: position + passed, counted }
      }
      position += candidates.length
      counted += countAmong(candidates, counts)
    }
    return { indices, position, counted }
  }

  /** @returns `counts`: those that are allocated in the list of this order */
  private async lookAt(
    lists: readonly ListKey[],
    candidates: readonly number[],
    isUsed: (index: number) => boolean,
  ): Promise<{ free: number[]; counts: ReadonlySet<number> }> {
    const rows = await takenAmong(this.connection, lists, candidates)
    const taken = new Set(rows.map((row) => Number(row.list_index)))
    const here = rows.filter((row) => String(row.list_id) === String(this.list.id))
    return {
      free: candidates.filter((index) => !taken.has(index) && !isUsed(index)),
      counts: new Set(here.map((row) => Number(row.list_index))),
    }
  }

  /**
   * How many of the indices from the counter up to a position count already.
   *
   * @param taken - the allocated ones of the list
   */
  countUntil(position: number, taken: ReadonlySet<number>): number {
    // All before the counter count, and of those after it only what was allocated by name.
    const ahead = this.allocated - this.at
    if (ahead === 0 || position >= this.permutation.length) return ahead
    return countAmong(this.permutation.indicesFrom(this.at, position - this.at), taken)
  }

  /** The index at a position. */
  indexAt(position: number): number {
    return this.permutation.indexAt(position)
  }

  positionOf(index: number): number {
    return this.permutation.positionOf(index)
  }

  /**
   * Sets the position to continue from. Every index before it counts as allocated: it never is again.
   *
   * @param counted - how many of those that are passed count already
   * @param tell - called once for each list, if it is nearly full with these
   */
  async moveTo(position: number, counted: number, tell?: (fill: ListFill) => void): Promise<void> {
    const { length: entries } = this.permutation
    this.allocated += position - this.at - counted
    this.at = position
    const fill = { allocated: this.allocated, entries }
    if (tell && !this.isTold && isNearlyFull(fill)) {
      this.isTold = true
      tell(fill)
    }
    await this.connection
      .run(sql`UPDATE "status_list_order" SET "entries" = ${entries}, "position" = ${position},
      "allocated" = ${this.allocated} WHERE ${ofList(this.list)}`)
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
  connection.send(sql`INSERT INTO "status_list_order"
    ("home", "list_id", "sealed_key", "entries", "position", "allocated", "told_nearly_full")
    SELECT CAST(${homeOfDid(list.did)} AS INTEGER), "l"."id", CAST(${sealed} AS TEXT), CAST(${entries} AS BIGINT), 0, 0, 0
      FROM "status_list" "l" WHERE ${isList(list)}
    ON CONFLICT ("home", "list_id") DO NOTHING`)
}

/**
 * Counts indices that were allocated by name, or in the order of another list.
 *
 * @param tell - as in {@link IndexOrder.moveTo}
 */
export async function countInOrder(
  list: LocatedKey,
  { count, entries }: { count: number; entries: number },
  { texts, connection }: { texts: SealedTexts<OwnerRow>; connection: Connection },
  tell?: (fill: ListFill) => void,
): Promise<void> {
  const counting = sql`${countAllocated(list, count)} RETURNING ${FILL_COLUMNS}`
  let [row] = await connection.query<FillRow>(counting)
  if (!row) {
    // A list that was created elsewhere.
    await createOrder(connection, list.location, entries, texts)
    ;[row] = await connection.query<FillRow>(counting)
  }
  const fill = { allocated: Number(row?.allocated), entries: Number(row?.entries) }
  if (tell && Number(row?.told_nearly_full) === 0 && isNearlyFull(fill)) tell(fill)
}

/** The context that the key of an order is sealed with. */
export const orderContext = ({ did, statusListName, resourceType }: StatusListLocation) => [
  'order of a status list',
  did,
  statusListName,
  resourceType,
]

interface TakenRow {
  list_id: ListNumber
  list_index: ListNumber
}

const takenAmong = (
  connection: Connection,
  lists: readonly ListKey[],
  candidates: readonly number[],
): Promise<TakenRow[]> =>
  connection.query<TakenRow>(
    sql`SELECT "list_id", "list_index" FROM "status_list_taken_index"
      WHERE "home" IN (${joinSql([...new Set(lists.map(({ home }) => home))])})
      AND "list_id" IN (${joinSql(lists.map(({ id }) => id))}) AND "list_index" IN (${joinSql(candidates)})`,
  )

/** Only for a list that was published with another length, which this service never does: its order starts over. */
async function countTaken(connection: Connection, list: ListKey, entries: number): Promise<number> {
  const [row] = await connection.query<{ n: ListNumber }>(
    sql`SELECT COUNT(*) AS "n" FROM "status_list_taken_index"
      WHERE ${ofList(list)} AND "list_index" < ${entries}`,
  )
  return Number(row?.n)
}

const countAmong = (indices: readonly number[], among: ReadonlySet<number>): number =>
  indices.filter((index) => among.has(index)).length
