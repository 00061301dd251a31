import {
  queueName,
  type HeldBeat,
  type PacedStatusList,
  type PlannedStoring,
  type StatusListLocation,
  type StatusListPace,
  type StatusListPaces,
  type Stored,
  type StoringRequest,
  type WaitingChange,
  type WaitingChanges,
} from '@vidimus/core-types'
import { homeOfDid, sql, type Connection, type Database, type Reader, type Sql } from '@vidimus/database'
import { workOn, type HeldWork, type Work } from '@vidimus/work'
import {
  findList,
  findOrCreateList,
  isList,
  listOfWork,
  ofList,
  SLOT,
  toLocation,
  workOfList,
  type ListKey,
  type ListNumber,
  type LocationRow,
} from './list-row.js'
import { deleteChanges, readChanges, storeChanges } from './waiting-rows.js'

/** How this process publishes lists: so many at the same time, and of these of one DID. */
const WORK = {
  most: 8,
  share: 6,
  leaseMs: () => 10_000,
  retry: () => ({ firstMs: 1000, mostMs: 60_000 }),
}

interface PaceRow {
  home: number
  list_id: ListNumber
  publish_every: string
  always: number
  started_at: string
  stored: ListNumber
  published: ListNumber
  hurried_until: string | null
}

/** With its item of work, if it has one. */
interface SlotRow extends PaceRow {
  beat_at: string | null
  holder: string | null
}

const COLUMNS = sql`"p"."home", "p"."list_id", "p"."publish_every", "p"."always", "p"."started_at", "p"."stored", "p"."published",
  "p"."hurried_until"`

/**
 * The paces of lists, and the changes that wait. A list has an item of work while something waits, or if versions are always due: it
 * is there with the transaction that stores a change, and gone with the one that notes the last as published. It counts from its beat
 * on (`since`), also when it is held or postponed.
 *
 * That a list has a pace is remembered, until rows of its DID change; the counters beside it are not, so that changes of these leave
 * what is remembered. Rows belong to the DID, not to an account, as those of renewals do.
 */
export class ListPaces implements StatusListPaces {
  private readonly work: Work

  constructor(
    private readonly database: Database,
    private readonly clock: () => Date,
  ) {
    this.work = workOn(database)
  }

  async note(
    list: StatusListLocation,
    { publishEvery, always, startedAt }: StatusListPace,
    { made, next }: { made: boolean; next: Date },
  ): Promise<void> {
    await this.write(list, async (connection) => {
      const { home, id } = await findOrCreateList(connection, list)
      const [noted] = await connection.query<Pick<PaceRow, 'stored' | 'published'>>(
        sql`INSERT INTO "status_list_pace"
        ("home", "list_id", "publish_every", "always", "started_at", "made", "stored", "published")
        VALUES (${home}, ${id}, ${publishEvery}, ${Number(always)}, ${startedAt.toISOString()}, ${Number(made)}, ${0}, ${0})
        ON CONFLICT ("home", "list_id") DO UPDATE SET "publish_every" = excluded."publish_every",
          "always" = excluded."always", "started_at" = excluded."started_at", "made" = excluded."made"
        WHERE "status_list_pace"."made" = 0 RETURNING "stored", "published"`.changing(home),
      )
      // What is stored was promised for the beat that it has.
      if (!noted || Number(noted.stored) > Number(noted.published)) return
      // An earlier attempt to create it may have had other beats.
      this.work.remove(connection, SLOT, workOfList(list))
      if (always) this.work.add(connection, SLOT, slotOf(list, next), this.clock())
    })
  }

  async dropNew(list: StatusListLocation): Promise<void> {
    await this.write(list, async (connection) => {
      const key = await findList(connection, list)
      if (!key) return
      // Whoever has stored a change took it for the pace of the list: then it is.
      const unused = sql`DELETE FROM "status_list_pace" WHERE ${ofList(key)} AND "made" = 0 AND "stored" = 0`
      const dropped = await connection.run(unused.changing(key.home))
      if (dropped > 0) this.work.remove(connection, SLOT, workOfList(list))
    })
  }

  forget(list: StatusListLocation): Promise<number> {
    return this.write(list, async (connection) => {
      const key = await findList(connection, list)
      if (!key) return 0
      const lost = await connection.run(sql`DELETE FROM "status_list_change" WHERE ${ofList(key)}`)
      await connection.run(sql`DELETE FROM "status_list_pace" WHERE ${ofList(key)}`.changing(key.home))
      this.work.remove(connection, SLOT, workOfList(list))
      return lost
    })
  }

  async of(list: StatusListLocation): Promise<StatusListPace | undefined> {
    const { did, statusListName, resourceType } = list
    const key = `pace of ${JSON.stringify([did, statusListName, resourceType])}`
    return this.database.remember([homeOfDid(did)], key, async (reader) => {
      const row = await findPace(reader, list)
      return row && toPace(row)
    })
  }

  async find(list: StatusListLocation): Promise<PacedStatusList | undefined> {
    const row = await findSlot(this.database, list)
    if (!row) return undefined
    const isWaiting = Number(row.stored) > Number(row.published)
    return {
      list,
      ...toPace(row),
      stored: Number(row.stored),
      published: Number(row.published),
      waiting: isWaiting ? await countChanges(this.database, row) : 0,
      ...(row.beat_at !== null && { beatAt: new Date(row.beat_at) }),
    }
  }

  async store<T>(
    { list, published, places, now, next }: StoringRequest,
    plan: (waiting: readonly WaitingChange[]) => PlannedStoring<T>,
  ): Promise<Stored<T> | undefined> {
    let isFirst = false
    const outcome = await this.write(list, async (connection) => {
      const row = await findSlot(connection, list)
      if (!row || Number(row.published) !== published) return undefined
      const waiting = await readChanges(connection, { list: keyOf(row), published }, places)
      const { result, changes, record } = plan(waiting)
      const number = Number(row.stored) + (changes.length > 0 ? 1 : 0)
      const beatAt = row.beat_at === null ? next : new Date(row.beat_at)
      isFirst = row.beat_at === null && changes.length > 0
      if (changes.length > 0) {
        await storeChanges(connection, keyOf(row), changes, number)
        await connection.run(
          sql`UPDATE "status_list_pace" SET "stored" = ${number},
          "waiting_since" = COALESCE("waiting_since", ${now.toISOString()}) WHERE ${ofList(keyOf(row))}`.changing(),
        )
        // Whoever claims it now either finds the changes, or this transaction finds that it is held.
        if (row.holder === null) this.work.ask(connection, SLOT, slotOf(list, beatAt), now)
      }
      if (record?.database === this.database) await record.made(connection)
      const waits = changes.length > 0 || waiting.length > 0
      // A beat that has come may have read the changes already.
      const visibleFrom = row.holder === null && beatAt > now ? beatAt : next
      const isHurried = row.hurried_until !== null && row.hurried_until > now.toISOString()
      return { result, number, isHurried, ...(waits && { visibleFrom }) }
    })
    if (isFirst) this.work.wake()
    return outcome
  }

  waiting(list: StatusListLocation, places?: readonly string[]): Promise<WaitingChanges> {
    return this.database.readConsistently(async (reader) => {
      const row = await findPace(reader, list)
      if (!row) return { published: 0, upTo: 0, changes: [] }
      const [published, upTo] = [Number(row.published), Number(row.stored)]
      const changes =
        upTo > published ? await readChanges(reader, { list: keyOf(row), published }, places) : []
      return { published, upTo, changes }
    })
  }

  async hurry(did: string, until: Date): Promise<void> {
    await this.database.write((connection) => connection.run(hurryLists(did, until)))
  }

  async waitingLists(did: string): Promise<StatusListLocation[]> {
    const rows = await this.database.query<LocationRow>(
      sql`SELECT "l"."did", "l"."name", "l"."resource_type" FROM "status_list" "l"
        JOIN "status_list_pace" "p" ON "p"."home" = "l"."home" AND "p"."list_id" = "l"."id"
        WHERE "l"."home" = ${homeOfDid(did)} AND "l"."did" = ${did} AND "p"."stored" > "p"."published" ORDER BY "l"."name", "l"."resource_type"`,
    )
    return rows.map(toLocation)
  }

  async settle(list: StatusListLocation, upTo: number): Promise<void> {
    const key = await findList(this.database, list)
    if (!key) return
    await this.write(list, async (connection) => {
      const [settled] = await connection.query<Pick<PaceRow, 'stored' | 'always'>>(
        sql`UPDATE "status_list_pace" SET "published" = ${upTo},
        "waiting_since" = CASE WHEN "stored" > ${upTo} THEN "waiting_since" ELSE NULL END
        WHERE ${ofList(key)} AND "published" < ${upTo} RETURNING "stored", "always"`.changing(),
      )
      if (settled && Number(settled.always) === 0 && Number(settled.stored) <= upTo)
        this.work.remove(connection, SLOT, workOfList(list))
    })
    // Only now: a call that has read an older version must find either its changes or a higher number.
    await deleteChanges((work) => this.write(list, work), key, upTo)
  }

  async run({ publish, failed }: Parameters<StatusListPaces['run']>[0]): Promise<void> {
    const running = this.work.run({
      ...WORK,
      name: SLOT,
      handle: async (held) => {
        const list = listOfWork(held.item)
        const pace = await this.of(list)
        if (!pace) return { isDone: false }
        return { isDone: true, again: againAt(await publish({ list, ...pace, ...toBeat(held) })) }
      },
      onFailure: failed,
      clock: this.clock,
    })
    await running.drain()
  }

  stop(): Promise<void> {
    return this.work.stop(SLOT)
  }

  private write<T>(
    { did, statusListName, resourceType }: StatusListLocation,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    return this.database.write(work, {
      lane: queueName('pace of', JSON.stringify([did, statusListName, resourceType])),
    })
  }
}

/** Storing a change reads the row in the same transaction, so it comes before this, or finds it. */
export const hurryLists = (did: string, until: Date): Sql =>
  sql`UPDATE "status_list_pace" SET "hurried_until" = ${until.toISOString()}
    WHERE "home" = ${homeOfDid(did)} AND "list_id" IN
      (SELECT "id" FROM "status_list" WHERE "home" = ${homeOfDid(did)} AND "did" = ${did})`.changing()

async function findPace(reader: Reader, list: StatusListLocation): Promise<PaceRow | undefined> {
  const [row] = await reader.query<PaceRow>(
    sql`SELECT ${COLUMNS} FROM "status_list" "l" JOIN "status_list_pace" "p"
      ON "p"."home" = "l"."home" AND "p"."list_id" = "l"."id" WHERE ${isList(list)}`,
  )
  return row
}

async function findSlot(reader: Reader, list: StatusListLocation): Promise<SlotRow | undefined> {
  const { home, key } = workOfList(list)
  const [row] = await reader.query<SlotRow>(
    sql`SELECT ${COLUMNS}, w.since AS beat_at, w.holder FROM "status_list" "l" JOIN "status_list_pace" "p"
      ON "p"."home" = "l"."home" AND "p"."list_id" = "l"."id"
      LEFT JOIN work_item w ON w.home = ${home} AND w.kind = ${SLOT} AND w.key = ${key} WHERE ${isList(list)}`,
  )
  return row
}

async function countChanges(reader: Reader, row: PaceRow): Promise<number> {
  const [counted] = await reader.query<{ n: ListNumber }>(
    sql`SELECT COUNT(*) AS "n" FROM "status_list_change" WHERE ${ofList(keyOf(row))} AND "number" > ${row.published}`,
  )
  return Number(counted?.n)
}

const againAt = (next: Date) => ({ dueAt: next, since: next })

const slotOf = (list: StatusListLocation, beatAt: Date) => ({ ...workOfList(list), ...againAt(beatAt) })

const toBeat = (held: HeldWork): Pick<HeldBeat, 'at' | 'withVersion'> => ({
  at: held.item.since ?? held.begun,
  withVersion: (next) => held.withVersion(() => ({ again: againAt(next) })),
})

const keyOf = ({ home, list_id: id }: PaceRow): ListKey => ({ home, id })

const toPace = ({ publish_every, always, started_at }: PaceRow): StatusListPace => ({
  publishEvery: publish_every,
  always: Number(always) === 1,
  startedAt: new Date(started_at),
})
