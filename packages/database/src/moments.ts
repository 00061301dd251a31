import { performance } from 'node:perf_hooks'
import { currentRequest } from '@vidimus/core-types'
import { EVERY_HOME } from './homes.js'

/** How long a moment lasts: work that polls within a request must see what changes. */
const LASTS_MS = 25

/** What a request has learned. */
interface Moment {
  homes: readonly number[]
  until: number
  writes: number
}

/**
 * Cached look-ups of one request that directly follow each other are as of one moment after the request began: only the
 * first one asks which homes have changed. The moment ends when the request looks at the database in another way, or
 * waits for its turn, as what it learns there may be newer; with every write of this process; and soon by itself.
 *
 * Outside of requests every look-up asks.
 */
export class Moments {
  private writes = 0

  /** @param lastsMs - how long they last at most, in milliseconds */
  constructor(private readonly lastsMs = LASTS_MS) {}

  /** Whether the present request has just learned what has changed in these homes. */
  knows(homes: readonly number[]): boolean {
    const known = this.now()?.homes
    if (!known) return false
    return known.includes(EVERY_HOME) || homes.every((home) => known.includes(home))
  }

  /**
   * Begins a moment of the present request, before it asks.
   *
   * @returns the homes that it knew, and a function to call with those that it knows now
   */
  begin(): { known: readonly number[]; learned: (homes: readonly number[]) => void } {
    const notes = currentRequest()?.notes
    const before = notes?.get(this)
    const { writes } = this
    const until = performance.now() + this.lastsMs
    const learned = (homes: readonly number[]) => {
      // Otherwise the request has learned something else meanwhile, which may be newer.
      if (notes?.get(this) === before) notes?.set(this, { homes, until, writes } satisfies Moment)
      else this.end()
    }
    return { known: this.now()?.homes ?? [], learned }
  }

  /** The present request has learned something that may be newer. */
  end(): void {
    currentRequest()?.notes.set(this, { homes: [], until: 0, writes: 0 } satisfies Moment)
  }

  /** Whatever is learned by then may be newer than a moment that began meanwhile. */
  async endAfter<T>(learning: Promise<T>): Promise<T> {
    const learned = await learning
    this.end()
    return learned
  }

  /** All requests may. */
  endAll(): void {
    this.writes += 1
  }

  private now(): Moment | undefined {
    const moment = currentRequest()?.notes.get(this) as Moment | undefined
    return moment?.writes === this.writes && performance.now() < moment.until ? moment : undefined
  }
}
