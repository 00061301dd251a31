import { createHash } from 'node:crypto'
import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import type { Network } from '@vidimus/ledger'
import { credit, debit, moduleAddress } from './accounts.js'
import { chainEvent, transferEvents, type ChainEvent } from './events.js'
import { GasMeter, type GasSchedule } from './gas-meter.js'
import { executeMessage } from './message-execution.js'
import type { Misbehaviour } from './misbehaviour.js'
import { Refusal, sdkRefusal } from './refusal.js'
import { StateHistory, StateOverlay, type StateReader } from './state.js'
import { FeeTooLow, taxOf, type Market } from './taxes.js'
import { checkTransaction, ncheqOf, type CheckContext } from './transaction-checks.js'
import { isIdentityTransaction, type Transaction } from './transaction.js'

export interface ChainSettings {
  network: Network
  chainId: string
  market: Market
  /** in ncheq, for payments */
  gasPrice: number
  gas: GasSchedule
  block: { maxBytes: number; maxGas: number }
  /** Fees that are too low are told with a code of their own, `sdk` 13; if not, with the code of unknown errors. */
  feeErrorsAreRegistered: boolean
}

export interface TransactionResult {
  code: number
  codespace: string
  log: string
  data: Uint8Array
  events: readonly ChainEvent[]
  gasWanted: number
  gasUsed: number
}

export interface IncludedTransaction {
  transaction: Transaction
  height: number
  /** in the block */
  index: number
  /** of the block */
  time: Date
  result: TransactionResult
}

export interface Block {
  height: number
  time: Date
  /** upper-case hex */
  hash: string
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

  checkContext(height: number, verifySignatures: boolean): CheckContext {
    const { network, chainId, gasPrice, block } = this.settings
    return { network, chainId, gasPrice, height, maxGas: block.maxGas, verifySignatures }
  }

  /** Executes transactions in their order and commits what they did; block times always go up. */
  async append(now: Date, transactions: readonly Transaction[], faults: Misbehaviour): Promise<Block> {
    const height = this.height + 1
    const before = this.blocks.at(-1)
    const time = new Date(Math.max(now.getTime(), (before?.time.getTime() ?? 0) + 1))
    const state = new StateOverlay(this.stateAt(this.height))
    const included: IncludedTransaction[] = []
    for (const [index, transaction] of transactions.entries()) {
      const result = await this.deliver(state, transaction, { height, time, faults })
      included.push({ transaction, height, index, time, result })
    }
    this.history.commit(height, state)
    const block = { height, time, hash: blockHash(before, time, transactions), transactions: included }
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
  async simulate(checked: StateReader, transaction: Transaction): Promise<TransactionResult> {
    const { block, gas } = this.settings
    const limit = block.maxGas > 0 ? block.maxGas : Number.MAX_SAFE_INTEGER
    const meter = new GasMeter(limit, gas)
    const state = new StateOverlay(checked)
    const unlimited = { ...transaction, fee: { ...transaction.fee, gasLimit: BigInt(limit) } }
    const context = { ...this.checkContext(this.height, false), gasPrice: 0 }
    const events = checkTransaction(context, state, unlimited, meter)
    const time = this.blocks.at(-1)?.time ?? new Date()
    const outcome = await this.execute(state, transaction, { time, meter })
    return success(outcome, events, meter)
  }

  private async deliver(
    state: StateOverlay,
    transaction: Transaction,
    { height, time, faults }: { height: number; time: Date; faults: Misbehaviour },
  ): Promise<TransactionResult> {
    const meter = new GasMeter(Number(transaction.fee.gasLimit), this.settings.gas)
    let events: ChainEvent[] = []
    try {
      const checked = new StateOverlay(state)
      events = checkTransaction(this.checkContext(height, true), checked, transaction, meter)
      checked.applyTo(state)
      strike(faults, transaction, meter)
      const executed = new StateOverlay(state)
      const outcome = await this.execute(executed, transaction, { time, meter })
      const taxEvents = isIdentityTransaction(transaction) ? this.tax(executed, transaction) : []
      executed.applyTo(state)
      return success({ ...outcome, events: [...outcome.events, ...taxEvents] }, events, meter)
    } catch (error) {
      if (error instanceof Refusal) return failure(error, events, meter)
      throw error
    }
  }

  private async execute(
    state: StateOverlay,
    { messages }: Transaction,
    { time, meter }: { time: Date; meter: GasMeter },
  ) {
    const responses: { typeUrl: string; value: Uint8Array }[] = []
    const events: ChainEvent[] = []
    const { network } = this.settings
    for (const [index, message] of messages.entries()) {
      try {
        const outcome = await executeMessage({ network, time }, state, message, { gas: meter, index })
        responses.push(outcome.response)
        events.push(...outcome.events)
      } catch (error) {
        if (!(error instanceof Refusal) || (error.codespace === 'sdk' && error.code === 11)) throw error
        const log = `failed to execute message; message index: ${index}: ${error.message}`
        throw new Refusal(error.codespace, error.code, log)
      }
    }
    return { responses, events }
  }

  /** Takes the taxes of identity messages after they are executed; half of it is burned. */
  private tax(state: StateOverlay, { fee, messages }: Transaction): ChainEvent[] {
    const offered = ncheqOf(fee.amount)
    if (offered <= 0n || fee.amount.some(({ denom }) => denom !== 'ncheq')) {
      throw sdkRefusal(10, `invalid tax: ${fee.amount.map(({ amount, denom }) => amount + denom).join(',')}`)
    }
    let tax = 0n
    for (const one of messages) {
      if (one.kind === 'identity') tax += this.taxOf(one.message, offered)
    }
    try {
      debit(state, fee.payer, tax)
    } catch (error) {
      if (error instanceof Refusal) {
        throw new Refusal('sdk', 5, `failed to deduct fees from ${fee.payer}: ${error.message}`)
      }
      throw error
    }
    const module = moduleAddress('did')
    credit(state, moduleAddress('fee_collector'), tax - tax / 2n)
    const amount = `${tax}ncheq`
    return [
      ...transferEvents({ sender: fee.payer, recipient: module, amount }),
      chainEvent('tx', { fee: amount, fee_payer: fee.payer }),
    ]
  }

  private taxOf(message: Parameters<typeof taxOf>[0], offered: bigint): bigint {
    try {
      return taxOf(message, offered, this.settings.market)
    } catch (error) {
      if (!(error instanceof FeeTooLow)) throw error
      if (this.settings.feeErrorsAreRegistered) throw sdkRefusal(13, error.message)
      throw new Refusal('undefined', 1, error.message)
    }
  }
}

function strike(faults: Misbehaviour, transaction: Transaction, meter: GasMeter): void {
  const refused = faults.strikeTransaction('deliver', transaction)
  if (refused) throw new Refusal(refused.codespace, refused.code, refused.log)
  if (!faults.strike('runOutOfGas', { method: 'deliver', transaction })) return
  meter.consume(meter.limit + 1, 'WritePerByte')
}

const success = (
  { responses, events }: { responses: { typeUrl: string; value: Uint8Array }[]; events: ChainEvent[] },
  before: readonly ChainEvent[],
  meter: GasMeter,
): TransactionResult => ({
  code: 0,
  codespace: '',
  log: '',
  data: TxMsgData.encode(TxMsgData.fromPartial({ msgResponses: responses })).finish(),
  events: [...before, ...events],
  gasWanted: meter.limit,
  gasUsed: meter.used,
})

const failure = (
  { codespace, code, message }: Refusal,
  events: readonly ChainEvent[],
  meter: GasMeter,
): TransactionResult => ({
  code,
  codespace,
  log: message,
  data: new Uint8Array(),
  events,
  gasWanted: meter.limit,
  gasUsed: meter.used,
})

function blockHash(before: Block | undefined, time: Date, transactions: readonly Transaction[]): string {
  const content = [before?.hash ?? '', time.toISOString(), ...transactions.map(({ hash }) => hash)]
  return createHash('sha256').update(content.join()).digest('hex').toUpperCase()
}
