import { Cache } from '@vidimus/core-types'
import { Lately } from '../versions/lately.js'

/** How long another writer of a list is expected to write it again, in milliseconds. */
const STAYS_AROUND_MS = 10_000

/** Tracks lists recently written by others, from the versions encountered. Losing this data does no harm. */
export class OtherWriters {
  private readonly newest = new Cache<string>('writer')
  private readonly written: Lately<true>

  constructor(staysAroundMs = STAYS_AROUND_MS) {
    this.written = new Lately(staysAroundMs)
  }

  /** Whether others wrote a list recently. */
  areAround(list: string): boolean {
    return this.written.get(list) ?? false
  }

  /** The newest version of a list was written by others, unless it is the last one of this process. */
  found(list: string, resourceId: string): void {
    const left = this.newest.get(list)
    if (left !== undefined && left !== resourceId) this.met(list)
  }

  /** Others are writing a list at this moment. */
  met(list: string): void {
    this.written.set(list, true)
  }

  /** Records the newest version of a list. */
  left(list: string, resourceId: string): void {
    this.newest.set(list, resourceId)
  }
}
