/** A number of requests per number of seconds; after a pause all of them may be sent at once. */
export interface RateLimit {
  requests: number
  seconds: number
}

/** The decision on a request, and the remaining quota. */
export interface RateDecision {
  allowed: boolean
  /** requests that may be sent at once from now on */
  remaining: number
  /** whole seconds until the full quota is available again */
  resetSeconds: number
  /** whole seconds until the next request is allowed, if this one was refused */
  retryAfterSeconds: number
}

/** Maximum number of remembered callers; a forgotten caller has a full quota again. */
const MOST_CALLERS = 50_000
/** How many of the oldest callers are checked to make room. */
const LOOKED_AT = 50

/**
 * A token bucket per caller, stored as one number: the time at which the bucket will be full again (the "theoretical
 * arrival time" of the generic cell rate algorithm, ITU-T I.371). Kept in the memory of this process.
 */
export class RateLimiter {
  /** policy for `RateLimit-Policy` */
  readonly policy: string
  private readonly fullAt = new Map<string, number>()
  private readonly windowMs: number
  private readonly perRequestMs: number

  /**
   * @param name - of the policy in the headers
   * @param clock - monotonic milliseconds
   */
  constructor(
    readonly name: string,
    { requests, seconds }: RateLimit,
    private readonly clock: () => number = () => performance.now(),
    private readonly mostCallers = MOST_CALLERS,
  ) {
    this.policy = `"${name}";q=${requests};w=${seconds}`
    this.windowMs = seconds * 1000
    this.perRequestMs = this.windowMs / requests
  }

  /** Counts a request, unless it is refused. */
  take(caller: string): RateDecision {
    const now = this.clock()
    const known = this.fullAt.get(caller)
    const next = Math.max(known ?? now, now) + this.perRequestMs
    if (next - now > this.windowMs + ROUNDING_MS) return this.refusal(next - this.perRequestMs - now)
    if (known === undefined && this.fullAt.size >= this.mostCallers) this.makeRoom(now)
    this.fullAt.set(caller, next)
    return {
      allowed: true,
      remaining: this.remaining(next - now),
      resetSeconds: wholeSeconds(next - now),
      retryAfterSeconds: 0,
    }
  }

  /** The current quota if the next request would be refused; nothing is counted. */
  refusalOf(caller: string): RateDecision | undefined {
    const waitMs = (this.fullAt.get(caller) ?? 0) - this.clock()
    return waitMs + this.perRequestMs > this.windowMs + ROUNDING_MS ? this.refusal(waitMs) : undefined
  }

  private refusal(waitMs: number): RateDecision {
    const retryMs = waitMs + this.perRequestMs - this.windowMs
    return {
      allowed: false,
      remaining: 0,
      resetSeconds: wholeSeconds(waitMs),
      retryAfterSeconds: Math.max(1, wholeSeconds(retryMs)),
    }
  }

  private remaining = (waitMs: number) =>
    Math.max(0, Math.floor((this.windowMs - waitMs + ROUNDING_MS) / this.perRequestMs))

  /** Forgets callers with a full bucket, or else the oldest one. */
  private makeRoom(now: number): void {
    let looked = 0
    for (const [caller, fullAt] of this.fullAt) {
      if (fullAt <= now) this.fullAt.delete(caller)
      if (++looked >= LOOKED_AT) break
    }
    const [oldest] = this.fullAt.keys()
    if (this.fullAt.size >= this.mostCallers && oldest !== undefined) this.fullAt.delete(oldest)
  }
}

/** Sums of fractions differ slightly from whole numbers, and more so the longer the process runs. */
const ROUNDING_MS = 1e-3

const wholeSeconds = (ms: number) => Math.ceil((ms - ROUNDING_MS) / 1000)
