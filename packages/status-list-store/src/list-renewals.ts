import {
  type StatusListName,
  type Did,
  queueName,
  type Account,
  type StatusListLocation,
  type StatusListRenewal,
  type StatusListRenewals,
} from '@vidimus/core-types'
import { homeOfDid, sql, type Database, type Sql } from '@vidimus/database'

interface RenewalRow {
  did: Did
  name: StatusListName
  resource_type: string
  span_ms: number | string | null
  renew_at: string
}

interface HolderRow {
  id: string
  name: string
  created_at: string
}

const isRow = ({ did, statusListName, resourceType }: StatusListLocation): Sql =>
  sql`"home" = ${homeOfDid(did)} AND "did" = ${did} AND "name" = ${statusListName}
    AND "resource_type" = ${resourceType}`

const COLUMNS = sql`"did", "name", "resource_type", "span_ms", "renew_at"`

/** When lists must be signed again. Rows belong to the DID, not to an account: any account with the DID may sign. */
export class ListRenewals implements StatusListRenewals {
  constructor(private readonly database: Database) {}

  async note({ list, spanMs, at }: StatusListRenewal): Promise<void> {
    const { did, statusListName, resourceType } = list
    await this.write(
      list,
      sql`INSERT INTO "status_list_renewal" ("home", ${COLUMNS})
        VALUES (${homeOfDid(did)}, ${did}, ${statusListName}, ${resourceType}, ${spanMs ?? null}, ${at.toISOString()})
        ON CONFLICT ("home", "did", "name", "resource_type") DO NOTHING`,
    )
  }

  async find(list: StatusListLocation): Promise<StatusListRenewal | undefined> {
    const [row] = await this.database.query<RenewalRow>(
      sql`SELECT ${COLUMNS} FROM "status_list_renewal" WHERE ${isRow(list)}`,
    )
    return row && rowRenewal(row)
  }

  async due(by: Date, most: number): Promise<StatusListRenewal[]> {
    const rows = await this.database.query<RenewalRow>(
      sql`SELECT ${COLUMNS} FROM "status_list_renewal" WHERE "renew_at" <= ${by.toISOString()}
        ORDER BY "renew_at" LIMIT ${most}`,
    )
    return rows.map(rowRenewal)
  }

  async claim({ list, at }: StatusListRenewal, until: Date): Promise<boolean> {
    const claimed = await this.write(
      list,
      sql`UPDATE "status_list_renewal" SET "renew_at" = ${until.toISOString()}
        WHERE ${isRow(list)} AND "renew_at" = ${at.toISOString()}`,
    )
    return claimed === 1
  }

  async settle({ list, spanMs, at }: StatusListRenewal): Promise<void> {
    await this.write(
      list,
      sql`UPDATE "status_list_renewal" SET "renew_at" = ${at.toISOString()}, "span_ms" = ${spanMs ?? null}
        WHERE ${isRow(list)}`,
    )
  }

  async forget(list: StatusListLocation): Promise<void> {
    await this.write(list, sql`DELETE FROM "status_list_renewal" WHERE ${isRow(list)}`)
  }

  async holders(did: string): Promise<Account[]> {
    const rows = await this.database.query<HolderRow>(
      sql`SELECT a.id, a.name, a.created_at FROM account_did d JOIN account a ON a.id = d.account_id
        WHERE d.home = ${homeOfDid(did)} AND d.did = ${did} AND d.pending = 0 ORDER BY d.account_id`,
    )
    return rows.map(({ id, name, created_at: createdAt }) => ({ id, name, createdAt }))
  }

  private write({ did }: StatusListLocation, statement: Sql): Promise<number> {
    return this.database.write((connection) => connection.run(statement), {
      lane: queueName('renewals of', did),
    })
  }
}

const rowRenewal = ({ did, name, resource_type, span_ms, renew_at }: RenewalRow): StatusListRenewal => ({
  list: { did, statusListName: name, resourceType: resource_type },
  ...(span_ms !== null && { spanMs: Number(span_ms) }),
  at: new Date(renew_at),
})
