import { AsyncResource } from 'node:async_hooks'

/**
 * Waiting items of owners that share something: owners alternate, however much one of them asks for. Items of one
 * owner keep their order.
 */
export class FairOrder<T extends object | string> {
  /** in the order in which they come next; a map keeps it */
  private readonly waiting = new Map<string, T[]>()
  private size = 0

  get length(): number {
    return this.size
  }

  /** Owners with waiting items, in the order in which they come next. */
  get owners(): Iterable<string> {
    return this.waiting.keys()
  }

  /** @param of - whose it is, usually an account */
  add(of: string, item: T): void {
    const own = this.waiting.get(of)
    if (own) own.push(item)
    else this.waiting.set(of, [item])
    this.size += 1
  }

  /**
   * Takes the next item.
   *
   * @param mayBegin - owners for which it returns `false` are skipped
   */
  next(mayBegin: (of: string) => boolean = () => true): T | undefined {
    for (const [of, own] of this.waiting) {
      if (!mayBegin(of)) continue
      const item = own.shift()
      this.size -= 1
      // Whose item was taken comes after all others.
      this.waiting.delete(of)
      if (own.length > 0) this.waiting.set(of, own)
      return item
    }
    return undefined
  }

  /** Takes so many, or everything, in fair order. */
  take(most = Infinity): T[] {
    const taken: T[] = []
    while (taken.length < most) {
      const item = this.next()
      if (item === undefined) break
      taken.push(item)
    }
    return taken
  }
}

/** Puts items in an order in which those whose they are alternate. */
export function inFairOrder<T extends object | string>(items: Iterable<T>, ofItem: (item: T) => string): T[] {
  const order = new FairOrder<T>()
  for (const item of items) order.add(ofItem(item), item)
  return order.take()
}

interface Job {
  of: string
  begin: () => Promise<unknown>
}

/**
 * How much owners have used of something that they share, in any unit: the next one is who has used least. Owners who
 * come later, or again, start where the others are.
 *
 * @see Goyal, Vin and Cheng, "Start-time Fair Queueing", 1996
 */
class UsedShares {
  /** owners that are ahead of the others */
  private readonly used = new Map<string, number>()
  private now = 0

  private of(owner: string): number {
    return Math.max(this.now, this.used.get(owner) ?? 0)
  }

  leastOf(owners: Iterable<string>): string | undefined {
    let least: string | undefined
    for (const owner of owners) if (least === undefined || this.of(owner) < this.of(least)) least = owner
    return least
  }

  begin(owner: string): void {
    this.now = this.of(owner)
    for (const [one, used] of this.used) if (used <= this.now) this.used.delete(one)
  }

  add(owner: string, amount: number): void {
    this.used.set(owner, this.of(owner) + amount)
  }
}

/**
 * Runs works of owners that share something: a limited number at a time, at most its share for each owner, in fair
 * order.
 */
export class SharedQueue {
  private readonly waiting = new FairOrder<Job>()
  private readonly running = new Map<string, number>()
  private total = 0
  private readonly used: UsedShares | undefined

  /**
   * @param most - at the same time
   * @param share - of one account at the same time; if there are several, at least one place is left to others
   * @param clock - where works differ in how long they take: owners alternate by time, not by works
   */
  constructor(
    private readonly most: number,
    private readonly share: number = Math.max(1, most - 1),
    private readonly clock?: () => number,
  ) {
    this.used = clock && new UsedShares()
  }

  /** Works that have not begun. */
  get length(): number {
    return this.waiting.length
  }

  /** @param of - whose share it takes, usually an account */
  run<T>(of: string, work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // Waiting works could not begin: nothing is skipped.
      if (this.mayBegin(of)) {
        this.begin({ of, begin: () => settle(work, resolve, reject) })
        return
      }
      // It begins when the work of another has ended, and does not belong to it.
      const own = AsyncResource.bind(work)
      this.waiting.add(of, { of, begin: () => settle(own, resolve, reject) })
    })
  }

  private mayBegin(of: string): boolean {
    return this.total < this.most && (this.running.get(of) ?? 0) < this.share
  }

  private beginNext(): void {
    while (this.total < this.most) {
      const job = this.waiting.next(this.turn())
      if (!job) return
      this.begin(job)
    }
  }

  private turn(): (of: string) => boolean {
    const mayBegin = (of: string) => this.mayBegin(of)
    if (!this.used) return mayBegin
    const least = this.used.leastOf([...this.waiting.owners].filter(mayBegin))
    return (of) => of === least
  }

  private begin({ of, begin }: Job): void {
    const since = this.clock?.() ?? 0
    this.used?.begin(of)
    this.total += 1
    this.running.set(of, (this.running.get(of) ?? 0) + 1)
    void begin().finally(() => {
      this.used?.add(of, (this.clock?.() ?? 0) - since)
      this.total -= 1
      const left = (this.running.get(of) ?? 1) - 1
      if (left > 0) this.running.set(of, left)
      else this.running.delete(of)
      this.beginNext()
    })
  }
}

async function settle<T>(
  work: () => Promise<T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Promise<void> {
  try {
    resolve(await work())
  } catch (error) {
    reject(error)
  }
}
