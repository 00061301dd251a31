import { randomUUID } from 'node:crypto'
import {
  type StatusListName,
  type Did,
  placeText,
  readMemberName,
  readPlace,
  type Account,
  type MemberTemplate,
  type PageRange,
  type StatusListLocation,
  type StatusListSeries,
  type StatusListSeriesStore,
  type StoredMember,
  type UnpublishedMember,
  queueName,
} from '@vidimus/core-types'
import { homeOfDid, joinSql, readRows, sql, type Connection, type Database } from '@vidimus/database'
import { isMember, isSeries, MEMBER_COLUMNS, PUBLISHED, toMember, type MemberRow } from './member-rows.js'

interface SeriesRow {
  did: Did
  series: StatusListName
  resource_type: string
  template: string
  period: string | null
}

interface BegunRow {
  member: number | string
  resource_id: string
  presence: string | null
}

/**
 * Series and their members. Rows belong to the DID, as its lists do: every account with the DID uses the same series.
 * Unique indices decide which process publishes the next member, and which member a group uses.
 */
export class ListSeries implements StatusListSeriesStore {
  /** @param holders - the accounts with a DID */
  constructor(
    private readonly database: Database,
    readonly holders: (did: string) => Promise<Account[]>,
  ) {}

  async create({ name, template, period }: StatusListSeries, firstResourceId: string): Promise<boolean> {
    const { did, statusListName, resourceType } = name
    return this.write(name, async (connection) => {
      const created = await connection.run(
        sql`INSERT INTO "status_list_series" ("home", "did", "series", "resource_type", "template", "period")
          VALUES (${homeOfDid(did)}, ${did}, ${statusListName}, ${resourceType}, ${JSON.stringify(template)},
            ${period ?? null})
          ON CONFLICT ("home", "did", "series", "resource_type") DO NOTHING`.changing(homeOfDid(did)),
      )
      if (created === 1) await insertMember(connection, name, 1, firstResourceId)
      return created === 1
    })
  }

  async find(did: Did, names: readonly StatusListName[]): Promise<StatusListSeries[]> {
    const key = `series ${JSON.stringify([did, ...names])}`
    const rows = await this.database.remember([homeOfDid(did)], key, (reader) =>
      reader.query<SeriesRow>(
        sql`SELECT "did", "series", "resource_type", "template", "period" FROM "status_list_series"
          WHERE "home" = ${homeOfDid(did)} AND "did" = ${did} AND "series" IN (${joinSql(names)})
          ORDER BY "series", "resource_type"`,
      ),
    )
    return rows.map(({ series, resource_type: resourceType, template, period }) => ({
      name: { did, statusListName: series, resourceType },
      template: JSON.parse(template) as MemberTemplate,
      ...(period !== null && { period }),
    }))
  }

  async open(series: StatusListLocation, group: string, full?: number): Promise<number | undefined> {
    const known = full === undefined ? await openMember(this.database, series, group) : undefined
    if (known !== undefined) return known
    return this.write(series, async (connection) => {
      if (full !== undefined) {
        await connection.run(
          sql`UPDATE "status_list_member" SET "state" = 'full' WHERE ${isMember(series, full)} AND "state" = 'open'`,
        )
      }
      const open = await openMember(connection, series, group)
      if (open !== undefined) return open
      const ready = await readyMember(connection, series)
      if (ready === undefined) return undefined
      await connection.run(
        sql`UPDATE "status_list_member" SET "state" = 'open', "expiry_group" = ${group}
          WHERE ${isMember(series, ready)}`,
      )
      return ready
    })
  }

  async begin(series: StatusListLocation): Promise<UnpublishedMember | 'ready' | 'busy' | 'gone'> {
    const presence = await this.database.presence()
    const [begun] = await this.database.query<BegunRow>(begunMember(series))
    const holder = begun?.presence ?? null
    // Asked before the transaction, which runs statements alone; it is compared again there.
    const isBusy = holder !== null && holder !== presence && (await this.database.isPresent(holder))
    if (isBusy) return 'busy'
    return this.write(series, async (connection) => {
      if ((await readyMember(connection, series)) !== undefined) return 'ready'
      const [now] = await connection.query<BegunRow>(begunMember(series))
      if (now && now.presence !== null && now.presence !== holder && now.presence !== presence) return 'busy'
      if (!now) return beginNew(connection, series, presence)
      const n = Number(now.member)
      await connection.run(
        sql`UPDATE "status_list_member" SET "presence" = ${presence}
          WHERE ${isMember(series, n)} AND "state" = 'begun'`,
      )
      return { n, resourceId: now.resource_id }
    })
  }

  async end(series: StatusListLocation, n: number, outcome: 'published' | 'taken' | 'failed'): Promise<void> {
    const state = { published: 'ready', taken: 'taken', failed: 'begun' }[outcome]
    await this.write(series, (connection) =>
      connection.run(
        sql`UPDATE "status_list_member" SET "state" = ${state}, "presence" = NULL
          WHERE ${isMember(series, n)} AND "state" = 'begun'`,
      ),
    )
  }

  async drop(series: StatusListLocation): Promise<void> {
    await this.write(series, async (connection) => {
      const [used] = await connection.query(
        sql`SELECT 1 AS "n" FROM "status_list_member" WHERE ${isSeries(series)} AND ${PUBLISHED} LIMIT 1`,
      )
      if (used) return
      await connection.run(sql`DELETE FROM "status_list_member" WHERE ${isSeries(series)}`)
      await connection.run(
        sql`DELETE FROM "status_list_series" WHERE ${isSeries(series)}`.changing(homeOfDid(series.did)),
      )
    })
  }

  async resourceIdOf(series: StatusListLocation, n: number): Promise<string | undefined> {
    const [row] = await this.database.query<{ resource_id: string }>(
      sql`SELECT "resource_id" FROM "status_list_member" WHERE ${isMember(series, n)}`,
    )
    return row?.resource_id
  }

  async members(
    { did, statusListName, resourceType }: Partial<StatusListLocation> & ListName,
    page: PageRange,
  ): Promise<{ members: StoredMember[]; next?: string }> {
    const ofType = resourceType === undefined ? sql`` : sql`AND "resource_type" = ${resourceType}`
    const rows = (after: string | undefined) =>
      sql`SELECT ${MEMBER_COLUMNS} FROM "status_list_member"
        WHERE "home" = ${homeOfDid(did)} AND "did" = ${did} AND "series" = ${statusListName} ${ofType}
          AND ${PUBLISHED} ${after === undefined ? sql`` : olderThan(after)}
        ORDER BY "member" DESC, "resource_type" DESC`
    const placeOf = (row: MemberRow) => placeText([String(row.member), row.resource_type])
    const { items, next } = await readRows(this.database, { rows, placeOf, toItem: toMember }, page)
    return { members: items, ...(next !== undefined && { next }) }
  }

  async count(series: StatusListLocation): Promise<number> {
    const [row] = await this.database.query<{ n: number | string }>(
      sql`SELECT COUNT(*) AS "n" FROM "status_list_member" WHERE ${isSeries(series)} AND ${PUBLISHED}`,
    )
    return Number(row?.n)
  }

  async among(did: string, lists: readonly StatusListLocation[]): Promise<StoredMember[]> {
    const named = lists.flatMap(({ statusListName, resourceType }) => {
      const member = readMemberName(statusListName)
      return member ? [sql`(${member.series}, ${resourceType}, CAST(${member.n} AS INTEGER))`] : []
    })
    if (named.length === 0) return []
    const rows = await this.database.query<MemberRow>(
      sql`SELECT ${MEMBER_COLUMNS} FROM "status_list_member"
        WHERE "home" = ${homeOfDid(did)} AND "did" = ${did} AND ${PUBLISHED}
          AND ("series", "resource_type", "member") IN (VALUES ${joinSql(named)})`,
    )
    return rows.map(toMember)
  }

  async expired(by: Date, most: number): Promise<StoredMember[]> {
    const now = by.toISOString()
    const rows = await this.database.query<MemberRow>(
      sql`SELECT ${MEMBER_COLUMNS} FROM "status_list_member"
        WHERE "state" IN ('open', 'full') AND "last_expiry" <> 'never' AND "last_expiry" < ${now}
          AND ("state" = 'full' OR ("expiry_group" > '' AND "expiry_group" < ${now}))
        ORDER BY "last_expiry" LIMIT ${most}`,
    )
    return rows.map(toMember)
  }

  async close({ series, n }: StoredMember, by: Date): Promise<boolean> {
    const closed = await this.write(series, (connection) =>
      connection.run(
        sql`UPDATE "status_list_member" SET "state" = 'closed' WHERE ${isMember(series, n)}
          AND "state" IN ('open', 'full') AND "last_expiry" < ${by.toISOString()}`,
      ),
    )
    return closed === 1
  }

  private write<T>({ did }: StatusListLocation, work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.database.write(work, { lane: queueName('series of', did) })
  }
}

type ListName = Pick<StatusListLocation, 'did' | 'statusListName'>

const olderThan = (after: string) => {
  const [member = '', type = ''] = readPlace(after, 2)
  return sql`AND ("member", "resource_type") < (CAST(${Number(member) || 0} AS INTEGER), ${type})`
}

type Reading = Pick<Connection, 'query'>

const begunMember = (series: StatusListLocation) =>
  sql`SELECT "member", "resource_id", "presence" FROM "status_list_member"
    WHERE ${isSeries(series)} AND "state" = 'begun'`

async function openMember(
  reader: Reading,
  series: StatusListLocation,
  group: string,
): Promise<number | undefined> {
  const [row] = await reader.query<{ member: number | string }>(
    sql`SELECT "member" FROM "status_list_member"
      WHERE ${isSeries(series)} AND "state" = 'open' AND "expiry_group" = ${group}`,
  )
  return row && Number(row.member)
}

async function readyMember(reader: Reading, series: StatusListLocation): Promise<number | undefined> {
  const [row] = await reader.query<{ member: number | string }>(
    sql`SELECT "member" FROM "status_list_member" WHERE ${isSeries(series)} AND "state" = 'ready'
      ORDER BY "member" LIMIT 1`,
  )
  return row && Number(row.member)
}

async function beginNew(
  connection: Connection,
  series: StatusListLocation,
  presence: string,
): Promise<UnpublishedMember | 'gone'> {
  const [there] = await connection.query(
    sql`SELECT 1 AS "n" FROM "status_list_series" WHERE ${isSeries(series)}`,
  )
  if (!there) return 'gone'
  const [last] = await connection.query<{ member: number | string }>(
    sql`SELECT "member" FROM "status_list_member" WHERE ${isSeries(series)} ORDER BY "member" DESC LIMIT 1`,
  )
  const n = Number(last?.member ?? 0) + 1
  const resourceId = randomUUID()
  await insertMember(connection, series, n, resourceId, presence)
  return { n, resourceId }
}

/** @param presence - of the process that publishes it; absent: any may */
function insertMember(
  connection: Connection,
  { did, statusListName, resourceType }: StatusListLocation,
  n: number,
  resourceId: string,
  presence: string | null = null,
): Promise<number> {
  return connection.run(
    sql`INSERT INTO "status_list_member" ("home", "did", "series", "resource_type", "member", "state",
        "resource_id", "presence")
      VALUES (${homeOfDid(did)}, ${did}, ${statusListName}, ${resourceType}, ${n}, 'begun', ${resourceId},
        ${presence})`,
  )
}
