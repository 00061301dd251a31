import { inFairOrder } from '@vidimus/core-types'

/** The number of accounts to keep; beyond that all start over. */
const MOST_ACCOUNTS = 10_000

interface WaitingMessage {
  id: string
  account_id: string
}

/** Whose messages the next transaction takes: accounts alternate, from one transaction to the next. */
export class OutboxOrder {
  /** when an account was chosen last */
  private readonly chosenAt = new Map<string, number>()
  private choices = 0
  /** of the messages that were chosen last */
  private accountOf = new Map<string, string>()

  /**
   * @param waiting - oldest first
   * @returns ids, at most so many
   */
  choose(waiting: readonly WaitingMessage[], most: number): string[] {
    // Sorting keeps the order of equal items.
    const longestAgoFirst = [...waiting].sort((one, other) => this.lastOf(one) - this.lastOf(other))
    const chosen = inFairOrder(longestAgoFirst, ({ account_id: account }) => account).slice(0, most)
    this.accountOf = new Map(chosen.map(({ id, account_id: account }) => [id, account]))
    return chosen.map(({ id }) => id)
  }

  /**
   * Records whose messages were sent. Not all whose messages were chosen: most of them may have had no room beside a
   * message that is sent alone, and would wait behind all of those.
   *
   * @param ids - of the last chosen messages, those in the transaction
   */
  took(ids: readonly string[]): void {
    if (this.chosenAt.size > MOST_ACCOUNTS) this.chosenAt.clear()
    this.choices += 1
    for (const id of ids) {
      const account = this.accountOf.get(id)
      if (account !== undefined) this.chosenAt.set(account, this.choices)
    }
  }

  private lastOf({ account_id: account }: WaitingMessage): number {
    return this.chosenAt.get(account) ?? 0
  }
}
