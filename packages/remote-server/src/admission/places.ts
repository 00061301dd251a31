import { AgentError } from '@vidimus/core-types'

/** How much there may be, of everybody together or of one owner. */
export interface Bound {
  /** the name in refusals and metrics, usually that of an option among the `limits` */
  limit: string
  most: number
  /** what there is too much of */
  what: string
}

/** A refusal because a limit is reached; `/metrics` counts them by {@link limit}. */
export class LimitReached extends AgentError {
  /** @param isShare - whether the caller's own share is used up, so that others are still served */
  constructor(
    readonly limit: string,
    what: string,
    isShare: boolean,
  ) {
    if (isShare) {
      const details = [{ path: `limits.${limit}`, message: 'is reached' }]
      super('too_many_requests', `${what} (limits.${limit}); try again in 1 s`, { details })
    } else super('unavailable', `${what}; try again in a moment`)
  }
}

/** Where something counts, and whose it is. */
export interface Share {
  places: Places
  /** `undefined`: of an unknown owner */
  of: string | undefined
}

/**
 * Something limited that everybody shares, counted where requests enter: places, or bytes. No owner, which is an account
 * or an address, takes more than its share, so that one of them cannot lock out the others.
 */
export class Places {
  private readonly owned = new Map<string, number>()
  private total = 0

  /** @param own - for each owner. @param all - for all of them together; absent: the shares alone limit it */
  constructor(
    private readonly own: Bound,
    private readonly all?: Bound,
  ) {}

  get count(): number {
    return this.total
  }

  /** Whether all of it is taken, by whomever. */
  get isFull(): boolean {
    return this.all !== undefined && this.total >= this.all.most
  }

  /** @returns what the owner has taken, as a multiple of its share */
  partOf(owner: string): number {
    return this.takenBy(owner) / this.own.most
  }

  private takenBy(owner: string): number {
    return this.owned.get(owner) ?? 0
  }

  /**
   * @param owner - `undefined`: an unknown one, who has no share
   * @param besides - what the caller has taken of it already, and may always have
   * @throws LimitReached `too_many_requests` if the share of the owner is used up, `unavailable` if everything is
   */
  demandRoom(owner: string | undefined, besides = 0): void {
    const taken = owner === undefined ? 0 : this.takenBy(owner)
    if (taken >= this.own.most && taken > besides) this.refuse(this.own)
    if (this.all && this.isFull && this.total > besides) this.refuse(this.all)
  }

  /** @throws LimitReached */
  private refuse(bound: Bound): never {
    throw new LimitReached(bound.limit, bound.what, bound === this.own)
  }

  /** Takes some, or gives it back if `amount` is negative. Looks at no limit. */
  add(owner: string | undefined, amount: number): void {
    this.total += amount
    if (owner === undefined) return
    const left = this.takenBy(owner) + amount
    if (left === 0) this.owned.delete(owner)
    else this.owned.set(owner, left)
  }

  /** Holds a place while `work` runs. @throws LimitReached, and any error of `work` */
  async during<T>(owner: string | undefined, work: () => Promise<T>): Promise<T> {
    this.demandRoom(owner)
    this.add(owner, 1)
    try {
      return await work()
    } finally {
      this.add(owner, -1)
    }
  }
}
