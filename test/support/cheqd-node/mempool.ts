import type { Block, Chain } from './chain.js'
import type { Misbehaviour } from './misbehaviour.js'
import { Refusal, sdkRefusal } from './refusal.js'
import { StateOverlay, type StateReader } from './state.js'
import { checkInMempool } from './transaction-execution.js'
import { decodeTransaction, hashOf, type Transaction } from './transaction.js'

export interface MempoolSettings {
  maxTransactions: number
  maxTransactionBytes: number
  /** how many hashes are remembered, those of committed transactions among them */
  cacheSize: number
}

/** What a block has beside its transactions, where there is one validator. */
const BESIDES = 842
/** A transaction in a block has a tag and a length before it. */
const inBlock = ({ length }: Uint8Array): number => length + 1 + (length < 128 ? 1 : length < 16_384 ? 2 : 3)

/** The mempool itself refuses, before the application sees the transaction. */
export class MempoolRefusal extends Error {
  constructor(
    /** of the Cosmos SDK, for nodes that translate these errors */
    readonly code: 19 | 20 | 21 | undefined,
    message: string,
  ) {
    super(message)
  }
}

export interface CheckResult {
  /** upper-case hex */
  hash: string
  code: number
  codespace: string
  log: string
}

interface Pending {
  transaction: Transaction
  forgotten: boolean
}

/** The transactions that wait for a block, in the order in which they came, with a state of their own. */
export class Mempool {
  private pending: Pending[] = []
  /** oldest first */
  private readonly cache = new Set<string>()
  private checked: StateOverlay

  constructor(
    private readonly chain: Chain,
    private readonly settings: MempoolSettings,
  ) {
    this.checked = this.committed()
  }

  get transactions(): readonly Transaction[] {
    return this.pending.map(({ transaction }) => transaction)
  }

  /** The newest state with what waits counted in. */
  get state(): StateReader {
    return this.checked
  }

  /** @throws MempoolRefusal; a refusal by the application is an answer */
  add(bytes: Uint8Array, faults: Misbehaviour): CheckResult {
    const hash = hashOf(bytes)
    this.assertRoom(bytes)
    if (this.cache.has(hash)) throw new MempoolRefusal(19, 'tx already exists in cache')
    try {
      const transaction = decodeTransaction(bytes)
      this.strike(transaction, faults)
      this.check(transaction, true)
      const forgotten = faults.strike('forgetTransaction', { method: 'check', transaction }) !== undefined
      this.pending.push({ transaction, forgotten })
      this.remember(hash)
      return { hash, code: 0, codespace: '', log: '' }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { hash, code: error.code, codespace: error.codespace, log: error.message }
    }
  }

  /** What the next block takes; it stays here until it is committed. */
  reap(faults: Misbehaviour): Transaction[] {
    for (const { transaction } of this.pending.filter(({ forgotten }) => forgotten)) {
      this.cache.delete(transaction.hash)
    }
    this.pending = this.pending.filter(({ forgotten }) => !forgotten)
    const { maxBytes, maxGas } = this.chain.settings.block
    const reaped: Transaction[] = []
    let bytes = 0
    let gas = 0
    for (const { transaction } of this.pending) {
      bytes += inBlock(transaction.bytes)
      gas += Number(transaction.fee.gasLimit)
      if ((maxBytes > 0 && bytes > maxBytes - BESIDES) || (maxGas > 0 && gas > maxGas)) break
      if (faults.strike('holdTransaction', { method: 'include', transaction })) break
      reaped.push(transaction)
    }
    return reaped
  }

  /** Drops what a block has taken, and what cannot go into a later one any more. */
  update(block: Block): void {
    const taken = new Set(block.transactions.map(({ transaction }) => transaction.hash))
    for (const { transaction, result } of block.transactions) {
      if (result.code === 0) this.remember(transaction.hash)
      else this.cache.delete(transaction.hash)
    }
    this.pending = this.pending.filter(({ transaction }) => !taken.has(transaction.hash))
    this.recheck()
  }

  /** Looks again at everything that waits, over the newest committed state. */
  recheck(): void {
    this.checked = this.committed()
    this.pending = this.pending.filter(({ transaction }) => {
      try {
        this.check(transaction, false)
        return true
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        this.cache.delete(transaction.hash)
        return false
      }
    })
  }

  /** As a node that was started again: nothing waits and nothing is remembered. */
  flush(): void {
    this.pending = []
    this.cache.clear()
    this.checked = this.committed()
  }

  private committed(): StateOverlay {
    return new StateOverlay(this.chain.stateAt(this.chain.height))
  }

  private check(transaction: Transaction, isNew: boolean): void {
    const { settings, height } = this.chain
    checkInMempool(settings, this.checked, transaction, { height, isNew })
  }

  private assertRoom(bytes: Uint8Array): void {
    const { maxTransactions, maxTransactionBytes } = this.settings
    if (this.pending.length >= maxTransactions) throw full(this.pending.length, maxTransactions)
    if (bytes.length > maxTransactionBytes) {
      throw new MempoolRefusal(
        21,
        `Tx too large. Max size is ${maxTransactionBytes}, but got ${bytes.length}`,
      )
    }
    const { maxBytes } = this.chain.settings.block
    if (maxBytes > 0 && inBlock(bytes) > maxBytes - BESIDES) {
      throw new MempoolRefusal(
        undefined,
        `tx pre check: tx size is too big: ${inBlock(bytes)}, max: ${maxBytes - BESIDES}`,
      )
    }
  }

  private strike(transaction: Transaction, faults: Misbehaviour): void {
    const occasion = { method: 'check', transaction }
    if (faults.strike('refuseAsFull', occasion)) {
      throw full(this.settings.maxTransactions, this.settings.maxTransactions)
    }
    const refused = faults.strikeTransaction('check', transaction)
    if (refused) throw new Refusal(refused.codespace, refused.code, refused.log)
    if (!faults.strike('refuseSequence', occasion)) return
    const sequence = Number(transaction.authInfo.signerInfos[0]?.sequence ?? 0n)
    throw sdkRefusal(32, `account sequence mismatch, expected ${sequence + 1}, got ${sequence}`)
  }

  private remember(hash: string): void {
    this.cache.delete(hash)
    this.cache.add(hash)
    const [oldest] = this.cache
    if (this.cache.size > this.settings.cacheSize && oldest !== undefined) this.cache.delete(oldest)
  }
}

const full = (waiting: number, max: number): MempoolRefusal =>
  new MempoolRefusal(
    20,
    `mempool is full: number of txs ${waiting} (max: ${max}), total txs bytes 0 (max: 1073741824)`,
  )
