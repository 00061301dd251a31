import { randomUUID } from 'node:crypto'
import { AgentError } from '@vidimus/core-types'
import {
  joinSql,
  sql,
  Sql,
  tableNamed,
  UNFINISHED_IMPORT,
  type Connection,
  type Database,
  type Dialect,
} from '@vidimus/database'
import type { DatabaseTable } from './database-tables.js'
import { quoted } from './quoted.js'

const TABLE = quoted(UNFINISHED_IMPORT)

/** The mark in the database of an unfinished import: all else refuses the database, and the next import starts over. */
export class ImportMark {
  private readonly run = randomUUID()

  constructor(private readonly database: Database) {}

  /** Whether this or another run has begun an import and not finished it. */
  async exists(): Promise<boolean> {
    const rows = await this.database.query(tableNamed(UNFINISHED_IMPORT, this.database.dialect))
    return rows.length > 0
  }

  /** Replaces the mark of an interrupted run. In one transaction with what makes sure that the database is empty. */
  async begin(connection: Connection): Promise<void> {
    await connection.run(sql`DROP TABLE IF EXISTS ${TABLE}`)
    await connection.run(sql`CREATE TABLE ${TABLE} ("run" TEXT PRIMARY KEY NOT NULL)`)
    await connection.run(sql`INSERT INTO ${TABLE} ("run") VALUES (${this.run})`)
  }

  /**
   * In each transaction of this run.
   *
   * @throws AgentError `unavailable` if another process has started over
   */
  async demand(connection: Connection): Promise<void> {
    const changed = await connection.run(
      sql`UPDATE ${TABLE} SET "run" = ${this.run} WHERE "run" = ${this.run}`,
    )
    if (changed !== 1) throw alreadyImporting(this.database)
  }

  /** From its COMMIT on, the service starts on the database. */
  async remove(connection: Connection): Promise<void> {
    await this.demand(connection)
    await connection.run(sql`DROP TABLE ${TABLE}`)
  }
}

export const alreadyImporting = ({ location }: Database) =>
  new AgentError('unavailable', `another process is importing into the database ${location}`)

/** Of triggers, as the catalogue of PostgreSQL has them. */
const TRUNCATES = 32

/**
 * Deletes all rows of an interrupted import. Triggers that protect rows of the service, such as the audit trail's, are off
 * meanwhile: nothing has used these yet.
 *
 * @param tables - those that others refer to before them
 */
export const dropRows = (
  connection: Connection,
  dialect: Dialect,
  tables: readonly DatabaseTable[],
): Promise<void> => (dialect === 'sqlite' ? deleteRows(connection, tables) : truncate(connection, tables))

async function deleteRows(connection: Connection, tables: readonly DatabaseTable[]): Promise<void> {
  const triggers = await connection.query<{ name: string; sql: string }>(
    sql`SELECT name, sql FROM sqlite_master WHERE type = 'trigger'`,
  )
  for (const { name } of triggers) await connection.run(sql`DROP TRIGGER ${quoted(name)}`)
  for (const { name } of [...tables].reverse()) await connection.run(sql`DELETE FROM ${quoted(name)}`)
  for (const trigger of triggers) await connection.run(new Sql([trigger.sql], []))
}

/** All at once: a table that others refer to is not emptied before them. */
async function truncate(connection: Connection, tables: readonly DatabaseTable[]): Promise<void> {
  const guarded = await connection.query<{ name: string }>(
    sql`SELECT DISTINCT c.relname::text AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema() AND NOT t.tgisinternal AND t.tgtype::integer & ${TRUNCATES} <> 0`,
  )
  // Without it Citus refuses the triggers of distributed tables; PostgreSQL alone knows it as a name that means nothing.
  await connection.query(sql`SET LOCAL citus.enable_unsafe_triggers = on`)
  const switched = async (state: Sql) => {
    for (const { name } of guarded)
      await connection.query(sql`ALTER TABLE ${quoted(name)} ${state} TRIGGER USER`)
  }
  await switched(sql`DISABLE`)
  await connection.query(sql`TRUNCATE ${joinSql(tables.map(({ name }) => quoted(name)))}`)
  await switched(sql`ENABLE`)
}
