import { sql, type Connection, type Dialect } from '@vidimus/database'
import type { ArchivedTable } from './archive-format.js'
import { quoted } from './quoted.js'

/** Lets the database continue the numbering of the exported one, so that no number is assigned twice. */
export async function continueNumbers(
  connection: Connection,
  dialect: Dialect,
  tables: readonly ArchivedTable[],
): Promise<void> {
  for (const { name, numbered } of tables) {
    if (!numbered || numbered.last === 0) continue
    const { column, last } = numbered
    if (dialect === 'sqlite') {
      await connection.run(sql`DELETE FROM sqlite_sequence WHERE name = ${name}`)
      await connection.run(sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${name}, ${last})`)
    } else {
      await connection.query(sql`SELECT setval(
        CAST(pg_get_serial_sequence(${quoted(name).text('postgres')}, ${column}) AS REGCLASS), CAST(${last} AS BIGINT))`)
    }
  }
}
