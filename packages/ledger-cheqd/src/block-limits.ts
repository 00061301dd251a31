import { QueryParamsRequest, QueryParamsResponse } from 'cosmjs-types/cosmos/consensus/v1/query'
import { batchBytes } from './batching.js'
import type { ChainState } from './chain-state.js'
import { tooLarge } from './failures.js'
import type { OutboxMessage } from './outbox-message.js'

/** The limits of a block of the chain; absent: unlimited. */
interface BlockSize {
  bytes?: number
  gas?: number
}

const KEEP_MS = 60_000
/** The minimum of a block beside its transactions: header, one validator's signature, lengths. */
const LEAST_BESIDES = 842

/** How large a block of the chain may be, asked for once a minute: what no block takes must not be queued. */
export class BlockLimits {
  private asked: { size: Promise<BlockSize>; until: number } | undefined

  constructor(private readonly state: ChainState) {}

  /** The gas of a block; `undefined`: as much as there is. */
  async gas(): Promise<number | undefined> {
    return (await this.size()).gas
  }

  /** A transaction was too large although it fitted. */
  forget(): void {
    this.asked = undefined
  }

  /** @throws LedgerError if no block can hold the message */
  async assertBytesFit(message: Pick<OutboxMessage, 'message'>): Promise<void> {
    const { bytes } = await this.size()
    const size = batchBytes([message])
    if (bytes !== undefined && size > bytes - LEAST_BESIDES) {
      throw tooLarge(
        `its transaction has about ${size} bytes, and a block of the network holds ${bytes - LEAST_BESIDES} (max_bytes ${bytes})`,
      )
    }
  }

  private size(): Promise<BlockSize> {
    const now = performance.now()
    if (!this.asked || this.asked.until <= now) {
      const size = this.ask()
      const asked = { size, until: now + KEEP_MS }
      this.asked = asked
      size.catch(() => {
        if (this.asked === asked) this.asked = undefined
      })
    }
    return this.asked.size
  }

  /** A chain that does not report its limits has none that are known. */
  private async ask(): Promise<BlockSize> {
    const answer = await this.state.query(
      '/cosmos.consensus.v1.Query/Params',
      [QueryParamsRequest, QueryParamsResponse],
      {},
    )
    const { maxBytes = 0n, maxGas = 0n } = answer?.params?.block ?? {}
    return {
      ...(maxBytes > 0n && { bytes: Number(maxBytes) }),
      ...(maxGas > 0n && { gas: Number(maxGas) }),
    }
  }
}
