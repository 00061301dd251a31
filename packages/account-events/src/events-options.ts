import { hasAuditRows, hasMethods, type AuditRows, type RightsOfNow } from '@vidimus/core-types'
import type { AccountQuotas } from '@vidimus/database'
import { z } from 'zod'

const Seconds = z.number().positive().max(86_400)

export const Options = z.strictObject({
  keepDays: z.number().positive().max(3650).default(30),
  pollMs: z.int().min(50).max(60_000).default(1000),
  webhooks: z
    .strictObject({
      maxPerAccount: z.int().min(0).max(1000).default(20),
      allowHttp: z.boolean().default(false),
      allowPrivateAddresses: z.boolean().default(false),
      certificateAuthorities: z.string().optional(),
      timeoutMs: z.int().min(100).max(60_000).default(10_000),
      concurrency: z.int().min(1).max(1000).default(20),
      concurrencyPerHost: z.int().min(1).max(1000).default(4),
      retryHours: z.number().min(0).max(720).default(24),
      firstRetrySeconds: Seconds.default(5),
      longestRetrySeconds: Seconds.default(3600),
    })
    .prefault({}),
  audit: z
    .custom<AuditRows>(hasAuditRows, 'must be an audit trail in the database, such as AuditLog')
    .optional(),
  quotas: z
    .custom<AccountQuotas>((value) => hasMethods(value, 'limitOf'), 'must be Quotas of @vidimus/accounts')
    .optional(),
  rights: z
    .custom<RightsOfNow>((value) => hasMethods(value, 'rightsNow'), 'must be Accounts or IdentityProviders')
    .optional(),
  clock: z.custom<() => Date>((value) => typeof value === 'function', 'must be a function').optional(),
})

export interface EventsOptions {
  /** how long events are kept, days; default 30 */
  keepDays?: number
  /** how often a process looks for what others have written, milliseconds, 50 to 60 000; default 1000 */
  pollMs?: number
  webhooks?: {
    /** that are not revoked; default 20, `0`: none can be made */
    maxPerAccount?: number
    /** also http URLs, for tests; default false */
    allowHttp?: boolean
    /**
     * also hosts of the internal network. Anyone with an API key can then make the service send requests there, so
     * the default is false
     */
    allowPrivateAddresses?: boolean
    /** PEM; in place of the well-known ones */
    certificateAuthorities?: string
    /** how long a receiver may take to respond, milliseconds, 100 to 60 000; default 10 000 */
    timeoutMs?: number
    /** deliveries under way at the same time; default 20 */
    concurrency?: number
    /** and of these to one host; default 4 */
    concurrencyPerHost?: number
    /** how long an event is tried to be delivered, hours; default 24 */
    retryHours?: number
    /** the first pause after a failure, seconds; default 5. Each further one is twice as long */
    firstRetrySeconds?: number
    /** the longest pause, seconds; default 3600 */
    longestRetrySeconds?: number
  }
  /** where creating, revoking and replaying webhooks is recorded; default: nowhere */
  audit?: AuditRows
  /** where an operator may set another number of webhooks for an account; default: nowhere */
  quotas?: AccountQuotas
  /** who knows the present rights of the owners of webhooks; default: they never end */
  rights?: RightsOfNow
  /** what time it is; default: the system's clock */
  clock?: () => Date
}
