import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { batchGas, takeBatch } from './batching.js'
import type { BlockLimits } from './block-limits.js'
import type { ChainState } from './chain-state.js'
import { isLedgerError } from './is-ledger-error.js'
import type { Settings } from './options.js'
import type { OutboxMessage } from './outbox-message.js'
import type { Payer } from './payer.js'
import { unsignedTransaction, type TransactionDraft } from './transaction.js'

/**
 * The gas of the fee after the messages, which no node simulates, on cheqd-node 4.2: the minimum, and with a margin.
 */
const LEAST_FEE_GAS = 70_000
const FEE_GAS = 80_000
/** The count by bytes is this much too high for small messages. */
const EXPECTED_OF_COUNTED = 0.6
/** More than was used when it ran out. */
const MORE_THAN_USED = 1.5

type Simulated = Pick<TransactionDraft, 'messages' | 'memo' | 'sequence'>

/** How much gas transactions need: as a node simulates them, or counted by their bytes. */
export class GasEstimates {
  /** the fraction of the estimate that the last transaction of several messages needed */
  private expected = EXPECTED_OF_COUNTED
  /** what messages had used when they ran out of gas */
  private readonly ranOut = new Map<string, number>()

  constructor(
    private readonly settings: Pick<Settings, 'gas' | 'batch'>,
    private readonly state: ChainState,
    private readonly blocks: BlockLimits,
  ) {}

  /** The messages of the next transaction: as many as a block is expected to take. */
  async takeBatch(queued: readonly OutboxMessage[]): Promise<OutboxMessage[]> {
    const { maxMessages, maxBytes, maxGas = Infinity } = this.settings.batch
    const limits = { maxMessages, maxBytes, maxGas: Math.min(maxGas, (await this.blocks.gas()) ?? Infinity) }
    return takeBatch(queued, limits, (batch) => this.expected * batchGas(batch, this.settings.gas))
  }

  /** The gas that a transaction requests, and its minimum, if that is known from a simulation. */
  async of(
    messages: readonly OutboxMessage[],
    draft: Simulated,
    payer: Payer,
  ): Promise<{ gas: number; least?: number }> {
    const counted = batchGas(messages, this.settings.gas)
    const isPayment = messages.some(({ kind }) => kind === 'payment')
    const used = isPayment ? undefined : await this.usedInSimulation(draft, payer)
    const ranOut = Math.max(0, ...messages.map(({ id }) => MORE_THAN_USED * (this.ranOut.get(id) ?? 0)))
    if (used === undefined) return { gas: Math.ceil(Math.max(counted, ranOut)) }
    const wanted = used * this.settings.gas.adjustment + FEE_GAS
    if (messages.length > 1) this.expected = wanted / counted
    return { gas: Math.ceil(Math.max(wanted, ranOut)), least: used + LEAST_FEE_GAS }
  }

  /** The minimum gas of messages; `undefined` if no node simulates them. */
  async least(draft: Simulated, payer: Payer): Promise<number | undefined> {
    const used = await this.usedInSimulation(draft, payer)
    return used === undefined ? undefined : used + LEAST_FEE_GAS
  }

  /** The next transaction of a message gets more. */
  noteRanOut(id: string, used: number): void {
    this.ranOut.set(id, Math.max(used, this.ranOut.get(id) ?? 0))
  }

  noteFinished(ids: Iterable<string>): void {
    for (const id of ids) this.ranOut.delete(id)
  }

  private async usedInSimulation(draft: Simulated, payer: Payer): Promise<number | undefined> {
    if (!this.settings.gas.simulate) return undefined
    try {
      return await this.simulate(draft, payer)
    } catch (error) {
      if (!isLedgerError(error)) throw error
      // The node that was asked may have seen more or less of what waits.
      const [, expected] = /sequence mismatch, expected (\d+)/.exec(error.message) ?? []
      if (expected === undefined) return undefined
      return this.simulate({ ...draft, sequence: Number(expected) }, payer).catch(() => undefined)
    }
  }

  private async simulate(draft: Simulated, payer: Payer): Promise<number | undefined> {
    // A node simulates any amount of gas, but takes no transaction that wants more than a block has.
    const complete = { ...draft, fee: 0n, gas: 1, timeoutHeight: 0 }
    const answer = await this.state.query(
      '/cosmos.tx.v1beta1.Service/Simulate',
      [SimulateRequest, SimulateResponse],
      SimulateRequest.fromPartial({ txBytes: unsignedTransaction(complete, payer) }),
    )
    const used = Number(answer?.gasInfo?.gasUsed ?? 0n)
    return used > 0 ? used : undefined
  }
}
