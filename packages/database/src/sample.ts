import type { Database } from './database.js'
import { sql, type Sql } from './sql.js'

/** Some of many, for messages. */
export interface Sample {
  count: number
  examples: string[]
}

const EXAMPLES = 3

/** Counts rows and names a few of them. @param from - `FROM ...`, with its conditions @param name - of a row */
export async function takeSample(database: Pick<Database, 'query'>, from: Sql, name: Sql): Promise<Sample> {
  const [found] = await database.query<{ count: number }>(sql`SELECT COUNT(*) AS count ${from}`)
  const count = found?.count ?? 0
  if (count === 0) return { count, examples: [] }
  const rows = await database.query<{ name: string }>(sql`SELECT ${name} AS name ${from} LIMIT ${EXAMPLES}`)
  return { count, examples: rows.map((row) => row.name) }
}
