import { inTurns } from '@vidimus/core-types'

/** Accounts that are remembered; beyond that all begin anew. */
const MOST_ACCOUNTS = 10_000

interface WaitingMessage {
  id: string
  account_id: string
}

/** Whose messages the next transaction takes: accounts have turns, from one transaction to the next. */
export class OutboxTurns {
  /** when an account was chosen last */
  private readonly chosenAt = new Map<string, number>()
  private choices = 0

  /**
   * @param waiting - oldest first
   * @returns ids, at most so many
   */
  choose(waiting: readonly WaitingMessage[], most: number): string[] {
    // Sorting keeps the order of what is equal.
    const longestAgoFirst = [...waiting].sort((one, other) => this.lastOf(one) - this.lastOf(other))
    const chosen = inTurns(longestAgoFirst, ({ account_id: account }) => account).slice(0, most)
    if (this.chosenAt.size > MOST_ACCOUNTS) this.chosenAt.clear()
    this.choices += 1
    for (const { account_id: account } of chosen) this.chosenAt.set(account, this.choices)
    return chosen.map(({ id }) => id)
  }

  private lastOf({ account_id: account }: WaitingMessage): number {
    return this.chosenAt.get(account) ?? 0
  }
}
