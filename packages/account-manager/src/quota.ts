import { AgentError, type UsedOf } from '@vidimus/core-types'
import type { Connection, Reader } from '@vidimus/database'
import { tallied, type TalliedKind } from './tally.js'

/** How many of a kind an account may hold. */
export class Quota {
  /** @param name - of the kind as people call it, in the plural */
  constructor(
    private readonly name: string,
    private readonly most: number,
    private readonly kind: TalliedKind,
  ) {}

  /** How many there are, and may be. */
  async usage(reader: Reader, account: string): Promise<UsedOf> {
    return { used: await tallied(reader, account, this.kind), limit: this.most }
  }

  /**
   * Has to follow an addition, in its transaction.
   *
   * @throws AgentError `invalid_input` where there are too many now
   */
  async check(connection: Connection, account: string): Promise<void> {
    if ((await tallied(connection, account, this.kind)) <= this.most) return
    throw new AgentError('invalid_input', `the account has ${this.most} ${this.name}, and may have no more`)
  }
}
