import { sdkRefusal } from './refusal.js'

/** Whether a node finds transactions again: at once, some blocks late, or never (`tx_index = "null"`). */
export type TransactionIndex = 'on' | 'off' | { lagBlocks: number }

/** How much a node remembers: of how many blocks the states, and the blocks themselves. */
export interface Pruning {
  states: number
  blocks: number
}

/** What a node remembers of the past. */
export class NodeMemory {
  index: TransactionIndex
  private readonly pruning: Pruning | undefined

  constructor({ index = 'on', pruning }: { index?: TransactionIndex; pruning?: Pruning }) {
    this.index = index
    this.pruning = pruning
  }

  /** @throws Refusal `sdk` 18 for the state after a block that is forgotten */
  assertState(height: number, last: number): void {
    if (!this.pruning || height > last - this.pruning.states) return
    throw sdkRefusal(
      18,
      `failed to load state at height ${height}; version does not exist (latest height: ${last})`,
    )
  }

  lowestBlock(last: number): number {
    return this.pruning ? Math.max(1, last - this.pruning.blocks + 1) : 1
  }
}
