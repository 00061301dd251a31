import { AgentError } from '@vidimus/core-types'
import {
  sql,
  tableNamed,
  UNFINISHED_IMPORT,
  type Connection,
  type Database,
  type Reader,
} from '@vidimus/database'
import { quoted } from './quoted.js'

const TABLE = quoted(UNFINISHED_IMPORT)

/** Rows of each table that are in the database. */
export type ImportedRows = ReadonlyMap<string, number>

/** The mark in the database of an unfinished import: of which archive, and how many rows of each table. */
export class ImportMark {
  constructor(
    private readonly database: Database,
    /** the digest of the archive's content */
    private readonly archive: string,
  ) {}

  /** @throws AgentError `invalid_input` if the import of another archive was begun; `undefined`: none was */
  async find(): Promise<ImportedRows | undefined> {
    if (!(await this.exists(this.database))) return undefined
    const rows = await this.database.query<{ archive: string; table: string; rows: number }>(
      sql`SELECT "archive", "table_name" AS "table", "imported" AS "rows" FROM ${TABLE}`,
    )
    if (rows.some(({ archive }) => archive !== this.archive)) {
      throw new AgentError(
        'invalid_input',
        `the import of another archive into the database ${this.database.location} is not finished; finish it with ` +
          'that archive, or start over with an empty database',
      )
    }
    return new Map(rows.map(({ table, rows }) => [table, rows]))
  }

  /** In one transaction with what finds out that the database is empty. */
  async begin(connection: Connection, tables: readonly string[]): Promise<void> {
    await connection.run(sql`CREATE TABLE ${TABLE} (
      "table_name" TEXT PRIMARY KEY NOT NULL, "archive" TEXT NOT NULL, "imported" BIGINT NOT NULL)`)
    if (await isDistributed(connection, this.database.dialect)) await connection.query(MAKE_KNOWN)
    for (const table of tables) {
      await connection.run(
        sql`INSERT INTO ${TABLE} ("table_name", "archive", "imported") VALUES (${table}, ${this.archive}, 0)`,
      )
    }
  }

  /**
   * In one transaction with the rows.
   *
   * @throws AgentError `unavailable` if another process has imported meanwhile
   */
  async advance(connection: Connection, table: string, from: number, to: number): Promise<void> {
    const changed = await connection.run(
      sql`UPDATE ${TABLE} SET "imported" = CAST(${to} AS BIGINT)
        WHERE "table_name" = ${table} AND "archive" = ${this.archive} AND "imported" = CAST(${from} AS BIGINT)`,
    )
    if (changed !== 1) throw alreadyImporting(this.database)
  }

  /** From its COMMIT on, the service starts on the database. */
  async remove(connection: Connection): Promise<void> {
    await connection.run(sql`DROP TABLE ${TABLE}`)
  }

  private async exists(reader: Reader): Promise<boolean> {
    const rows = await reader.query(tableNamed(UNFINISHED_IMPORT, this.database.dialect))
    return rows.length > 0
  }
}

/** Otherwise workers of Citus would commit rows before the coordinator commits how many there are, which it may never do. */
const MAKE_KNOWN = sql`SELECT citus_add_local_table_to_metadata(${UNFINISHED_IMPORT})`

/** Whether rows of some tables are on other servers, those of Citus. */
async function isDistributed(connection: Connection, dialect: Database['dialect']): Promise<boolean> {
  if (dialect === 'sqlite') return false
  const extension = await connection.query(sql`SELECT 1 FROM pg_extension WHERE extname = 'citus'`)
  if (extension.length === 0) return false
  return (await connection.query(sql`SELECT 1 FROM pg_dist_partition LIMIT 1`)).length > 0
}

export const alreadyImporting = ({ location }: Database) =>
  new AgentError('unavailable', `another process is importing into the database ${location}`)
