import { findAccount } from './accounts.js'
import { takeBatch } from './batching.js'
import type { ChainState } from './chain-state.js'
import type { BroadcastAnswer, ChainNode, ExecutedTransaction } from './chain-node.js'
import { isLedgerError } from './is-ledger-error.js'
import type { Settings } from './options.js'
import type { Outcome, OutboxMessage, SentTransaction, Verdict } from './outbox-message.js'
import type { OutboxRows } from './outbox-rows.js'
import type { Payer } from './payer.js'
import { fateOf } from './transaction-fate.js'
import type { TransactionWriter } from './transaction-writer.js'
import { verdictsOn, verdictsOnDeath, verdictsOnFailure } from './verdicts.js'

export interface SessionParts {
  settings: Pick<Settings, 'outbox' | 'batch' | 'gas'>
  rows: OutboxRows
  state: ChainState
  node: ChainNode
  payer: Payer
  writer: TransactionWriter
  /** callers of this process are waiting */
  tell(outcomes: ReadonlyMap<string, Outcome>): void
  /** the fees that were asked for are no longer the right ones */
  forgetFees(): void
  /** an explanation in place of the chain's, where there is a better one */
  explain(verdicts: Map<string, Verdict>, messages: readonly OutboxMessage[]): Promise<void>
}

export type NextStep = 'at once' | 'wait for a block' | 'wait for messages'

interface Pending extends SentTransaction {
  /** whether a node may have taken it; `false`: nobody but us has it */
  mayBeTaken: boolean
  overtakenAt: number | undefined
}

/** Transactions without a block are handed to a node again at every so many looks: nodes may forget them. */
const LOOKS_BETWEEN_BROADCASTS = 5
const SEQUENCE_MISMATCH = 32
/** in the mempool already */
const KNOWN = 19
const MEMPOOL_FULL = 20

/**
 * Sends messages and finds out what became of them, one step after the other. All that it has in memory can be made
 * again of the tables and the chain: it ends with the first error.
 */
export class OutboxSession {
  private sent: Pending[] | undefined
  private sequence: number | undefined
  private accountNumber = 0
  /** nothing new is signed before all that is under way is settled: its sequences may be wrong */
  private draining = false
  private looks = 0
  private forgotAt = 0

  constructor(private readonly parts: SessionParts) {}

  /** @throws LedgerError, AgentError, OvertakenError: the session is over */
  async step(): Promise<NextStep> {
    this.sent ??= await this.takeOver()
    await this.settleInOrder(this.sent)
    if (this.sent.length === 0) this.draining = false
    const sentMore = !this.draining && this.sent.length < this.parts.settings.outbox.maxInFlight
    if (sentMore && (await this.sendNext(this.sent))) return 'at once'
    await this.forgetFinished()
    return this.sent.length > 0 ? 'wait for a block' : 'wait for messages'
  }

  /** What another process, or this one before, has left under way may have reached a node or not. */
  private async takeOver(): Promise<Pending[]> {
    const sent = await this.parts.rows.sent(this.parts.payer.address)
    this.draining = sent.length > 0
    const pending = sent.map((transaction) => ({ ...transaction, mayBeTaken: true, overtakenAt: undefined }))
    for (const transaction of pending) await this.handOver(transaction)
    return pending
  }

  private async settleInOrder(sent: Pending[]): Promise<void> {
    for (let first = sent[0]; first; first = sent[0]) {
      const looked = await this.parts.node.lookFor(first.hash)
      if (looked.found) await this.settleExecuted(first, looked.found)
      else if (looked.catchingUp || !(await this.settleDead(first, looked.height))) break
      sent.shift()
      this.looks = 0
    }
    if (sent.length > 0 && ++this.looks % LOOKS_BETWEEN_BROADCASTS === 0) {
      for (const transaction of sent) await this.handOver(transaction)
    }
  }

  private async settleExecuted(transaction: Pending, executed: ExecutedTransaction): Promise<void> {
    this.parts.state.wrote(executed.height)
    const messages = await this.parts.rows.inTransaction(transaction)
    const verdicts = verdictsOn(messages, executed)
    // Whether a transaction that failed has used up its sequence depends on why it failed.
    if (executed.code !== 0) this.distrust()
    await this.settle(transaction, messages, verdicts)
  }

  /** @returns whether it will never be executed */
  private async settleDead(transaction: Pending, height: number): Promise<boolean> {
    const { payer, state, rows, node } = this.parts
    const isTurn = this.looks > 0 && this.looks % LOOKS_BETWEEN_BROADCASTS === 0
    const isDue = isTurn || height >= transaction.timeoutHeight
    if (!isDue && transaction.overtakenAt === undefined) return false
    const account = await findAccount(state, payer.address, height)
    const accountSequence = account?.sequence ?? 0
    if (accountSequence > transaction.sequence) {
      transaction.overtakenAt ??= Math.max(height, (await node.status()).height)
    }
    const fate = fateOf({ ...transaction, height, accountSequence })
    if (fate === 'open') return false
    this.distrust()
    const messages = await rows.inTransaction(transaction)
    await this.settle(transaction, messages, verdictsOnDeath(messages, fate === 'expired'))
    return true
  }

  private async settle(
    transaction: SentTransaction,
    messages: readonly OutboxMessage[],
    verdicts: Map<string, Verdict>,
  ): Promise<void> {
    await this.parts.explain(verdicts, messages)
    await this.parts.rows.settle(transaction, verdicts)
    this.parts.tell(finishedOf(verdicts))
  }

  /** @returns whether there may be more to send at once */
  private async sendNext(sent: Pending[]): Promise<boolean> {
    const { rows, payer, settings, writer, node, state } = this.parts
    const queued = await rows.queued(payer.address, settings.batch.maxMessages)
    if (queued.length === 0) return false
    const batch = takeBatch(await writer.withoutCompany(queued), settings.batch, settings.gas)
    rows.took(batch)
    const { ready, finished } = await writer.examine(batch)
    await this.finish(finished)
    if (ready.length === 0) return finished.size > 0
    const [{ height }, sequence] = await Promise.all([node.status(), this.nextSequence()])
    if (sequence === undefined) {
      await this.finish(await writer.unpayable(ready))
      return true
    }
    const { signed, fees } = await writer.sign(ready, {
      accountNumber: this.accountNumber,
      sequence,
      timeoutHeight: Math.max(height, state.knownHeight) + settings.outbox.timeoutBlocks,
    })
    const others = sent.map(({ hash }) => hash)
    await rows.sign(payer.address, signed, others, fees)
    const pending = { ...signed, mayBeTaken: false, overtakenAt: undefined }
    sent.push(pending)
    this.sequence = sequence + 1
    const refusal = await this.handOver(pending)
    if (refusal) await this.settleRefused(sent, pending, refusal)
    return !this.draining && queued.length > signed.messageIds.length
  }

  /** No node has it, so that its sequence is free again. */
  private async settleRefused(sent: Pending[], transaction: Pending, answer: BroadcastAnswer): Promise<void> {
    const messages = await this.parts.rows.inTransaction(transaction)
    const verdicts = verdictsOnFailure(messages, { ...answer, phase: 'check' })
    await this.settle(transaction, messages, verdicts)
    sent.splice(sent.indexOf(transaction), 1)
    this.distrust()
  }

  /**
   * Hands a transaction to a node.
   *
   * @returns its refusal, where no node can have the transaction
   */
  private async handOver(transaction: Pending): Promise<BroadcastAnswer | undefined> {
    try {
      const answer = await this.parts.node.broadcast(transaction.bytes)
      if (answer.uncertain || answer.code === 0 || answer.code === KNOWN) transaction.mayBeTaken = true
      if (answer.code === 0 || (answer.codespace === 'sdk' && answer.code === KNOWN)) return undefined
      if (answer.codespace === 'sdk' && answer.code === MEMPOOL_FULL) {
        this.draining = true
        return undefined
      }
      if (answer.codespace === 'sdk' && answer.code === SEQUENCE_MISMATCH) this.distrust()
      return transaction.mayBeTaken ? undefined : answer
    } catch (error) {
      if (!isLedgerError(error)) throw error
      // Whether a node has it is not known; it is handed over again.
      transaction.mayBeTaken = true
      return undefined
    }
  }

  private distrust(): void {
    this.draining = true
    this.sequence = undefined
    this.parts.forgetFees()
  }

  private async finish(outcomes: ReadonlyMap<string, Outcome>): Promise<void> {
    await this.parts.rows.finish(outcomes)
    this.parts.tell(outcomes)
  }

  /** @returns `undefined` where the payer has never had anything */
  private async nextSequence(): Promise<number | undefined> {
    if (this.sequence === undefined) {
      const account = await findAccount(this.parts.state, this.parts.payer.address)
      if (!account) return undefined
      this.accountNumber = account.accountNumber
      this.sequence = account.sequence
    }
    return this.sequence
  }

  private async forgetFinished(): Promise<void> {
    const { rows, payer, settings } = this.parts
    const keepMs = settings.outbox.keepFinishedMinutes * 60_000
    const now = performance.now()
    if (this.forgotAt !== 0 && now - this.forgotAt < keepMs / 4) return
    this.forgotAt = now
    await rows.forget(payer.address, new Date((await rows.database.now()).getTime() - keepMs))
  }
}

function finishedOf(verdicts: ReadonlyMap<string, Verdict>): Map<string, Outcome> {
  const finished = new Map<string, Outcome>()
  for (const [id, verdict] of verdicts) if (verdict.kind === 'finished') finished.set(id, verdict.outcome)
  return finished
}
