import { Cache, textOfQueue, type QueueName } from '@vidimus/core-types'
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
  areAround(list: QueueName): boolean {
    return this.written.get(list) ?? false
  }

  /** The newest version of a list was written by others, unless it is the last one of this process. */
  found(list: QueueName, resourceId: string): void {
    const left = this.newest.get(textOfQueue(list))
    if (left !== undefined && left !== resourceId) this.met(list)
  }

  /** Others are writing a list at this moment. */
  met(list: QueueName): void {
    this.written.set(list, true)
  }

  /** Records the newest version of a list. */
  left(list: QueueName, resourceId: string): void {
    this.newest.set(textOfQueue(list), resourceId)
  }
}
