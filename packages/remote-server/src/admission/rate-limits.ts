import { AgentError } from '@vidimus/core-types'
import type { ClientAddress } from '../connection/client-address.js'
import type { RateLimitSettings } from '../options.js'
import { RateLimiter, type RateDecision } from './rate-limiter.js'
import { addHeaders } from '../request/request-context.js'
import type { ServedResponse } from '../request/served-request.js'

/** Keys that were valid a moment ago, and how long that counts. */
const MOST_KEYS = 10_000
const RECENT_MS = 60 * 60 * 1000
const NOTED_AGAIN_MS = 60_000

/**
 * The limits of requests in time: for each API key, for each address, and a stronger one for failed authentications of
 * an address. In the memory of this process; several processes count for themselves.
 *
 * Nobody is shut out by a neighbour: an address that does not tell clients apart is not limited, and its failures are
 * told from valid keys by looking them up. Where it does, keys that were valid lately pass a limit of failures.
 */
export class RateLimits {
  private readonly perKey: RateLimiter | undefined
  private readonly perAddress: RateLimiter | undefined
  private readonly failures: RateLimiter | undefined
  /** by key, in memory alone: when it was valid */
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
   * Refuses an address that failed too often before its key is looked at.
   *
   * @throws AgentError `too_many_requests`
   */
  mayAuthenticate({ group, tellsApart }: ClientAddress, key: string | undefined, res: ServedResponse): void {
    if (!this.failures || !tellsApart) return
    const decision = this.failures.refusalOf(group)
    if (decision && !this.wasValid(key)) throw refused(this.failures, decision, res)
  }

  /** @throws AgentError `too_many_requests` where the address has failed too often */
  countFailure({ group }: ClientAddress, res: ServedResponse): void {
    const decision = this.failures?.take(group)
    if (this.failures && decision && !decision.allowed) throw refused(this.failures, decision, res)
  }

  /** Remembers a key that was valid, where that could matter. */
  noteValid({ tellsApart }: ClientAddress, key: string): void {
    if (!this.failures || !tellsApart) return
    const now = this.clock()
    const noted = this.valid.get(key)
    if (noted !== undefined && now - noted < NOTED_AGAIN_MS) return
    const [oldest] = this.valid.keys()
    if (this.valid.size >= MOST_KEYS && oldest !== undefined) this.valid.delete(oldest)
    // Once more at the end: those that are used stay.
    this.valid.delete(key)
    this.valid.set(key, now)
  }

  private wasValid(key: string | undefined): boolean {
    const noted = key === undefined ? undefined : this.valid.get(key)
    return noted !== undefined && this.clock() - noted < RECENT_MS
  }
}

/** draft-ietf-httpapi-ratelimit-headers-10, 4: what remains, and in how many seconds the quota is whole again. */
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
