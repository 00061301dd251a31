import {
  type StatusListName,
  type Did,
  hashListId,
  type AddressedList,
  type PublicationOutbox,
  type PublishedSubject,
  type PublishedSubjects,
  type StatusListAddresses,
  queueName,
} from '@vidimus/core-types'
import { homeOf, sql, type Database, type SealedTexts } from '@vidimus/database'
import { createOrder } from './index-order.js'
import type { OwnerRow } from './sealed-list-column.js'

interface AddressRow {
  did: Did
  name: StatusListName
  resource_type: string
  url: string | null
}

interface FoundRow extends AddressRow {
  settled: number
}

/** Lists with https addresses. Rows are never deleted: credentials contain the addresses permanently. */
export class ListAddresses implements StatusListAddresses, PublishedSubjects {
  constructor(
    private readonly database: Database,
    private readonly orderTexts: SealedTexts<OwnerRow>,
    private readonly publication?: PublicationOutbox,
  ) {}

  /**
   * Between the first record and the final one, a concurrent creation of the same list may have recorded another value.
   */
  async note(
    list: AddressedList,
    { settled, entries }: { settled: boolean; entries?: number },
  ): Promise<void> {
    const { did, statusListName, resourceType, url = null } = list
    const id = hashListId(list)
    await this.database.write(
      async (connection) => {
        connection.send(sql`INSERT INTO "status_list_address"
          ("id", "home", "did", "name", "resource_type", "url", "settled")
          VALUES (${id}, ${homeOf(id)}, ${did}, ${statusListName}, ${resourceType}, ${url}, ${settled ? 1 : 0})
          ON CONFLICT ("id", "home") DO UPDATE SET "url" = excluded."url", "settled" = excluded."settled"
          WHERE "status_list_address"."settled" = 0`)
        if (entries !== undefined)
          await createOrder(connection, { did, statusListName, resourceType }, entries, this.orderTexts)
        if (!settled || url === null) return
        this.publication?.mark(connection, { kind: 'aggregation' })
        this.publication?.mark(connection, { kind: 'aggregation', did })
      },
      {
        lane: queueName('address of the status list', id),
        guarded: 'an address, a list and its order are a row each',
        spans: 'a reader has only the id of the list, and its order is in the home of the DID',
      },
    )
  }

  async find(id: string): ReturnType<StatusListAddresses['find']> {
    const [row] = await this.database.query<FoundRow>(
      sql`SELECT "did", "name", "resource_type", "url", "settled" FROM "status_list_address"
        WHERE "home" = ${homeOf(id)} AND "id" = ${id}`,
    )
    if (!row) return undefined
    const { did, name: statusListName, resource_type: resourceType, url, settled } = row
    return { did, statusListName, resourceType, ...(url !== null && { url }), settled: Number(settled) === 1 }
  }

  async urls({ resourceType, did }: Parameters<StatusListAddresses['urls']>[0]): Promise<string[]> {
    const ofDid = did === undefined ? sql`` : sql` AND "did" = ${did}`
    const rows = await this.database.query<{ url: string }>(
      sql`SELECT "url" FROM "status_list_address"
        WHERE "url" IS NOT NULL AND "settled" = 1 AND "resource_type" = ${resourceType}${ofDid} ORDER BY "id"`,
    )
    return rows.map(({ url }) => url)
  }

  /** All lists with an address here. */
  async page(after: PublishedSubject | undefined, limit: number): Promise<PublishedSubject[]> {
    const last = after?.kind === 'list' ? hashListId(after) : ''
    const rows = await this.database.query<AddressRow>(
      sql`SELECT "did", "name", "resource_type", "url" FROM "status_list_address" WHERE "id" > ${last}
        ORDER BY "id" LIMIT ${limit}`,
    )
    return rows.map(({ did, name: statusListName, resource_type: resourceType }) => ({
      kind: 'list',
      did,
      statusListName,
      resourceType,
    }))
  }
}

/** The aggregation of all lists, and one for each publisher with a name. */
export class Aggregations implements PublishedSubjects {
  constructor(private readonly database: Database) {}

  async page(after: PublishedSubject | undefined, limit: number): Promise<PublishedSubject[]> {
    const rows = await this.database.query<{ did: Did }>(
      sql`SELECT DISTINCT "did" FROM "status_list_address"
        WHERE "url" IS NOT NULL AND "did" > ${after?.did ?? ''} ORDER BY "did" LIMIT ${after ? limit : limit - 1}`,
    )
    const ofPublishers = rows.map(({ did }): PublishedSubject => ({ kind: 'aggregation', did }))
    return after ? ofPublishers : [{ kind: 'aggregation' }, ...ofPublishers]
  }
}
