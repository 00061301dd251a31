import { setTimeout as pause } from 'node:timers/promises'
import {
  log,
  outsideOfRequests,
  RepeatedPasses,
  type Account,
  type AccountRows,
  type AuditActor,
} from '@vidimus/core-types'
import type { ListedAccount } from './account-states.js'
import type { Accounts } from './accounts.js'

const LOOK_EVERY_MS = 60_000

/** Deletions of accounts in this process, which outlive the requests for them. Another process may do the same. */
export class BegunDeletions {
  private readonly passes = new RepeatedPasses({ work: 'deletion of accounts', pauseMs: LOOK_EVERY_MS })
  /** by the id of the account: its name may be that of another one before all of it is gone */
  private readonly running = new Map<string, Promise<void>>()
  private readonly stopping = new AbortController()

  /** @param rows - of the other parts of the service */
  constructor(
    private readonly accounts: Accounts,
    private readonly rows: () => readonly AccountRows[],
  ) {}

  /** Completes what was begun and has not ended, now and from then on. */
  continue(): void {
    this.passes.begin(() => this.continueAll(), 'now')
  }

  /**
   * Disables the account for good, and erases it.
   *
   * @returns `deleted`: it is gone after `patienceMs`; if not, it goes on
   * @throws AgentError if it fails within that time
   */
  async delete(
    name: string,
    patienceMs: number,
    operator: AuditActor | undefined,
  ): Promise<{ account: ListedAccount; deleted: boolean }> {
    const account = await this.accounts.states.beginDeletion(name, operator)
    // A repeated request may find another account of that name.
    if ((await this.accounts.states.find(name))?.id !== account.id) return { account, deleted: true }
    const patience = new AbortController()
    const late = pause(patienceMs, false, { signal: patience.signal, ref: false }).catch(() => false)
    const gone = this.run(account).then(() => true)
    // After that time nobody else learns of a failure; the next pass continues.
    gone.catch(() => undefined)
    try {
      return { account, deleted: await Promise.race([gone, late]) }
    } finally {
      patience.abort()
    }
  }

  /** Does not wait: what is left is continued by the next start. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.passes.stop()
  }

  private async continueAll(): Promise<boolean> {
    const begun = await this.accounts.states.beingDeleted()
    const ended = await Promise.allSettled(begun.map((account) => this.run(account)))
    return ended.every(({ status }) => status === 'fulfilled')
  }

  /** Those who want the same wait for the same. */
  private run({ id }: Account): Promise<void> {
    const known = this.running.get(id)
    if (known) return known
    const { signal } = this.stopping
    const work = outsideOfRequests(() => this.accounts.deletion(this.rows()).complete({ id }, { signal }))
    const run = Promise.race([work, aborted(signal)])
      .catch((error: unknown) => {
        if (!signal.aborted) log('warn', 'the deletion of an account will be continued', {}, error)
        throw error
      })
      .finally(() => this.running.delete(id))
    this.running.set(id, run)
    return run
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the service stops')), { once: true })
  })
