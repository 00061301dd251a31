import {
  currentAccount,
  type Did,
  type FreeIndex,
  type KeyEnvelope,
  type NamedIndex,
  type NewRegistration,
  type StatusListIndices,
  type StatusListLocation,
  type WantedIndex,
  queueName,
} from '@vidimus/core-types'
import {
  joinSql,
  SealedTexts,
  sql,
  type Connection,
  type Database,
  type Sql,
  type WriteOptions,
} from '@vidimus/database'
import type { CredentialRegister } from './credential-register.js'
import { countInOrder, orderContext, IndexOrder } from './index-order.js'
import { NearlyFullLists, readFills } from './list-fill.js'
import { findOrCreateList, isList, type ListKey, type ListNumber, type LocatedKey } from './list-row.js'
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
  /** so many indices before free ones are taken that the search continues in separate transactions */
  | { far: readonly FreeIndex[] }

/** A running transaction, and those whom it tells that lists are nearly full. */
interface Taking {
  connection: Connection
  nearlyFull: NearlyFullLists
}

/** Registers a credential once its indices are taken, in the same transaction. */
interface Registration {
  account: string
  credential: NewRegistration
}

/** A taken index, and the lists in which it was taken. */
interface Taken {
  index: number | undefined
  lists: readonly LocatedKey[]
  purpose?: string | undefined
  /** indices that were not passed over yet */
  left?: number | undefined
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

  fills(did: Did, lists: readonly StatusListLocation[]) {
    return readFills(this.database, did, lists)
  }

  async hasEndedByRestore(list: StatusListLocation): Promise<boolean> {
    const rows = await this.database.query(
      sql`SELECT 1 FROM "status_list_order" "o"
        JOIN "status_list" "l" ON "l"."home" = "o"."home" AND "l"."id" = "o"."list_id" WHERE ${isList(list)} AND "o"."restore_id" IS NOT NULL AND "o"."position" >= "o"."entries"`,
    )
    return rows.length > 0
  }

  private async attempt(
    wanted: readonly WantedIndex[],
    looks: number,
    registration: Registration | undefined,
  ): Promise<Attempt> {
    try {
      const { taken, nearlyFull } = await this.database.write(async (connection) => {
        const nearlyFull = new NearlyFullLists(this.database, connection)
        const all = await this.takeAll(wanted, looks, { connection, nearlyFull })
        const indices = all.map(({ index }) => index)
        if (indices.includes(undefined)) throw new NothingTaken({ indices })
        if (registration) {
          const { account, credential } = registration
          await this.register.registerWithin(connection, account, credential, takenPlaces(all))
        }
        return { taken: all, nearlyFull }
      }, allocation(wanted))
      await nearlyFull.tellElsewhere()
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

  /** Named indices first: then free ones are others. Free ones of the same lists are taken together. */
  private async takeAll(wanted: readonly WantedIndex[], looks: number, taking: Taking): Promise<Taken[]> {
    const taken: Taken[] = []
    const free = new Map<string, { n: number; one: FreeIndex }[]>()
    for (const [n, one] of wanted.entries()) {
      if ('index' in one) taken[n] = await this.takeNamed(one, taking)
      else {
        const key = JSON.stringify([one.entries, one.lists.map(orderContext)])
        free.set(key, [...(free.get(key) ?? []), { n, one }])
      }
    }
    for (const group of free.values()) {
      const found = await this.takeFree(
        group.map(({ one }) => one),
        looks * group.length,
        taking,
      )
      for (const [place, { n, one }] of group.entries()) {
        const { lists, indices, left } = found
        taken[n] = { lists, left, index: indices[place], purpose: one.purpose }
      }
    }
    return taken
  }

  /** @param group - of the same lists */
  private async takeFree(group: readonly FreeIndex[], looks: number, taking: Taking) {
    const { connection, nearlyFull } = taking
    const { order, first, lists, indices, position, counted } = await this.look(group, looks, connection)
    if (indices.length < group.length) {
      if (order.atEnd || looks === Infinity) return { lists, indices }
      throw new NothingTaken({ far: group })
    }
    const [ordered, ...others] = lists
    await order.moveTo(position + 1, counted, nearlyFull.teller(first, ordered))
    await this.count(first, others, indices.length, taking)
    noteExpiries(connection, group)
    const inserted = await connection.run(takenRows(lists, indices))
    if (inserted === lists.length * indices.length) return { lists, indices, left: order.left }
    throw new Error('an index that was free is taken in one and the same transaction')
  }

  private async takeNamed(wanted: NamedIndex, taking: Taking): Promise<Taken> {
    const { connection } = taking
    const { index, again, purpose } = wanted
    noteExpiries(connection, [wanted])
    const lists = await findLists(wanted, connection)
    const inserted = await connection.query<{ list_id: ListNumber }>(
      sql`${takenRows(lists, [index])} RETURNING "list_id"`,
    )
    const isFree = inserted.length === lists.length
    if (!isFree && !again) return { lists, index: undefined, purpose }
    const ids = new Set(inserted.map((row) => String(row.list_id)))
    const free = lists.filter(({ id }) => ids.has(String(id)))
    await this.count(wanted, free, 1, taking)
    return { lists, index, purpose }
  }

  /** Counts indices in the lists that did not choose them by their order. */
  private async count(
    wanted: WantedIndex,
    lists: readonly LocatedKey[],
    count: number,
    { connection, nearlyFull }: Taking,
  ): Promise<void> {
    const { entries = 0 } = wanted
    const parts = { texts: this.texts, connection }
    for (const list of lists)
      await countInOrder(list, { count, entries }, parts, nearlyFull.teller(wanted, list))
  }

  /**
   * Moves the counter to the next free index, or to the end; indices before it are never checked again.
   *
   * @returns whether it has moved
   */
  private async goTo(wanted: readonly FreeIndex[]): Promise<boolean> {
    const step = async (connection: Connection) => {
      const nearlyFull = new NearlyFullLists(this.database, connection)
      const looked = await this.look(wanted.slice(0, 1), LOOKS, connection)
      const { order, first, lists, indices, position, counted } = looked
      const moved = position > order.position
      await order.moveTo(position, counted, nearlyFull.teller(first, lists[0]))
      return { moved, there: indices.length > 0 || order.atEnd, nearlyFull }
    }
    let moved = false
    for (;;) {
      const outcome = await this.database.write(step, allocation(wanted))
      await outcome.nearlyFull.tellElsewhere()
      moved ||= outcome.moved
      if (outcome.there) return moved
    }
  }

  /** Finds the next free indices in the order of the first list. */
  private async look(group: readonly FreeIndex[], looks: number, connection: Connection) {
    const [first] = group
    const [list, ...others] = first ? await findLists(first, connection) : []
    if (!first || !list) throw new RangeError('an index is wanted in at least one list')
    const lists = [list, ...others] as const
    const order = await IndexOrder.of({ list, entries: first.entries }, this.texts, connection)
    const isUsed = (index: number) => group.some((one) => one.isUsed(index))
    return { first, order, lists, ...(await order.look(lists, isUsed, { count: group.length, looks })) }
  }
}

/** @param wanted - in the same lists */
function noteExpiries(connection: Connection, wanted: readonly WantedIndex[]): void {
  const lists = wanted[0]?.lists ?? []
  for (const expiry of new Set(wanted.map((one) => one.expiry))) {
    if (expiry === undefined) continue
    for (const list of lists) {
      const note = noteExpiry(list, expiry)
      if (note) connection.send(note)
    }
  }
}

/** Each index once: a credential may have several entries at one position, which then has no single purpose. */
function takenPlaces(taken: readonly Taken[]): EntryPlace[] {
  const places = new Map<string, EntryPlace>()
  for (const { lists, index, purpose } of taken) {
    if (index === undefined) continue
    for (const list of lists) {
      const key = `${list.home} ${list.id} ${index}`
      const shared = places.get(key)
      places.set(key, { list, index, purpose: shared && shared.purpose !== purpose ? undefined : purpose })
    }
  }
  return [...places.values()]
}

/** The purpose of the first list. */
function allocation(wanted: readonly WantedIndex[]): WriteOptions {
  const [list] = wanted.flatMap(({ lists }) => lists)
  const spans =
    'all indices of a credential, or none; and its key, if the register of the account has none yet'
  const guarded =
    'an index is a row of its own, and the row of the order moves with every one that is found in it'
  return { ...(list && { lane: queueName(...orderContext(list)), guarded }), spans }
}

async function findLists({ lists }: WantedIndex, connection: Connection): Promise<LocatedKey[]> {
  const keys: LocatedKey[] = []
  for (const location of lists) keys.push({ ...(await findOrCreateList(connection, location)), location })
  return keys
}

/** Inserts the rows of those that are free. */
const takenRows = (lists: readonly ListKey[], indices: readonly number[]): Sql =>
  sql`INSERT INTO "status_list_taken_index" ("home", "list_id", "list_index") VALUES ${joinSql(
    lists.flatMap(({ home, id }) => indices.map((index) => sql`(${home}, ${id}, ${index})`)),
  )} ON CONFLICT ("home", "list_id", "list_index") DO NOTHING`
