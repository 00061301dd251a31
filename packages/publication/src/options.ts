import { hasMethods, isPublisher, type Publisher } from '@vidimus/core-types'
import type { Database } from '@vidimus/database'
import { z } from 'zod'

/** The longest history that is kept. */
const MOST_VERSIONS = 1000

export const Options = z.strictObject({
  database: z.custom<Database>(
    (value) => hasMethods(value, 'query', 'write', 'lock'),
    'must be a Database of @vidimus/database',
  ),
  publisher: z.custom<Publisher>(
    isPublisher,
    'must be a publisher, such as DirectoryPublisher of @vidimus/publisher-directory',
  ),
  keepVersions: z.int().min(0).max(MOST_VERSIONS).default(0),
  concurrency: z.int().min(1).max(256).default(8),
  waitMs: z.int().min(0).max(60_000).default(10_000),
  clock: z.custom<() => Date>((value) => typeof value === 'function', 'must be a function').optional(),
})

export interface PublicationOptions {
  /** with the `migrations` of this package */
  database: Database
  /** the target */
  publisher: Publisher
  /** of each list, at their own addresses, 0 to 1000; default 0: only the newest, at the addresses of the list */
  keepVersions?: number
  /** subjects that are written at the same time, 1 to 256; default 8 */
  concurrency?: number
  /** how long `publication: "wait"` waits at most, in milliseconds, 0 to 60,000; default 10,000 */
  waitMs?: number
  /** what time it is; default: the system's clock */
  clock?: () => Date
}
