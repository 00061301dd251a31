import type { FreeIndex, KeyEnvelope, StatusListIndices, WantedIndex } from '@vidimus/core-types'
import { SealedTexts, sql, type Connection, type Database } from '@vidimus/database'
import { contextOf, IndexOrder } from './index-order.js'
import { findOrCreateListId, type ListId } from './list-row.js'
import { sealedListColumn, type OwnerRow } from './sealed-list-column.js'

/**
 * How often one transaction looks for a free index: others that want to write wait for some milliseconds at the most,
 * however full a list is.
 */
const LOOKS = 8

/** What became of an attempt to take indices. */
type Attempt =
  | { indices: readonly (number | undefined)[] }
  /** this one may be had, but so much before it is taken that it is looked for in other transactions */
  | { far: FreeIndex }

/** Ends a transaction, and undoes what it has taken. */
class NothingTaken extends Error {
  constructor(readonly attempt: Attempt) {
    super('not all of the indices are to be had')
  }
}

/**
 * Which indices are given out, each list in an order of its own. What is taken stands in rows whose primary key makes
 * it impossible to give an index out twice.
 */
export class TakenIndices implements StatusListIndices {
  readonly texts: SealedTexts<OwnerRow>

  constructor(
    private readonly database: Database,
    envelope: KeyEnvelope,
  ) {
    this.texts = new SealedTexts(
      database,
      envelope,
      sealedListColumn('list-orders', 'orders of status lists', sql`"status_list_order"`, contextOf),
    )
  }

  async take(wanted: readonly WantedIndex[]): Promise<readonly (number | undefined)[]> {
    if (wanted.length === 0) return []
    let looks = LOOKS
    for (;;) {
      const attempt = await this.attempt(wanted, looks)
      if ('indices' in attempt) return attempt.indices
      // where the counter stands at a free index, it is the next one after that which is far
      if (!(await this.goTo(attempt.far))) looks = Infinity
    }
  }

  private async attempt(wanted: readonly WantedIndex[], looks: number): Promise<Attempt> {
    try {
      return await this.database.write(async (connection) => {
        const indices: (number | undefined)[] = []
        for (const one of wanted) indices.push(await this.takeOne(one, looks, connection))
        if (indices.includes(undefined)) throw new NothingTaken({ indices })
        return { indices }
      }, laneOf(wanted))
    } catch (error) {
      if (error instanceof NothingTaken) return error.attempt
      throw error
    }
  }

  private async takeOne(
    wanted: WantedIndex,
    looks: number,
    connection: Connection,
  ): Promise<number | undefined> {
    if ('index' in wanted) {
      const free = await insertTaken(connection, await findListIds(wanted, connection), wanted.index)
      return free || wanted.again ? wanted.index : undefined
    }
    const { order, lists, index, position } = await this.look(wanted, looks, connection)
    if (index === undefined) {
      if (order.atEnd || looks === Infinity) return undefined
      throw new NothingTaken({ far: wanted })
    }
    await order.moveTo(position + 1)
    if (await insertTaken(connection, lists, index)) return index
    throw new Error('an index that was free is taken in one and the same transaction')
  }

  /**
   * Moves the counter to the next index that is free, or to the end: what is behind it nobody looks at again.
   *
   * @returns whether it has moved
   */
  private async goTo(wanted: FreeIndex): Promise<boolean> {
    const step = async (connection: Connection) => {
      const { order, index, position } = await this.look(wanted, LOOKS, connection)
      const moved = position > order.position
      await order.moveTo(position)
      return { moved, there: index !== undefined || order.atEnd }
    }
    let moved = false
    for (;;) {
      const outcome = await this.database.write(step, laneOf([wanted]))
      moved ||= outcome.moved
      if (outcome.there) return moved
    }
  }

  /** Looks for the next free index, in the order of the first list. */
  private async look(wanted: FreeIndex, looks: number, connection: Connection) {
    const lists = await findListIds(wanted, connection)
    const [list] = wanted.lists
    const [listId] = lists
    if (!list || listId === undefined) throw new RangeError('an index is wanted in at least one list')
    const order = await IndexOrder.of({ list, listId, entries: wanted.entries }, this.texts, connection)
    return { order, lists, ...(await order.look(lists, wanted.isUsed, looks)) }
  }
}

/** That of the first list. */
function laneOf(wanted: readonly WantedIndex[]): { lane?: string } {
  const [list] = wanted.flatMap(({ lists }) => lists)
  return list ? { lane: contextOf(list).join(' ') } : {}
}

async function findListIds({ lists }: WantedIndex, connection: Connection): Promise<ListId[]> {
  const ids: ListId[] = []
  for (const list of lists) ids.push(await findOrCreateListId(connection, list))
  return ids
}

/** @returns whether it was free in all of the lists */
async function insertTaken(
  connection: Connection,
  lists: readonly ListId[],
  index: number,
): Promise<boolean> {
  let inserted = 0
  for (const listId of lists) {
    inserted += await connection.run(
      sql`INSERT INTO "status_list_taken_index" ("list_id", "list_index") VALUES (${listId}, ${index})
        ON CONFLICT ("list_id", "list_index") DO NOTHING`,
    )
  }
  return inserted === lists.length
}
