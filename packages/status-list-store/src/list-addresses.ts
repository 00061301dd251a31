import { listIdOf, type AddressedList, type StatusListAddresses } from '@vidimus/core-types'
import { sql, type Database } from '@vidimus/database'

interface AddressRow {
  did: string
  name: string
  resource_type: string
  url: string | null
}

/** Which lists are found at https addresses. Rows stay: credentials name an address for good. */
export class ListAddresses implements StatusListAddresses {
  constructor(private readonly database: Database) {}

  /** Between a first note and the settled one another creation of the same list may have noted something else. */
  async note(list: AddressedList, { settled }: { settled: boolean }): Promise<void> {
    const { did, statusListName, resourceType, url = null } = list
    const id = listIdOf(list)
    await this.database.write(
      async (connection) => {
        await connection.run(sql`INSERT INTO "status_list_address"
          ("id", "did", "name", "resource_type", "url", "settled")
          VALUES (${id}, ${did}, ${statusListName}, ${resourceType}, ${url}, ${settled ? 1 : 0})
          ON CONFLICT ("id") DO UPDATE SET "url" = excluded."url", "settled" = excluded."settled"
          WHERE "status_list_address"."settled" = 0`)
      },
      { lane: `address of the status list ${id}` },
    )
  }

  async find(id: string): Promise<AddressedList | undefined> {
    const [row] = await this.database.query<AddressRow>(
      sql`SELECT "did", "name", "resource_type", "url" FROM "status_list_address" WHERE "id" = ${id}`,
    )
    if (!row) return undefined
    const { did, name: statusListName, resource_type: resourceType, url } = row
    return { did, statusListName, resourceType, ...(url !== null && { url }) }
  }

  async urls({ resourceType, did }: Parameters<StatusListAddresses['urls']>[0]): Promise<string[]> {
    const ofDid = did === undefined ? sql`` : sql` AND "did" = ${did}`
    const rows = await this.database.query<{ url: string }>(
      sql`SELECT "url" FROM "status_list_address"
        WHERE "url" IS NOT NULL AND "settled" = 1 AND "resource_type" = ${resourceType}${ofDid} ORDER BY "id"`,
    )
    return rows.map(({ url }) => url)
  }
}
