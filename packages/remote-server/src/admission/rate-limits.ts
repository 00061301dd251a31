import { createHash } from 'node:crypto'
import { AgentError, BOUNDS } from '@vidimus/core-types'
import type { ClientAddress } from '../connection/client-address.js'
import type { RateLimitSettings } from '../options.js'
import { RateLimiter, type RateDecision } from './rate-limiter.js'
import { addHeaders } from '../request/request-context.js'
import type { ServedResponse } from '../request/served-request.js'

/** Recently validated keys, and how long a validation counts. */
const MOST_KEYS = 10_000
const RECENT_MS = 60 * 60 * 1000
const NOTED_AGAIN_MS = 60_000

/**
 * Rate limits: per API key, per address, and a stricter one for failed authentications of an address. Kept in the
 * memory of each process separately.
 *
 * No client is locked out by another: an address that does not distinguish clients is not limited, and its failures are
 * distinguished from valid keys by looking them up. Otherwise recently valid keys bypass the limit of failures.
 */
export class RateLimits {
  private readonly perKey: RateLimiter | undefined
  private readonly perAddress: RateLimiter | undefined
  private readonly failures: RateLimiter | undefined
  /** by key, in memory only: time of its last validation */
  private readonly valid = new Map<string, number>()

  constructor(
    { perKey, perAddress, failedAuthentications }: RateLimitSettings,
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.perKey = perKey ? new RateLimiter('key', perKey, clock) : undefined
    this.perAddress = perAddress ? new RateLimiter('address', perAddress, clock) : undefined
    this.failures = failedAuthentications
      ? new RateLimiter('authentication', failedAuthentications, clock)
      : undefined
  }

  /** @throws AgentError `too_many_requests` */
  countAddress({ group, tellsApart }: ClientAddress, res: ServedResponse): void {
    if (!this.perAddress || !tellsApart) return
    const decision = this.perAddress.take(group)
    if (!decision.allowed) throw refused(this.perAddress, decision, res)
  }

  /** @param id - of the API key. @throws AgentError `too_many_requests` */
  countKey(id: string, res: ServedResponse): void {
    if (!this.perKey) return
    const decision = this.perKey.take(id)
    if (!decision.allowed) throw refused(this.perKey, decision, res)
    addHeaders(res, 'ratelimit-policy', this.perKey.policy, 'ratelimit', standing(this.perKey, decision))
  }

  /**
   * Refuses an address with too many failures before its key is checked.
   *
   * @throws AgentError `too_many_requests`
   */
  mayAuthenticate({ group, tellsApart }: ClientAddress, key: string | undefined, res: ServedResponse): void {
    if (!this.failures || !tellsApart) return
    const decision = this.failures.refusalOf(group)
    if (decision && !this.wasValid(key)) throw refused(this.failures, decision, res)
  }

  /** @throws AgentError `too_many_requests` after too many failures of the address */
  countFailure({ group }: ClientAddress, res: ServedResponse): void {
    const decision = this.failures?.take(group)
    if (this.failures && decision && !decision.allowed) throw refused(this.failures, decision, res)
  }

  /** Remembers a valid key, if the failure limit may need it. */
  noteValid({ tellsApart }: ClientAddress, key: string): void {
    if (!this.failures || !tellsApart) return
    const now = this.clock()
    const name = shortName(key)
    const noted = this.valid.get(name)
    if (noted !== undefined && now - noted < NOTED_AGAIN_MS) return
    const [oldest] = this.valid.keys()
    if (this.valid.size >= MOST_KEYS && oldest !== undefined) this.valid.delete(oldest)
    // Moves the key to the end, so that keys in use are kept.
    this.valid.delete(name)
    this.valid.set(name, now)
  }

  private wasValid(key: string | undefined): boolean {
    const noted = key === undefined ? undefined : this.valid.get(shortName(key))
    return noted !== undefined && this.clock() - noted < RECENT_MS
  }
}

/** Tokens are long: their hash is kept in their place. */
const shortName = (key: string): string =>
  key.length > BOUNDS.apiKey ? createHash('sha256').update(key).digest('base64') : key

/** draft-ietf-httpapi-ratelimit-headers-10, 4: the remaining quota, and the seconds until it is full again. */
const standing = ({ name }: RateLimiter, { remaining, resetSeconds }: RateDecision) =>
  `"${name}";r=${remaining};t=${resetSeconds}`

function refused(limiter: RateLimiter, decision: RateDecision, res: ServedResponse): AgentError {
  const seconds = String(decision.retryAfterSeconds)
  addHeaders(
    res,
    'ratelimit-policy',
    limiter.policy,
    'ratelimit',
    standing(limiter, decision),
    'retry-after',
    seconds,
  )
  return new AgentError('too_many_requests', `too many requests; try again in ${seconds} s`)
}
