import { createHash } from 'node:crypto'
import { log, outsideOfRequests, queueName, type QueueName } from '@vidimus/core-types'
import type { Release } from '@vidimus/database'
import type { Network } from '@vidimus/ledger'
import type { OutboxSession } from './outbox-session.js'
import type { Settings } from './options.js'

/** What the sender needs for one pass. */
export interface SenderParts {
  /** which network it is, for the log */
  about: { network: string }
  settings: Pick<Settings, 'outbox'>
  /** @returns `undefined` if another process sends */
  lock(): Promise<Release | undefined>
  /** @returns whether anything waits to be sent or settled */
  isWaiting(): Promise<boolean>
  /** the tables are all that it knows */
  begin(): Promise<OutboxSession>
}

const LONGEST_PAUSE_MS = 10_000

/**
 * Sends the content of the outbox, in one process at a time. On any failure it drops what it had in memory and starts
 * over from the tables, after a pause; another process may have continued meanwhile.
 */
export class OutboxSender {
  /** its last obstacle to sending, until something works */
  failure: unknown
  private running: Promise<void> | undefined
  private stopping = false
  private failures = 0
  private wakeUp: (() => void) | undefined
  private awake = false

  constructor(private readonly parts: SenderParts) {}

  /** Once or more often. */
  start(): void {
    if (!this.stopping) this.running ??= outsideOfRequests(() => this.run())
  }

  /** Finishes the step that it is at. */
  async stop(): Promise<void> {
    this.stopping = true
    this.wake()
    await this.running
  }

  /** There is something to send. */
  wake(): void {
    this.awake = true
    this.wakeUp?.()
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      try {
        const release = await this.parts.lock()
        if (release) await this.sendUntilStopped().finally(release)
        else await this.standBy()
      } catch (error) {
        this.tell(error)
        this.failure = error
        const pause = this.parts.settings.outbox.pollMs * 2 ** Math.min(this.failures++, 10)
        await this.pause(Math.min(pause, LONGEST_PAUSE_MS), false)
      }
    }
  }

  /** Once for each time that it ceases to work, not for each attempt. */
  private tell(error: unknown): void {
    if (this.failures > 0) return
    const isOvertaken = error instanceof Error && error.name === 'OvertakenError'
    const level = isOvertaken ? 'debug' : 'warn'
    log(level, 'messages to the network cannot be sent now', this.parts.about, error)
  }

  /** Another process sends: it is not disturbed as long as there is nothing to do. */
  private async standBy(): Promise<void> {
    do await this.pause(this.parts.settings.outbox.electionMs, false)
    while (!this.stopping && !(await this.parts.isWaiting()))
  }

  private async sendUntilStopped(): Promise<void> {
    log('info', 'this process sends the messages to the network', this.parts.about)
    const session = await this.parts.begin()
    const { pollMs, tableMs } = this.parts.settings.outbox
    while (!this.stopping) {
      const next = await session.step()
      if (this.failures > 0) log('info', 'messages to the network can be sent again', this.parts.about)
      this.failure = undefined
      this.failures = 0
      // Messages submitted while blocks are waited for share the next transaction.
      if (next === 'wait for a block') await this.pause(pollMs, false)
      if (next === 'wait for messages') await this.pause(tableMs, true)
    }
  }

  /** @param wakeable - whether there is something to do as soon as a message is submitted */
  private async pause(ms: number, wakeable: boolean): Promise<void> {
    if (this.stopping || (wakeable && this.awake)) {
      this.awake = false
      return
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      timer.unref()
      this.wakeUp = () => {
        if (!wakeable && !this.stopping) return
        clearTimeout(timer)
        resolve()
      }
    })
    this.wakeUp = undefined
    if (wakeable) this.awake = false
  }
}

/** The name of the lock that the sender of a payer holds: letters and dashes. */
export function senderLockName(network: Network, payer: string): QueueName {
  const digest = createHash('sha256').update(`${network} ${payer}`).digest()
  const letters = [...digest.subarray(0, 12)].map((byte) => String.fromCharCode(97 + (byte % 26)))
  return queueName(`cheqd-outbox-${letters.join('')}`)
}
