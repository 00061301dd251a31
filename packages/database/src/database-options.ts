import { isAgentError } from '@vidimus/core-types'
import { z } from 'zod'
import { databasePlace } from './database-url.js'
import type { MigrationClass } from './baseline.js'

/** Also as text, as environment variables have it. */
const WholeNumber = z.coerce.number('must be a whole number').int('must be a whole number')
const Milliseconds = WholeNumber.min(1).max(3_600_000)

/** Its content is read later; here its errors are reported with all others. */
const Url = z.string().superRefine((url, context) => {
  try {
    databasePlace(url)
  } catch (error) {
    if (!isAgentError(error)) throw error
    for (const { message } of error.details) context.addIssue({ code: 'custom', message })
  }
})

export const Options = z.strictObject({
  url: Url.nullable(),
  dataDirectory: z.string().min(1).default('./data'),
  migrations: z.array(
    z.array(
      z.custom<MigrationClass>((value) => typeof value === 'function', 'must be a list of migration classes'),
    ),
  ),
  busyTimeoutMs: z.int().min(0).default(10_000),
  postgres: z
    .strictObject({
      poolSize: WholeNumber.min(2).max(1000).default(20),
      connectTimeoutMs: Milliseconds.default(5_000),
      statementTimeoutMs: Milliseconds.default(10_000),
      maxLagMs: Milliseconds.default(10_000),
    })
    .prefault({}),
})

export interface DatabaseOptions {
  /**
   * `sqlite:<path>`, a relative path starting at the working directory, or `postgres://...`, with several hosts, `sslmode`,
   * `target_session_attrs` and other parameters of libpq; `null`: `agent.sqlite` in the data directory
   */
  url: string | null
  /** folder of the file if there is no `url`; created with access for the owner only */
  dataDirectory?: string
  /** each storing package's migrations; they run in the order of the time stamps in their names */
  migrations: readonly (readonly MigrationClass[])[]
  /** SQLite: how long a write waits for another process, in milliseconds */
  busyTimeoutMs?: number
  /** options for PostgreSQL only */
  postgres?: {
    /** connections of this process, half of them for writing: 2 to 1000, default 20 */
    poolSize?: number | string
    /** how long a connection is waited for, in milliseconds; default 5000 */
    connectTimeoutMs?: number | string
    /** how long a statement may take, waiting for others included, in milliseconds; default 10 000 */
    statementTimeoutMs?: number | string
    /** how far behind its primary a standby may be that is only read, in milliseconds; default 10 000 */
    maxLagMs?: number | string
  }
}
