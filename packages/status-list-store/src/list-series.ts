import {
  overdueWork,
  type StatusListName,
  type Did,
  placeText,
  readMemberName,
  readPlace,
  type Account,
  type HeldMember,
  type MemberTemplate,
  type PageRange,
  type StatusListLocation,
  type StatusListSeries,
  type StatusListSeriesStore,
  type StoredMember,
  queueName,
} from '@vidimus/core-types'
import { homeOfDid, joinSql, readRows, sql, type Connection, type Database } from '@vidimus/database'
import { workOn, type HeldWork, type Work } from '@vidimus/work'
import { listOfWork, workOfList } from './list-row.js'
import {
  endMember,
  insertMember,
  isMember,
  isPublished,
  isSeries,
  MEMBER_COLUMNS,
  nextMember,
  openMember,
  PUBLISHED,
  readyMember,
  seriesItem,
  toMember,
  type MemberRow,
  type NextMember,
} from './member-rows.js'

interface SeriesRow {
  did: Did
  series: StatusListName
  resource_type: string
  template: string
  period: string | null
}

const SERIES = 'series'
/** Members that a process publishes in the background at the same time, and of these of one DID. */
const WORK = { most: 4, share: 3, isLong: true }

/**
 * Series and their members. Rows belong to the DID, as its lists do: every account with the DID uses the same series. Whoever holds
 * the item of a series publishes its next member; a unique index decides which member a group uses.
 */
export class ListSeries implements StatusListSeriesStore {
  private readonly work: Work

  /** @param holders - the accounts with a DID */
  constructor(
    private readonly database: Database,
    readonly holders: (did: string) => Promise<Account[]>,
  ) {
    this.work = workOn(database)
  }

  async create(
    { name, template, period }: StatusListSeries,
    firstResourceId: string,
  ): Promise<HeldMember | undefined> {
    const { did, statusListName, resourceType } = name
    const { callers } = this.work
    const held = await callers.begin(SERIES, seriesItem(name))
    const first = { n: 1, resourceId: firstResourceId, isFirst: true }
    const creating = this.write(name, async (connection) => {
      const created = await connection.run(
        sql`INSERT INTO "status_list_series" ("home", "did", "series", "resource_type", "template", "period")
          VALUES (${homeOfDid(did)}, ${did}, ${statusListName}, ${resourceType}, ${JSON.stringify(template)},
            ${period ?? null})
          ON CONFLICT ("home", "did", "series", "resource_type") DO NOTHING`.changing(homeOfDid(did)),
      )
      if (created === 0) return undefined
      await connection.run(insertMember(name, first))
      callers.add(connection, held)
      return this.toHeld(name, held, first)
    })
    return creating.catch(async (error: unknown) => {
      await callers.release(held)
      throw error
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

  async begin(series: StatusListLocation): Promise<HeldMember | 'ready' | 'busy' | 'gone'> {
    const { callers } = this.work
    const key = workOfList(series)
    if (!(await this.work.find(SERIES, key))) {
      const member = await this.next(series, await callers.begin(SERIES, seriesItem(series)), true)
      if (member !== 'busy') return member
    }
    const held = await callers.claim(SERIES, key)
    if (held) return this.next(series, held)
    return (await this.work.ended(SERIES, key)) ? this.begin(series) : 'busy'
  }

  async prepare(series: StatusListLocation): Promise<void> {
    const item = seriesItem(series)
    await this.write(series, async (connection) => {
      if ((await readyMember(connection, series)) !== undefined) return
      const now = new Date()
      this.work.add(connection, SERIES, { ...item, dueAt: now }, now)
    })
    this.work.wake()
  }

  run({ publish, failed }: Parameters<StatusListSeriesStore['run']>[0]): void {
    this.work.run({
      ...WORK,
      name: SERIES,
      handle: async (held) => {
        const series = listOfWork(held.item)
        const member = await this.next(series, held)
        if (typeof member === 'string') return { isDone: false }
        const found = await this.find(series.did, [series.statusListName])
        const one = found.find(({ name }) => name.resourceType === series.resourceType)
        const { payload: asker } = held.item
        const holders = (await this.holders(series.did)).sort(
          (a, b) => Number(b.id === asker) - Number(a.id === asker),
        )
        if (one) await publish(one, member, holders)
        return { isDone: held.isSettled }
      },
      onFailure: failed,
    })
  }

  stop(): Promise<void> {
    return this.work.stop(SERIES)
  }

  /** @param isNew - not added yet */
  private async next(
    series: StatusListLocation,
    held: HeldWork,
    isNew = false,
  ): Promise<HeldMember | 'ready' | 'busy' | 'gone'> {
    const { callers } = this.work
    try {
      const next = await this.write(series, async (connection) => {
        if (isNew && (await this.work.find(SERIES, workOfList(series), connection))) return 'busy'
        const found = await nextMember(connection, series)
        const isEnd = typeof found === 'string'
        if (!isNew) await (isEnd ? held.demandEnd(connection) : held.demandHeld(connection))
        else if (!isEnd) callers.add(connection, held)
        return found
      })
      return typeof next === 'string' ? next : this.toHeld(series, held, next)
    } catch (error) {
      await callers.release(held)
      if (overdueWork(error)) return 'busy'
      throw error
    }
  }

  private toHeld(series: StatusListLocation, held: HeldWork, member: NextMember): HeldMember {
    return {
      ...member,
      failures: held.item.attempts,
      record: held.whileHeld(),
      end: (state) =>
        this.write(series, async (connection) => {
          await held.demandEnd(connection)
          await connection.run(endMember(series, member.n, state))
        }),
      release: () => this.work.callers.release(held),
    }
  }

  async drop(series: StatusListLocation): Promise<void> {
    await this.write(series, async (connection) => {
      if (await isPublished(connection, series)) return
      this.work.remove(connection, SERIES, workOfList(series))
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
