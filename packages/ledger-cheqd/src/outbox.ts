import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { noteCost, tellNearlySpent, waitsForNetworks } from '@vidimus/core-types'
import { outcomeUnknown, withdrawn } from './failures.js'
import { restoredError, type Outcome } from './outbox-message.js'
import type { NewMessage, OutboxRows } from './outbox-rows.js'
import type { OutboxWatch } from './outbox-watch.js'
import type { Settings } from './options.js'

export interface OutboxParts {
  settings: Pick<Settings, 'outbox' | 'events'>
  rows: OutboxRows
  watch: OutboxWatch
  /** there is something to send */
  wake(): void
  /** there is a block that the state must be read from at least */
  wrote(height: number): void
}

type Finished = Extract<Outcome, { txHash: string }>

/** Where messages are submitted: from then on they are sent, whatever becomes of the caller and of this process. */
export class Outbox {
  constructor(private readonly parts: OutboxParts) {}

  /**
   * Resolves once the message has its block.
   *
   * @throws LedgerError: its refusal; of phase `transport` if it was withdrawn unsent; of phase `timeout` if it
   *   continues without the caller. The signal's reason if it aborts before the message is in a transaction.
   */
  submit(payer: string, message: Omit<NewMessage, 'id'>, signal?: AbortSignal): Promise<Finished> {
    return waitsForNetworks.during(() => this.sent(payer, message, signal))
  }

  private async sent(
    payer: string,
    message: Omit<NewMessage, 'id'>,
    signal: AbortSignal | undefined,
  ): Promise<Finished> {
    const { submitTimeoutMs } = this.parts.settings.outbox
    const timeout = AbortSignal.timeout(submitTimeoutMs)
    const given = signal ? AbortSignal.any([signal, timeout]) : timeout
    const id = randomUUID()
    await this.add(payer, { ...message, id }, given)
    const outcome = (await this.wait(id, given)) ?? (await this.giveUp(id, signal))
    // The cost of a payment is booked with it.
    if (message.kind !== 'payment') noteCost(outcome.paid)
    if (!('error' in outcome)) return outcome
    if (outcome.error.height !== undefined) this.parts.wrote(outcome.error.height)
    throw restoredError(outcome.error)
  }

  /** Waits if another message has the slot. */
  private async add(payer: string, message: NewMessage, signal: AbortSignal): Promise<void> {
    const { rows, settings } = this.parts
    let nearing = await rows.add(payer, message)
    for (; !nearing; nearing = await rows.add(payer, message)) {
      if (signal.aborted) throw withdrawn('another version of the same resource did not complete in time')
      await pause(settings.outbox.tableMs)
    }
    this.parts.wake()
    for (const budget of nearing) await tellNearlySpent(settings.events, rows.network, 'writes', budget)
  }

  /** @returns `undefined` if the signal was faster */
  private wait(id: string, signal: AbortSignal): Promise<Outcome | undefined> {
    return new Promise((resolve) => {
      const stop = () => {
        forget()
        resolve(undefined)
      }
      const forget = this.parts.watch.wait(id, (outcome) => {
        signal.removeEventListener('abort', stop)
        resolve(outcome)
      })
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    })
  }

  /** Messages without a transaction are withdrawn. */
  private async giveUp(id: string, signal: AbortSignal | undefined): Promise<Outcome> {
    const { rows, settings } = this.parts
    if (await rows.withdraw(id)) {
      signal?.throwIfAborted()
      throw withdrawn(`no transaction took it in ${settings.outbox.submitTimeoutMs} ms`)
    }
    const outcome = (await rows.outcomes([id])).get(id)
    if (outcome) return outcome
    throw outcomeUnknown('the transaction is not in a block yet; it will continue')
  }
}
