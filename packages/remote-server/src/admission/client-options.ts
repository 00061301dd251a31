import { isIP } from 'node:net'
import { z } from 'zod'
import { count } from '../option-values.js'
import type { RateLimit } from './rate-limiter.js'

/** One limit; `false`: unlimited. */
export type RateLimitOption = false | { requests: number | string; seconds: number | string }

/**
 * Number of requests per period. After a pause all of them may be sent at once; the quota then refills evenly. Kept in
 * the memory of each process.
 */
export interface RateLimitOptions {
  /** per API key; default 600 000 in 60 s */
  perKey?: RateLimitOption
  /** per client address, if known; default 600 000 in 60 s */
  perAddress?: RateLimitOption
  /** without a valid API key, per address; default 1200 in 60 s */
  failedAuthentications?: RateLimitOption
}

const rateLimit = (standard: RateLimit) =>
  z
    .union(
      [
        z.literal([false, 'false']).transform(() => false as const),
        z.strictObject({ requests: count(1, 1_000_000_000), seconds: count(1, 86_400) }),
      ],
      { error: 'must be {requests, seconds}, whole numbers, 1 or greater, or false' },
    )
    .default(standard)

/** Generous: they stop runaway clients, not busy ones. */
export const RateLimitsSchema = z.strictObject({
  perKey: rateLimit({ requests: 600_000, seconds: 60 }),
  perAddress: rateLimit({ requests: 600_000, seconds: 60 }),
  failedAuthentications: rateLimit({ requests: 1200, seconds: 60 }),
})

const isOrigin = (text: string) =>
  /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text

export const CorsSchema = z.strictObject({
  origins: z
    .array(
      z
        .string('must be an origin such as https://app.example')
        .refine(
          isOrigin,
          'must be an origin such as https://app.example: no path, no slash at the end, no *',
        ),
    )
    .min(1, 'must name at least one origin')
    .max(1000),
  maxAgeSeconds: count(0, 86_400).default(600),
})

/** Network names known to Express. */
const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']
const MOST_PROXIES = 10

function isNetwork(text: string): boolean {
  if (NAMED_NETWORKS.includes(text)) return true
  const [address = '', prefix, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}

const PROXIES = `must be false, the number of proxies in front (1 to ${MOST_PROXIES}), or their addresses or networks, such as loopback or 10.0.0.0/8`

/** `true` would trust every proxy, so that clients could choose their address. */
export const TrustProxy = z.preprocess(
  readProxies,
  z.union(
    [
      z.literal(false),
      z.int().min(1).max(MOST_PROXIES),
      z
        .array(z.string())
        .min(1)
        .max(100)
        .refine((all) => all.every(isNetwork), PROXIES),
    ],
    { error: PROXIES },
  ),
)

/** An environment variable contains a number or a comma-separated list. */
function readProxies(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (value === 'false') return false
  return /^\d+$/.test(value) ? Number(value) : value.split(',').map((part) => part.trim())
}
