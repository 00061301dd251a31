import { currentCaller, tellAccount, type AccountEventSink } from '@vidimus/core-types'
import type { Network } from '@vidimus/ledger'
import { isLedgerError } from './is-ledger-error.js'
import { INSUFFICIENT_FUNDS } from './refusals.js'

/** The interval between two events for an account. */
const TELL_EVERY_MS = 60 * 60 * 1000
/** The number of accounts to keep; beyond that all start over. */
const MOST_ACCOUNTS = 10_000

/** Notifies accounts that their writes are refused because the payer of the network has too little. */
export class PayerShortage {
  /** the time of an account's last event */
  private readonly told = new Map<string, number>()

  constructor(
    private readonly network: Network,
    private readonly events: AccountEventSink | undefined,
  ) {}

  /** @throws what `write` throws, whatever becomes of telling */
  async tellOf<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write()
    } catch (error) {
      if (isLedgerError(error) && error.codespace === 'sdk' && error.code === INSUFFICIENT_FUNDS) {
        await this.tell()
      }
      throw error
    }
  }

  private async tell(): Promise<void> {
    const account = currentCaller()?.account.id
    const now = performance.now()
    if (account === undefined || now - (this.told.get(account) ?? -Infinity) < TELL_EVERY_MS) return
    if (this.told.size > MOST_ACCOUNTS) this.told.clear()
    this.told.set(account, now)
    const event = { type: 'payer.short', subject: this.network } as const
    await tellAccount(this.events, event, 'that the payer has too little')
  }
}
