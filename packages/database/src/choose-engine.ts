import { join } from 'node:path'
import type { z } from 'zod'
import type { DatabaseEngine } from './database-engine.js'
import type { Options } from './database-options.js'
import { databasePlace } from './database-url.js'
import type { DatabaseCounts } from './measurements.js'
import type { Migrations } from './migrate.js'
import type { Moments } from './moments.js'
import { PostgresEngine } from './postgres-engine.js'
import { SqliteEngine } from './sqlite-engine.js'

/** The engine for the address of a database; without one, a SQLite file in the data directory. */
export function chooseEngine(
  { url, dataDirectory, busyTimeoutMs, postgres }: z.output<typeof Options>,
  parts: { migrations: Migrations; counts: DatabaseCounts; moments: Moments },
): DatabaseEngine {
  const place = databasePlace(url ?? `sqlite:${join(dataDirectory, 'agent.sqlite')}`)
  if (place.dialect === 'postgres') return new PostgresEngine({ ...place, ...postgres, ...parts })
  const namedBy = url === null ? 'dataDirectory' : 'url'
  return new SqliteEngine({ file: place.file, busyTimeoutMs, namedBy, ...parts })
}
