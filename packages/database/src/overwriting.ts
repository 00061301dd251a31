import type { Connection } from './connection.js'
import { sql, type Dialect } from './sql.js'

/**
 * Makes SQLite overwrite what a work deletes, including whole pages: by default it only overwrites what costs no
 * further page.
 *
 * @see https://www.sqlite.org/pragma.html#pragma_secure_delete
 */
export function overwriting<T>(
  work: (connection: Connection) => Promise<T>,
  dialect: Dialect,
): (connection: Connection) => Promise<T> {
  if (dialect === 'postgres') return work
  return async (connection) => {
    await connection.query(sql`PRAGMA secure_delete = ON`)
    try {
      return await work(connection)
    } finally {
      await connection.query(sql`PRAGMA secure_delete = FAST`)
    }
  }
}
