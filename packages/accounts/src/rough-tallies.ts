import type { TalliedChange } from '@vidimus/database'

/** A moment: others may add so long without being noticed. */
const LASTS_MS = 1000
const MOST_ACCOUNTS = 10_000

interface Rough {
  n: number
  at: number
}

/**
 * What accounts had a moment ago in all homes, and what this process has added since. It suffices far from a limit: so a
 * change in one home does not read all others.
 */
export class RoughTallies {
  private readonly accounts = new Map<string, Map<string, Rough>>()

  /** @param clock - milliseconds that only go forward */
  constructor(private readonly clock: () => number = () => performance.now()) {}

  isFresh(account: string, names: readonly string[]): boolean {
    const after = this.clock() - LASTS_MS
    return names.every((name) => (this.accounts.get(account)?.get(name)?.at ?? -Infinity) > after)
  }

  /** @returns `undefined` if it is not known at all */
  find(account: string, name: string): number | undefined {
    return this.accounts.get(account)?.get(name)?.n
  }

  /** As all homes have them now. */
  note(account: string, numbers: ReadonlyMap<string, number>): void {
    const known = this.accounts.get(account) ?? new Map<string, Rough>()
    // The account that was read least recently goes first.
    this.accounts.delete(account)
    const [oldest] = this.accounts.size < MOST_ACCOUNTS ? [] : this.accounts.keys()
    if (oldest !== undefined) this.accounts.delete(oldest)
    this.accounts.set(account, known)
    const at = this.clock()
    for (const [name, n] of numbers) known.set(name, { n, at })
  }

  /** Only additions: a transaction that is undone must not make room. */
  add(account: string, change: TalliedChange): void {
    const known = this.accounts.get(account)
    for (const [kind, difference] of Object.entries(change)) {
      const before = known?.get(kind)
      if (before && difference > 0) before.n += difference
    }
  }
}
