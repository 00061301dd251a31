import type {
  ChangeToStore,
  DueBeat,
  PacedStatusList,
  StatusListLocation,
  StatusListPace,
  StatusListPaces,
  Stored,
  StoringRequest,
  WaitingChange,
  WaitingChanges,
} from '@vidimus/core-types'
import { sql, type Connection, type Database, type Reader, type Sql } from '@vidimus/database'
import { findListId, findOrCreateListId, isList, type ListId } from './list-row.js'
import { deleteChanges, insertChanges, readChanges } from './waiting-rows.js'

interface PaceRow {
  list_id: ListId
  publish_every: string
  always: number
  started_at: string
  stored: ListId
  published: ListId
  beat_at: string | null
  hurried_until: string | null
}

interface DueRow extends PaceRow {
  did: string
  name: string
  resource_type: string
}

const COLUMNS = sql`"p"."list_id", "p"."publish_every", "p"."always", "p"."started_at", "p"."stored", "p"."published",
  "p"."beat_at", "p"."hurried_until"`

/** The paces of lists, and the changes that wait. Rows belong to the DID, not to an account, as those of renewals do. */
export class ListPaces implements StatusListPaces {
  constructor(private readonly database: Database) {}

  async note(
    list: StatusListLocation,
    { publishEvery, always, startedAt }: StatusListPace,
    { made, beatAt }: { made: boolean; beatAt?: Date | undefined },
  ): Promise<void> {
    await this.write(list, async (connection) => {
      const id = await findOrCreateListId(connection, list)
      await connection.run(sql`INSERT INTO "status_list_pace"
        ("list_id", "publish_every", "always", "started_at", "made", "stored", "published", "beat_at")
        VALUES (${id}, ${publishEvery}, ${Number(always)}, ${startedAt.toISOString()}, ${Number(made)}, ${0}, ${0},
          ${beatAt?.toISOString() ?? null})
        ON CONFLICT ("list_id") DO UPDATE SET "publish_every" = excluded."publish_every",
          "always" = excluded."always", "started_at" = excluded."started_at", "made" = excluded."made",
          "beat_at" = excluded."beat_at"
        WHERE "status_list_pace"."made" = 0`)
    })
  }

  async dropNew(list: StatusListLocation): Promise<void> {
    await this.write(list, async (connection) => {
      const id = await findListId(connection, list)
      if (id === undefined) return 0
      return connection.run(sql`DELETE FROM "status_list_pace" WHERE "list_id" = ${id} AND "made" = 0`)
    })
  }

  forget(list: StatusListLocation): Promise<number> {
    return this.write(list, async (connection) => {
      const id = await findListId(connection, list)
      if (id === undefined) return 0
      const lost = await connection.run(sql`DELETE FROM "status_list_change" WHERE "list_id" = ${id}`)
      await connection.run(sql`DELETE FROM "status_list_pace" WHERE "list_id" = ${id}`)
      return lost
    })
  }

  async find(list: StatusListLocation): Promise<PacedStatusList | undefined> {
    const row = await findPace(this.database, list)
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

  store<T>(
    { list, published, places, now, next }: StoringRequest,
    plan: (waiting: readonly WaitingChange[]) => { result: T; changes: readonly ChangeToStore[] },
  ): Promise<Stored<T> | undefined> {
    return this.write(list, async (connection) => {
      const row = await findPace(connection, list)
      if (!row || Number(row.published) !== published) return undefined
      const waiting = await readChanges(connection, { id: row.list_id, published }, places)
      const { result, changes } = plan(waiting)
      const number = Number(row.stored) + (changes.length > 0 ? 1 : 0)
      const beatAt = row.beat_at ?? next.toISOString()
      if (changes.length > 0) {
        for (const statement of insertChanges(row.list_id, changes, number)) await connection.run(statement)
        await connection.run(sql`UPDATE "status_list_pace" SET "stored" = ${number}, "beat_at" = ${beatAt},
          "waiting_since" = COALESCE("waiting_since", ${now.toISOString()}) WHERE "list_id" = ${row.list_id}`)
      }
      const waits = changes.length > 0 || waiting.length > 0
      // A beat that has come may have read the changes already.
      const visibleFrom = beatAt > now.toISOString() ? new Date(beatAt) : next
      const isHurried = row.hurried_until !== null && row.hurried_until > now.toISOString()
      return { result, number, isHurried, ...(waits && { visibleFrom }) }
    })
  }

  waiting(list: StatusListLocation, places?: readonly string[]): Promise<WaitingChanges> {
    return this.database.readConsistently(async (reader) => {
      const row = await findPace(reader, list)
      if (!row) return { published: 0, upTo: 0, changes: [] }
      const [published, upTo] = [Number(row.published), Number(row.stored)]
      const changes =
        upTo > published ? await readChanges(reader, { id: row.list_id, published }, places) : []
      return { published, upTo, changes }
    })
  }

  async hurry(did: string, until: Date): Promise<void> {
    await this.database.write((connection) => connection.run(hurryLists(sql`"did" = ${did}`, until)))
  }

  async waitingLists(did: string): Promise<StatusListLocation[]> {
    const rows = await this.database.query<DueRow>(
      sql`SELECT "l"."did", "l"."name", "l"."resource_type" FROM "status_list" "l"
        JOIN "status_list_pace" "p" ON "p"."list_id" = "l"."id"
        WHERE "l"."did" = ${did} AND "p"."stored" > "p"."published" ORDER BY "l"."name", "l"."resource_type"`,
    )
    return rows.map(toLocation)
  }

  async settle(list: StatusListLocation, upTo: number): Promise<void> {
    const id = await findListId(this.database, list)
    if (id === undefined) return
    const left = sql`"stored" > ${upTo}`
    await this.write(list, (connection) =>
      connection.run(sql`UPDATE "status_list_pace" SET "published" = ${upTo},
        "waiting_since" = CASE WHEN ${left} THEN "waiting_since" ELSE NULL END,
        "beat_at" = CASE WHEN "always" = 1 OR ${left} THEN "beat_at" ELSE NULL END,
        "claimed_until" = CASE WHEN "always" = 1 OR ${left} THEN "claimed_until" ELSE NULL END
        WHERE "list_id" = ${id} AND "published" < ${upTo}`),
    )
    // Only now: a call that has read an older version must find either its changes or a higher number.
    await deleteChanges((work) => this.write(list, work), id, upTo)
  }

  async due(by: Date, now: Date, most: number): Promise<DueBeat[]> {
    const rows = await this.database.query<DueRow>(
      sql`SELECT ${COLUMNS}, "l"."did", "l"."name", "l"."resource_type" FROM "status_list_pace" "p"
        JOIN "status_list" "l" ON "l"."id" = "p"."list_id"
        WHERE "p"."beat_at" <= ${by.toISOString()} AND ${unclaimed(now)} ORDER BY "p"."beat_at" LIMIT ${most}`,
    )
    return rows.flatMap((row) =>
      row.beat_at === null ? [] : [{ list: toLocation(row), ...toPace(row), at: new Date(row.beat_at) }],
    )
  }

  async claim(beat: DueBeat, now: Date, until: Date): Promise<boolean> {
    const claimed = await this.write(beat.list, (connection) =>
      connection.run(sql`UPDATE "status_list_pace" AS "p" SET "claimed_until" = ${until.toISOString()}
        WHERE ${isBeat(beat)} AND ${unclaimed(now)}`),
    )
    return claimed === 1
  }

  async advance(beat: DueBeat, next: Date): Promise<void> {
    await this.write(beat.list, (connection) =>
      connection.run(sql`UPDATE "status_list_pace" AS "p" SET "claimed_until" = NULL,
        "beat_at" = CASE WHEN "p"."always" = 1 OR "p"."stored" > "p"."published" THEN ${next.toISOString()} ELSE NULL END
        WHERE ${isBeat(beat)}`),
    )
  }

  private write<T>(
    { did, statusListName, resourceType }: StatusListLocation,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    return this.database.write(work, {
      lane: `pace of ${JSON.stringify([did, statusListName, resourceType])}`,
    })
  }
}

/** Storing a change reads the row in the same transaction, so it comes before this, or finds it. */
export const hurryLists = (lists: Sql, until: Date): Sql =>
  sql`UPDATE "status_list_pace" SET "hurried_until" = ${until.toISOString()}
    WHERE "list_id" IN (SELECT "id" FROM "status_list" WHERE ${lists})`

async function findPace(reader: Reader, list: StatusListLocation): Promise<PaceRow | undefined> {
  const [row] = await reader.query<PaceRow>(
    sql`SELECT ${COLUMNS} FROM "status_list" "l" JOIN "status_list_pace" "p" ON "p"."list_id" = "l"."id"
      WHERE ${isList(list)}`,
  )
  return row
}

async function countChanges(reader: Reader, { list_id, published }: PaceRow): Promise<number> {
  const [row] = await reader.query<{ n: ListId }>(
    sql`SELECT COUNT(*) AS "n" FROM "status_list_change" WHERE "list_id" = ${list_id} AND "number" > ${published}`,
  )
  return Number(row?.n)
}

const unclaimed = (now: Date): Sql =>
  sql`("p"."claimed_until" IS NULL OR "p"."claimed_until" <= ${now.toISOString()})`

const isBeat = ({ list, at }: DueBeat): Sql => sql`"p"."beat_at" = ${at.toISOString()} AND "p"."list_id" =
  (SELECT "l"."id" FROM "status_list" "l" WHERE ${isList(list)})`

const toPace = ({ publish_every, always, started_at }: PaceRow): StatusListPace => ({
  publishEvery: publish_every,
  always: Number(always) === 1,
  startedAt: new Date(started_at),
})

const toLocation = ({ did, name, resource_type }: DueRow): StatusListLocation => ({
  did,
  statusListName: name,
  resourceType: resource_type,
})
