import assert from 'node:assert/strict'
import { Sql, sql, type Database } from '@vidimus/database'

/** Tables that contain one of these texts. */
export async function tablesThatHold(
  database: Pick<Database, 'query'>,
  texts: readonly string[],
): Promise<string[]> {
  const isSqlite = await database
    .query(sql`SELECT 1 FROM sqlite_master LIMIT 1`)
    .then(() => true)
    .catch(() => false)
  const tables = await database.query<{ name: string }>(
    isSqlite
      ? sql`SELECT name FROM sqlite_master WHERE type = 'table'`
      : sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  )
  assert.ok(tables.length > 20)
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await database.query<Record<string, unknown>>(
      sql`SELECT * FROM ${new Sql([`"${name}"`], [])}`,
    )
    const stored = rows.map((row) =>
      Object.values(row)
        .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
        .join('\n'),
    )
    if (stored.some((row) => texts.some((text) => row.includes(text)))) found.push(name)
  }
  return found
}
