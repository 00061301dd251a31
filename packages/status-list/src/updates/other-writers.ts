import { Cache } from '@vidimus/core-types'
import { Lately } from '../versions/lately.js'

/** Who has written a list is taken to write it again within this time, in milliseconds. */
const STAYS_AROUND_MS = 10_000

/** Knows which lists others have written lately, from the versions that are met. Forgets without harm. */
export class OtherWriters {
  private readonly newest = new Cache<string>('writer')
  private readonly written: Lately<true>

  constructor(staysAroundMs = STAYS_AROUND_MS) {
    this.written = new Lately(staysAroundMs)
  }

  /** Whether a list was lately written by others. */
  areAround(list: string): boolean {
    return this.written.get(list) ?? false
  }

  /** The newest version of a list is one that others have written, unless it is the one that was left. */
  found(list: string, resourceId: string): void {
    const left = this.newest.get(list)
    if (left !== undefined && left !== resourceId) this.met(list)
  }

  /** Others are writing a list at this moment. */
  met(list: string): void {
    this.written.set(list, true)
  }

  /** The newest version of a list is this one. */
  left(list: string, resourceId: string): void {
    this.newest.set(list, resourceId)
  }
}
