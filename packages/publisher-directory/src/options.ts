import { isAbsolute } from 'node:path'
import { z } from 'zod'

export const Options = z.strictObject({
  directory: z
    .string('must be the path of a folder')
    .refine(isAbsolute, 'must be an absolute path, the same for the web server and the service'),
  lockTimeoutMs: z.int().min(100).max(600_000).default(30_000),
})

export interface DirectoryPublisherOptions {
  /** absolute path of the folder that a web server serves as the public URL; created if it does not exist */
  directory: string
  /** how long another process is waited for that writes to the folder, in milliseconds, 100 to 600,000; default 30,000 */
  lockTimeoutMs?: number
}
