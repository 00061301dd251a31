import { log, type AccountRows, type AuditActor } from '@vidimus/core-types'
import { workOn, type RunningKind } from '@vidimus/work'
import { DELETION, type ListedAccount } from './account-states.js'
import type { Accounts } from './accounts.js'

/** Deletions at the same time. */
const MOST_AT_ONCE = 4
/** How long one waits for what is under way, before others have their turn. */
const PATIENCE_MS = 2_000
const RETRY = { firstMs: 1000, mostMs: 60_000 }

/** Deletions of accounts in this process, which outlive the requests for them. */
export class BegunDeletions {
  /** @param rows - of the other parts of the service */
  constructor(
    private readonly accounts: Accounts,
    private readonly rows: () => readonly AccountRows[],
  ) {}

  /** Completes what was begun and has not ended, now and from then on. */
  continue(): RunningKind {
    return workOn(this.accounts.database).run({
      name: DELETION,
      most: MOST_AT_ONCE,
      share: MOST_AT_ONCE,
      isLong: true,
      retry: () => RETRY,
      handle: async ({ item, signal }) => {
        const deletion = this.accounts.deletion(this.rows())
        await deletion.complete({ id: item.key }, { signal, patienceMs: PATIENCE_MS })
        return { isDone: true }
      },
      onFailure: (error) => log('warn', 'the deletion of an account will be continued', {}, error),
    })
  }

  /**
   * Disables the account for good, and erases it.
   *
   * @returns `deleted`: it is gone after `patienceMs`; if not, it goes on
   */
  async delete(
    name: string,
    patienceMs: number,
    operator: AuditActor | undefined,
  ): Promise<{ account: ListedAccount; deleted: boolean }> {
    const account = await this.accounts.states.beginDeletion(name, operator)
    this.continue()
    workOn(this.accounts.database).wake()
    const end = performance.now() + patienceMs
    const isLate = () => Promise.resolve(performance.now() >= end || undefined)
    return { account, deleted: !(await this.accounts.deletion([]).untilOver(account.id, isLate)) }
  }

  stop(): Promise<void> {
    return workOn(this.accounts.database).stop(DELETION)
  }
}
