import { AgentError, type UsedOf } from '@vidimus/core-types'
import type { Connection, Reader } from '@vidimus/database'

/** Below this room every addition is counted. */
const SMALL_ROOM = 1000
/** A process uses up this part of the room between two counts, as others may be adding as well. */
const PART_OF_ROOM = 64
const MOST_ACCOUNTS = 10_000

/**
 * How many of a kind an account may hold. Counting costs more the more there are, so it is done the more rarely the
 * more room there is; up to 64 processes on one database stay within the limit.
 */
export class Quota {
  /** by account: additions that need no count */
  private readonly uncounted = new Map<string, number>()

  /**
   * @param kind - as people call it, in the plural
   * @param count - within the transaction
   */
  constructor(
    private readonly kind: string,
    private readonly most: number,
    private readonly count: (reader: Reader, account: string) => Promise<number>,
  ) {}

  /** How many there are, and may be. */
  async usage(reader: Reader, account: string): Promise<UsedOf> {
    return { used: await this.count(reader, account), limit: this.most }
  }

  /**
   * Has to follow an addition, in its transaction.
   *
   * @throws AgentError `invalid_input` where there are too many now
   */
  async check(connection: Connection, account: string): Promise<void> {
    const left = this.uncounted.get(account) ?? 0
    if (left > 0) {
      this.uncounted.set(account, left - 1)
      return
    }
    const room = this.most - (await this.count(connection, account))
    if (room < 0) {
      throw new AgentError('invalid_input', `the account has ${this.most} ${this.kind}, and may have no more`)
    }
    if (this.uncounted.size >= MOST_ACCOUNTS) this.uncounted.clear()
    this.uncounted.set(account, room > SMALL_ROOM ? Math.floor(room / PART_OF_ROOM) : 0)
  }
}
