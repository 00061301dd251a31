import { findAccount } from './accounts.js'
import type { BlockLimits } from './block-limits.js'
import type { ChainState } from './chain-state.js'
import type { BroadcastAnswer, ChainNode, ExecutedTransaction, LookedFor } from './chain-node.js'
import type { FeeQuotes } from './fees.js'
import type { GasEstimates } from './gas-estimates.js'
import { isLedgerError } from './is-ledger-error.js'
import type { MessageCosts } from './message-costs.js'
import type { Settings } from './options.js'
import type { Outcome, OutboxMessage, SentTransaction, Verdict } from './outbox-message.js'
import type { OutboxRows } from './outbox-rows.js'
import type { Payer } from './payer.js'
import { transactionFate } from './transaction-fate.js'
import {
  GAS_LIMIT,
  KNOWN,
  MEMPOOL_FULL,
  OUT_OF_GAS,
  SEQUENCE_MISMATCH,
  TOO_LARGE,
  type Failure,
} from './refusals.js'
import type { TransactionWriter } from './transaction-writer.js'
import { verdictsOn, verdictsOnDeath, verdictsOnFailure } from './verdicts.js'

export interface SessionParts {
  settings: Pick<Settings, 'outbox' | 'batch'>
  rows: OutboxRows
  state: ChainState
  node: ChainNode
  payer: Payer
  writer: TransactionWriter
  fees: FeeQuotes
  blocks: BlockLimits
  estimates: GasEstimates
  costs: MessageCosts
  /** callers of this process are waiting */
  tell(outcomes: ReadonlyMap<string, Outcome>): void
}

export type NextStep = 'at once' | 'wait for a block' | 'wait for messages'

interface Pending extends SentTransaction {
  /** whether a node may have accepted it; `false`: only we have it */
  mayBeTaken: boolean
  overtakenAt: number | undefined
  /** what its messages cost, in ncheq, as far as this process knows */
  cost: bigint
}

/** Transactions without a block are handed to a node again at every so many looks: nodes may forget them. */
const LOOKS_BETWEEN_BROADCASTS = 5
type Sending = 'more' | 'nothing' | 'later'

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
  /** no node takes anything before this block: a refusal has raised the sequence that they expect */
  private resumesAt = 0
  private forgotAt = 0

  constructor(private readonly parts: SessionParts) {}

  /** @throws LedgerError, AgentError, OvertakenError: the session is over */
  async step(): Promise<NextStep> {
    this.sent ??= await this.takeOver()
    await this.settleInOrder(this.sent)
    if (this.sent.length === 0) this.draining = false
    const sendsMore = !this.draining && this.sent.length < this.parts.settings.outbox.maxInFlight
    const next = sendsMore ? await this.sendNext(this.sent) : 'nothing'
    if (next === 'more') return 'at once'
    await this.forgetFinished()
    return this.sent.length > 0 || next === 'later' ? 'wait for a block' : 'wait for messages'
  }

  /** A transaction left pending by another process, or by this one before, may have reached a node or not. */
  private async takeOver(): Promise<Pending[]> {
    const sent = await this.parts.rows.sent(this.parts.payer.address)
    this.draining = sent.length > 0
    const unknown = { mayBeTaken: true, overtakenAt: undefined, cost: 0n }
    const pending = sent.map((transaction) => ({ ...transaction, ...unknown }))
    for (const transaction of pending) await this.handOver(transaction)
    return pending
  }

  private async settleInOrder(sent: Pending[]): Promise<void> {
    for (let first = sent[0]; first; first = sent[0]) {
      const looked = await this.parts.node.lookFor(first.hash)
      if (looked.found) await this.settleExecuted(first, looked.found)
      else if (looked.catchingUp || !(await this.settleUnseen(first, looked))) break
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
    const verdicts =
      executed.code === 0
        ? verdictsOn(messages, executed)
        : await this.verdicts(messages, { ...executed, phase: 'deliver' })
    // Whether a failed transaction has used up its sequence depends on the reason.
    if (executed.code !== 0) this.distrust()
    await this.settle(transaction, messages, verdicts)
  }

  /** @returns whether its outcome is known: it is in a block, or will never be executed */
  private async settleUnseen(transaction: Pending, { height, isIndexed }: LookedFor): Promise<boolean> {
    const { payer, state, rows, node } = this.parts
    const isTurn = this.looks > 0 && this.looks % LOOKS_BETWEEN_BROADCASTS === 0
    const isDue = isTurn || !isIndexed || height >= transaction.timeoutHeight
    if (!isDue && transaction.overtakenAt === undefined) return false
    const account = await findAccount(state, payer.address, height)
    const accountSequence = account?.sequence ?? 0
    if (accountSequence > transaction.sequence) {
      const found = await this.findInBlocks(transaction, height)
      if (found) {
        await this.settleExecuted(transaction, found)
        return true
      }
      transaction.overtakenAt ??= Math.max(height, (await node.status()).height)
    }
    const fate = transactionFate({ ...transaction, height, accountSequence })
    if (fate === 'open') return false
    this.distrust()
    const messages = await rows.inTransaction(transaction)
    await this.settle(transaction, messages, verdictsOnDeath(messages, fate === 'expired'))
    return true
  }

  /** An index may be late or missing. For pruned blocks only the state shows the outcome. */
  private async findInBlocks({ hash, timeoutHeight }: Pending, height: number) {
    const { node, settings } = this.parts
    const from = Math.max(1, timeoutHeight - settings.outbox.timeoutBlocks)
    try {
      return await node.findInBlocks(hash, from, Math.min(height, timeoutHeight))
    } catch (error) {
      if (isLedgerError(error)) return undefined
      throw error
    }
  }

  private async settle(
    transaction: SentTransaction,
    messages: readonly OutboxMessage[],
    verdicts: Map<string, Verdict>,
  ): Promise<void> {
    const { costs, rows, estimates, payer } = this.parts
    await costs.explain(verdicts, messages)
    await rows.settle(payer.address, transaction, verdicts)
    const finished = finishedMessages(verdicts)
    for (const [id, verdict] of verdicts) {
      if (verdict.kind === 'again' && verdict.outOfGas !== undefined)
        estimates.noteRanOut(id, verdict.outOfGas)
    }
    estimates.noteFinished(finished.keys())
    this.parts.tell(finished)
  }

  /** @returns whether there may be more to send at once, or only after a block */
  private async sendNext(sent: Pending[]): Promise<Sending> {
    const { rows, payer, settings, writer, node, costs, estimates } = this.parts
    if (this.resumesAt > 0 && (await node.status()).height < this.resumesAt) return 'later'
    const queued = await rows.queued(payer.address, settings.batch.maxMessages)
    if (queued.length === 0) return 'nothing'
    const batch = await estimates.takeBatch(await writer.withoutCompany(queued))
    const { ready, finished } = await writer.examine(batch)
    await this.finish(finished)
    if (ready.length === 0) {
      rows.took(batch)
      return finished.size > 0 ? 'more' : 'nothing'
    }
    const sequence = await this.nextSequence()
    const underWay = sent.reduce((sum, { cost }) => sum + cost, 0n)
    const payable = sequence === undefined ? [] : await costs.payable(ready, underWay)
    if (sequence === undefined || payable.length === 0) {
      if (sent.length > 0) return 'later'
      rows.took(batch)
      await this.finish(await costs.unpayable(ready))
      return 'more'
    }
    rows.took(payable)
    const isMore = queued.length > payable.length || queued.length >= settings.batch.maxMessages
    return (await this.send(sent, payable, sequence)) && isMore ? 'more' : 'nothing'
  }

  /** @returns whether more can be sent after it */
  private async send(
    sent: Pending[],
    messages: readonly OutboxMessage[],
    sequence: number,
  ): Promise<boolean> {
    const { rows, payer, settings, writer, node, state, fees: quotes } = this.parts
    const prepared = await writer.sign(messages, {
      accountNumber: this.accountNumber,
      sequence,
      timeoutHeight: async () =>
        Math.max((await node.status()).height, state.knownHeight) + settings.outbox.timeoutBlocks,
    })
    if ('finished' in prepared) {
      await this.finish(prepared.finished)
      return true
    }
    const { signed, fees, gas } = prepared
    await rows.sign(
      payer.address,
      signed,
      sent.map(({ hash }) => hash),
      fees,
    )
    const cost = [...fees.values()].reduce((sum, fee) => sum + fee, 0n)
    const pending = { ...signed, mayBeTaken: false, overtakenAt: undefined, cost }
    sent.push(pending)
    this.sequence = sequence + 1
    const refusal = await this.handOver(pending)
    if (refusal) {
      quotes.learnFrom(refusal.log, gas)
      await this.settleRefused(sent, pending, refusal)
    }
    return !this.draining
  }

  /** No node has it, so that its sequence is free again. */
  private async settleRefused(sent: Pending[], transaction: Pending, answer: BroadcastAnswer): Promise<void> {
    const { rows, node, blocks } = this.parts
    const messages = await rows.inTransaction(transaction)
    const { code, codespace } = answer
    // If a node refuses a transaction after counting the sequence, the count stays until the next block.
    const isCounted = codespace !== 'sdk' || code === SEQUENCE_MISMATCH || code === OUT_OF_GAS
    if (isCounted) this.resumesAt = (await node.status()).height + 1
    if (codespace === 'sdk' && (code === TOO_LARGE || code === GAS_LIMIT)) blocks.forget()
    await this.settle(transaction, messages, await this.verdicts(messages, { ...answer, phase: 'check' }))
    sent.splice(sent.indexOf(transaction), 1)
    this.distrust()
  }

  /** Whether a transaction that ran out of gas had the maximum. */
  private async verdicts(
    messages: readonly OutboxMessage[],
    failure: Failure,
  ): Promise<Map<string, Verdict>> {
    const [, wanted = '0'] = /gasWanted: (\d+)/.exec(failure.log) ?? []
    const most = (await this.parts.blocks.gas()) ?? Infinity
    return verdictsOnFailure(messages, { ...failure, hadAllGas: Number(wanted) >= most })
  }

  /**
   * Submits a transaction to a node.
   *
   * @returns its refusal, if no node can have the transaction
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
      // Whether a node has it is unknown; it is submitted again.
      transaction.mayBeTaken = true
      return undefined
    }
  }

  private distrust(): void {
    this.draining = true
    this.sequence = undefined
    this.parts.fees.forget()
  }

  private async finish(outcomes: ReadonlyMap<string, Outcome>): Promise<void> {
    await this.parts.rows.finish(outcomes)
    this.parts.tell(outcomes)
  }

  /** @returns `undefined` if the payer has never received anything */
  private async nextSequence(): Promise<number | undefined> {
    if (this.sequence === undefined) {
      const account = await findAccount(this.parts.state, this.parts.payer.address, this.resumesAt)
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

function finishedMessages(verdicts: ReadonlyMap<string, Verdict>): Map<string, Outcome> {
  const finished = new Map<string, Outcome>()
  for (const [id, verdict] of verdicts) if (verdict.kind === 'finished') finished.set(id, verdict.outcome)
  return finished
}
