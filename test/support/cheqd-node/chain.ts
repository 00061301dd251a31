import { createHash } from 'node:crypto'
import type { ChainSettings, TransactionResult } from './chain-settings.js'
import type { Misbehaviour } from './misbehaviour.js'
import { StateHistory, StateOverlay, type StateReader } from './state.js'
import { deliver, simulate } from './transaction-execution.js'
import type { Transaction } from './transaction.js'

export interface IncludedTransaction {
  transaction: Transaction
  height: number
  /** in the block */
  index: number
  /** of the block */
  time: Date
  /** whether the block begins with what the oracle has voted on */
  hasOracle: boolean
  result: TransactionResult
}

export interface Block {
  height: number
  time: Date
  /** upper-case hex */
  hash: string
  /** whether it begins with what the oracle has voted on */
  hasOracle: boolean
  transactions: readonly IncludedTransaction[]
}

/** The blocks of a chain and the state that they lead to; one block is made at a time. */
export class Chain {
  readonly blocks: Block[] = []
  private readonly history = new StateHistory()
  private readonly byHash = new Map<string, IncludedTransaction>()

  constructor(readonly settings: ChainSettings) {}

  get height(): number {
    return this.blocks.length
  }

  /** The committed state after a block. */
  stateAt(height: number): StateReader {
    return this.history.at(height)
  }

  blockAt(height: number): Block | undefined {
    return this.blocks[height - 1]
  }

  find(hash: string): IncludedTransaction | undefined {
    return this.byHash.get(hash)
  }

  /** as the index of transactions has them: each once, oldest first */
  get indexed(): IncludedTransaction[] {
    return [...this.byHash.values()]
  }

  /** oldest first */
  get transactions(): IncludedTransaction[] {
    return this.blocks.flatMap(({ transactions }) => transactions)
  }

  /** Writes to the newest state by hand, as a genesis file would. */
  amend(change: (state: StateOverlay) => void): void {
    const overlay = new StateOverlay(this.stateAt(this.height))
    change(overlay)
    this.history.commit(this.height, overlay)
  }

  /** Executes transactions in their order and commits what they did; block times always go up. */
  async append(now: Date, transactions: readonly Transaction[], faults: Misbehaviour): Promise<Block> {
    const height = this.height + 1
    const { hasOracle } = this.settings
    const before = this.blocks.at(-1)
    const time = new Date(Math.max(now.getTime(), (before?.time.getTime() ?? 0) + 1))
    const state = new StateOverlay(this.stateAt(this.height))
    const included: IncludedTransaction[] = []
    for (const [index, transaction] of transactions.entries()) {
      const result = await deliver(this.settings, state, transaction, { height, time, faults })
      included.push({ transaction, height, index, time, hasOracle, result })
    }
    this.history.commit(height, state)
    const hash = blockHash(before, time, transactions)
    const block = { height, time, hash, hasOracle, transactions: included }
    this.blocks.push(block)
    for (const one of included) this.index(one)
    return block
  }

  /** The same bytes may come again where they failed; a success is never replaced by a failure. */
  private index(included: IncludedTransaction): void {
    const { hash } = included.transaction
    if (this.byHash.get(hash)?.result.code === 0 && included.result.code !== 0) return
    this.byHash.delete(hash)
    this.byHash.set(hash, included)
  }

  /** Executes a transaction without keeping anything of it. */
  simulate(checked: StateReader, transaction: Transaction): Promise<TransactionResult> {
    const time = this.blocks.at(-1)?.time ?? new Date()
    return simulate(this.settings, checked, transaction, { height: this.height, time })
  }
}

function blockHash(before: Block | undefined, time: Date, transactions: readonly Transaction[]): string {
  const content = [before?.hash ?? '', time.toISOString(), ...transactions.map(({ hash }) => hash)]
  return createHash('sha256').update(content.join()).digest('hex').toUpperCase()
}
