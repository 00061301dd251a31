import {
  type StatusListName,
  type Did,
  queueName,
  type DueBeat,
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
import { findList, findOrCreateList, isList, ofList, type ListKey, type ListNumber } from './list-row.js'
import { deleteChanges, insertChanges, readChanges } from './waiting-rows.js'

interface PaceRow {
  home: number
  list_id: ListNumber
  publish_every: string
  always: number
  started_at: string
  stored: ListNumber
  published: ListNumber
  beat_at: string | null
  hurried_until: string | null
}

interface DueRow extends PaceRow {
  did: Did
  name: StatusListName
  resource_type: string
}

const COLUMNS = sql`"p"."home", "p"."list_id", "p"."publish_every", "p"."always", "p"."started_at", "p"."stored", "p"."published",
  "p"."beat_at", "p"."hurried_until"`

/**
 * The paces of lists, and the changes that wait. That a list has a pace is remembered, until rows of its DID change; the
 * counters beside it are not, so that changes of these leave what is remembered. Rows belong to the DID, not to an account, as those of
 * renewals do.
 */
export class ListPaces implements StatusListPaces {
  constructor(private readonly database: Database) {}

  async note(
    list: StatusListLocation,
    { publishEvery, always, startedAt }: StatusListPace,
    { made, beatAt }: { made: boolean; beatAt?: Date | undefined },
  ): Promise<void> {
    await this.write(list, async (connection) => {
      const { home, id } = await findOrCreateList(connection, list)
      await connection.run(
        sql`INSERT INTO "status_list_pace"
        ("home", "list_id", "publish_every", "always", "started_at", "made", "stored", "published", "beat_at")
        VALUES (${home}, ${id}, ${publishEvery}, ${Number(always)}, ${startedAt.toISOString()}, ${Number(made)}, ${0}, ${0},
          ${beatAt?.toISOString() ?? null})
        ON CONFLICT ("home", "list_id") DO UPDATE SET "publish_every" = excluded."publish_every",
          "always" = excluded."always", "started_at" = excluded."started_at", "made" = excluded."made",
          "beat_at" = excluded."beat_at"
        WHERE "status_list_pace"."made" = 0`.changing(home),
      )
    })
  }

  async dropNew(list: StatusListLocation): Promise<void> {
    await this.write(list, async (connection) => {
      const key = await findList(connection, list)
      if (!key) return 0
      // Whoever has stored a change took it for the pace of the list: then it is.
      const unused = sql`DELETE FROM "status_list_pace" WHERE ${ofList(key)} AND "made" = 0 AND "stored" = 0`
      return connection.run(unused.changing(key.home))
    })
  }

  forget(list: StatusListLocation): Promise<number> {
    return this.write(list, async (connection) => {
      const key = await findList(connection, list)
      if (!key) return 0
      const lost = await connection.run(sql`DELETE FROM "status_list_change" WHERE ${ofList(key)}`)
      await connection.run(sql`DELETE FROM "status_list_pace" WHERE ${ofList(key)}`.changing(key.home))
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
    plan: (waiting: readonly WaitingChange[]) => PlannedStoring<T>,
  ): Promise<Stored<T> | undefined> {
    return this.write(list, async (connection) => {
      const row = await findPace(connection, list)
      if (!row || Number(row.published) !== published) return undefined
      const waiting = await readChanges(connection, { list: keyOf(row), published }, places)
      const { result, changes, record } = plan(waiting)
      const number = Number(row.stored) + (changes.length > 0 ? 1 : 0)
      const beatAt = row.beat_at ?? next.toISOString()
      if (changes.length > 0) {
        for (const statement of insertChanges(keyOf(row), changes, number)) await connection.run(statement)
        await connection.run(
          sql`UPDATE "status_list_pace" SET "stored" = ${number}, "beat_at" = ${beatAt},
          "waiting_since" = COALESCE("waiting_since", ${now.toISOString()}) WHERE ${ofList(keyOf(row))}`.changing(),
        )
      }
      if (record?.database === this.database) await record.made(connection)
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
        upTo > published ? await readChanges(reader, { list: keyOf(row), published }, places) : []
      return { published, upTo, changes }
    })
  }

  async hurry(did: string, until: Date): Promise<void> {
    await this.database.write((connection) => connection.run(hurryLists(did, until)))
  }

  async waitingLists(did: string): Promise<StatusListLocation[]> {
    const rows = await this.database.query<DueRow>(
      sql`SELECT "l"."did", "l"."name", "l"."resource_type" FROM "status_list" "l"
        JOIN "status_list_pace" "p" ON "p"."home" = "l"."home" AND "p"."list_id" = "l"."id"
        WHERE "l"."home" = ${homeOfDid(did)} AND "l"."did" = ${did} AND "p"."stored" > "p"."published" ORDER BY "l"."name", "l"."resource_type"`,
    )
    return rows.map(toLocation)
  }

  async settle(list: StatusListLocation, upTo: number): Promise<void> {
    const key = await findList(this.database, list)
    if (!key) return
    const left = sql`"stored" > ${upTo}`
    await this.write(list, (connection) =>
      connection.run(
        sql`UPDATE "status_list_pace" SET "published" = ${upTo},
        "waiting_since" = CASE WHEN ${left} THEN "waiting_since" ELSE NULL END,
        "beat_at" = CASE WHEN "always" = 1 OR ${left} THEN "beat_at" ELSE NULL END,
        "claimed_until" = CASE WHEN "always" = 1 OR ${left} THEN "claimed_until" ELSE NULL END
        WHERE ${ofList(key)} AND "published" < ${upTo}`.changing(),
      ),
    )
    // Only now: a call that has read an older version must find either its changes or a higher number.
    await deleteChanges((work) => this.write(list, work), key, upTo)
  }

  async due(by: Date, now: Date, most: number): Promise<DueBeat[]> {
    const rows = await this.database.query<DueRow>(
      sql`SELECT ${COLUMNS}, "l"."did", "l"."name", "l"."resource_type" FROM "status_list_pace" "p"
        JOIN "status_list" "l" ON "l"."home" = "p"."home" AND "l"."id" = "p"."list_id"
        WHERE "p"."beat_at" <= ${by.toISOString()} AND ${unclaimed(now)} ORDER BY "p"."beat_at" LIMIT ${most}`,
    )
    return rows.flatMap((row) =>
      row.beat_at === null ? [] : [{ list: toLocation(row), ...toPace(row), at: new Date(row.beat_at) }],
    )
  }

  async claim(beat: DueBeat, now: Date, until: Date): Promise<boolean> {
    const claimed = await this.write(beat.list, (connection) =>
      connection.run(
        sql`UPDATE "status_list_pace" AS "p" SET "claimed_until" = ${until.toISOString()}
        WHERE ${isBeat(beat)} AND ${unclaimed(now)}`.changing(),
      ),
    )
    return claimed === 1
  }

  async advance(beat: DueBeat, next: Date): Promise<void> {
    await this.write(beat.list, (connection) =>
      connection.run(
        sql`UPDATE "status_list_pace" AS "p" SET "claimed_until" = NULL,
        "beat_at" = CASE WHEN "p"."always" = 1 OR "p"."stored" > "p"."published" THEN ${next.toISOString()} ELSE NULL END
        WHERE ${isBeat(beat)}`.changing(),
      ),
    )
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

async function countChanges(reader: Reader, row: PaceRow): Promise<number> {
  const [counted] = await reader.query<{ n: ListNumber }>(
    sql`SELECT COUNT(*) AS "n" FROM "status_list_change" WHERE ${ofList(keyOf(row))} AND "number" > ${row.published}`,
  )
  return Number(counted?.n)
}

const unclaimed = (now: Date): Sql =>
  sql`("p"."claimed_until" IS NULL OR "p"."claimed_until" <= ${now.toISOString()})`

const isBeat = ({ list, at }: DueBeat): Sql => sql`"p"."beat_at" = ${at.toISOString()}
  AND "p"."home" = ${homeOfDid(list.did)} AND "p"."list_id" = (SELECT "l"."id" FROM "status_list" "l" WHERE ${isList(list)})`

const keyOf = ({ home, list_id: id }: PaceRow): ListKey => ({ home, id })

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
