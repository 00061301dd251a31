import type { Database } from '@vidimus/database'

/** A new database runs all migrations in less, which needs no progress display. */
const WORTH_TELLING_MS = 1_000

/**
 * Starts a database, and shows the current migration if one takes long.
 *
 * @param start - starts the database, and may start more
 */
export async function tellingMigrations<T>(
  database: Pick<Database, 'watchMigrations' | 'appliedMigrations'>,
  start: () => Promise<T>,
  write: (line: string) => unknown = (line) => process.stderr.write(line),
  afterMs = WORTH_TELLING_MS,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  database.watchMigrations(({ name, done, total }) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      // Once they are applied, it is something else that takes long.
      if (database.appliedMigrations.length === 0) write(`migration ${done + 1} of ${total}: ${name}\n`)
    }, afterMs)
  })
  try {
    return await start()
  } finally {
    clearTimeout(timer)
  }
}
