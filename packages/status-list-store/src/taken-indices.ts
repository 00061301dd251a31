import {
  currentAccount,
  type FreeIndex,
  type KeyEnvelope,
  type NewRegistration,
  type StatusListIndices,
  type StatusListLocation,
  type WantedIndex,
} from '@vidimus/core-types'
import { SealedTexts, sql, type Connection, type Database } from '@vidimus/database'
import type { CredentialRegister } from './credential-register.js'
import { orderContext, IndexOrder } from './index-order.js'
import { findOrCreateListId, isList, type ListId } from './list-row.js'
import { noteExpiry } from './member-rows.js'
import type { EntryPlace } from './registered-rows.js'
import { sealedListColumn, type OwnerRow } from './sealed-list-column.js'

/**
 * Maximum number of look-ups for a free index per transaction: other writers wait for a few milliseconds at most,
 * however full a list is.
 */
const LOOKS = 8

/** The result of an attempt to take indices. */
type Attempt =
  | { indices: readonly (number | undefined)[] }
  /** this index is free, but so many before it are taken that the search continues in separate transactions */
  | { far: FreeIndex }

/** Registers a credential once its indices are taken, in the same transaction. */
interface Registration {
  account: string
  credential: NewRegistration
}

/** A taken index, and the lists in which it was taken. */
interface Taken {
  index: number | undefined
  lists: readonly ListId[]
  purpose?: string | undefined
  /** indices that were not passed over yet */
  left?: number
}

/** Rolls back a transaction with everything it has taken. */
class NothingTaken extends Error {
  constructor(readonly attempt: Attempt) {
    super('not all of the indices are available')
  }
}

/**
 * Allocated indices, in a separate order for each list. The primary key of their rows makes it impossible to allocate
 * an index twice.
 */
export class TakenIndices implements StatusListIndices {
  readonly texts: SealedTexts<OwnerRow>

  constructor(
    private readonly database: Database,
    envelope: KeyEnvelope,
    private readonly register: CredentialRegister,
  ) {
    this.texts = new SealedTexts(
      database,
      envelope,
      sealedListColumn('list-orders', 'orders of status lists', sql`"status_list_order"`, orderContext),
    )
  }

  async take(
    wanted: readonly WantedIndex[],
    credential?: NewRegistration,
  ): Promise<readonly (number | undefined)[]> {
    if (wanted.length === 0) return []
    const registration = credential && { account: currentAccount().id, credential }
    let looks = LOOKS
    for (;;) {
      const attempt = await this.attempt(wanted, looks, registration)
      if ('indices' in attempt) return attempt.indices
      // the counter is at a free index, so the one after it is the distant one
      if (!(await this.goTo(attempt.far))) looks = Infinity
    }
  }

  async hasEndedByRestore(list: StatusListLocation): Promise<boolean> {
    const rows = await this.database.query(
      sql`SELECT 1 FROM "status_list_order" "o" JOIN "status_list" "l" ON "l"."id" = "o"."list_id"
        WHERE ${isList(list)} AND "o"."restore_id" IS NOT NULL AND "o"."position" >= "o"."entries"`,
    )
    return rows.length > 0
  }

  private async attempt(
    wanted: readonly WantedIndex[],
    looks: number,
    registration: Registration | undefined,
  ): Promise<Attempt> {
    try {
      const taken = await this.database.write(async (connection) => {
        const all: Taken[] = []
        for (const one of wanted) {
          all.push({ ...(await this.takeOne(one, looks, connection)), purpose: one.purpose })
          noteExpiries(connection, one)
        }
        const indices = all.map(({ index }) => index)
        if (indices.includes(undefined)) throw new NothingTaken({ indices })
        if (registration) {
          const { account, credential } = registration
          await this.register.registerWithin(connection, account, credential, takenPlaces(all))
        }
        return all
      }, allocationLane(wanted))
      for (const [n, one] of wanted.entries()) {
        const { left } = taken[n] ?? {}
        if ('left' in one && left !== undefined) one.left?.(left)
      }
      if (registration) this.register.registered.add(takenPlaces(taken).length, 'issued')
      return { indices: taken.map(({ index }) => index) }
    } catch (error) {
      if (error instanceof NothingTaken) return error.attempt
      throw error
    }
  }

  private async takeOne(wanted: WantedIndex, looks: number, connection: Connection): Promise<Taken> {
    if ('index' in wanted) {
      const lists = await findListIds(wanted, connection)
      const free = await insertTaken(connection, lists, wanted.index)
      return { lists, index: free || wanted.again ? wanted.index : undefined }
    }
    const { order, lists, index, position } = await this.look(wanted, looks, connection)
    if (index === undefined) {
      if (order.atEnd || looks === Infinity) return { lists, index }
      throw new NothingTaken({ far: wanted })
    }
    await order.moveTo(position + 1)
    if (await insertTaken(connection, lists, index)) return { lists, index, left: order.left }
    throw new Error('an index that was free is taken in one and the same transaction')
  }

  /**
   * Moves the counter to the next free index, or to the end; indices before it are never checked again.
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
      const outcome = await this.database.write(step, allocationLane([wanted]))
      moved ||= outcome.moved
      if (outcome.there) return moved
    }
  }

  /** Finds the next free index in the order of the first list. */
  private async look(wanted: FreeIndex, looks: number, connection: Connection) {
    const lists = await findListIds(wanted, connection)
    const [list] = wanted.lists
    const [listId] = lists
    if (!list || listId === undefined) throw new RangeError('an index is wanted in at least one list')
    const order = await IndexOrder.of({ list, listId, entries: wanted.entries }, this.texts, connection)
    return { order, lists, ...(await order.look(lists, wanted.isUsed, looks)) }
  }
}

function noteExpiries(connection: Connection, { lists, expiry }: WantedIndex): void {
  if (expiry === undefined) return
  for (const list of lists) {
    const note = noteExpiry(list, expiry)
    if (note) connection.send(note)
  }
}

/** Each index once: a credential may have several entries at one position, which then has no single purpose. */
function takenPlaces(taken: readonly Taken[]): EntryPlace[] {
  const places = new Map<string, EntryPlace>()
  for (const { lists, index, purpose } of taken) {
    if (index === undefined) continue
    for (const listId of lists) {
      const key = `${listId} ${index}`
      const shared = places.get(key)
      places.set(key, { listId, index, purpose: shared && shared.purpose !== purpose ? undefined : purpose })
    }
  }
  return [...places.values()]
}

/** The purpose of the first list. */
function allocationLane(wanted: readonly WantedIndex[]): { lane?: string } {
  const [list] = wanted.flatMap(({ lists }) => lists)
  return list ? { lane: orderContext(list).join(' ') } : {}
}

async function findListIds({ lists }: WantedIndex, connection: Connection): Promise<ListId[]> {
  const ids: ListId[] = []
  for (const list of lists) ids.push(await findOrCreateListId(connection, list))
  return ids
}

/** @returns whether it was free in all lists */
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
