import { stat } from 'node:fs/promises'
import { AgentError } from '@vidimus/core-types'
import type { Reader } from './connection.js'
import { Database } from './database.js'
import { databasePlace } from './database-url.js'
import { sql } from './sql.js'
import { SqliteConnection } from './sqlite-connection.js'

/**
 * Lets `work` read a database of other software as of one moment. Nothing there is changed, not even how it keeps its log.
 *
 * @throws AgentError `invalid_configuration` for a URL that is none, or a file that is missing
 */
export async function readForeign<T>(url: string, work: (reader: Reader) => Promise<T>): Promise<T> {
  const place = databasePlace(url)
  if (place.dialect === 'postgres') return new Database({ url, migrations: [] }).readConsistently(work)
  const { file } = place
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new AgentError('invalid_configuration', `there is no database file ${file}`)
  const connection = await SqliteConnection.openForeign(file)
  try {
    await connection.run(sql`BEGIN`)
    return await work(connection)
  } finally {
    await connection.close()
  }
}
