import { LedgerError } from '@vidimus/ledger'
import { BlockLimits } from './block-limits.js'
import type { ChainNode } from './chain-node.js'
import type { ChainState } from './chain-state.js'
import { noPayer, unreachable } from './failures.js'
import { FeeQuotes } from './fees.js'
import type { Settings } from './options.js'
import { Outbox } from './outbox.js'
import { OutboxRows } from './outbox-rows.js'
import { lockNameOf, OutboxSender } from './outbox-sender.js'
import { OutboxSession } from './outbox-session.js'
import { OutboxWatch } from './outbox-watch.js'
import type { Payer, PayerAccount } from './payer.js'
import type { ResourceQueries } from './resource-queries.js'
import { TransactionWriter } from './transaction-writer.js'

export interface SendingParts {
  settings: Settings
  state: ChainState
  node: ChainNode
  resources: ResourceQueries
  /** left out: nothing can be written */
  account?: PayerAccount
}

/** Everything that writing takes: the payer, what it costs, the outbox and whoever empties it. */
export class CheqdSending {
  readonly account: PayerAccount | undefined
  readonly rows: OutboxRows
  readonly outbox: Outbox
  readonly fees: FeeQuotes
  private readonly blocks: BlockLimits
  readonly sender: OutboxSender
  private readonly watch: OutboxWatch

  constructor(private readonly parts: SendingParts) {
    const { settings, state } = parts
    const { database, network, outbox } = settings
    this.account = parts.account
    this.rows = new OutboxRows(database, network)
    this.fees = new FeeQuotes(state)
    this.blocks = new BlockLimits(state, settings.gas)
    this.watch = new OutboxWatch(this.rows, outbox.tableMs)
    this.sender = new OutboxSender({
      about: { network },
      settings,
      lock: async () => database.lock(lockNameOf(network, (await this.payer()).address)),
      isWaiting: async () => (await this.rows.waiting((await this.payer()).address)) > 0,
      begin: async () => this.session(await this.payer()),
    })
    const wake = () => {
      this.sender.start()
      this.sender.wake()
    }
    const wrote = (height: number) => state.wrote(height)
    this.outbox = new Outbox({ settings, rows: this.rows, watch: this.watch, wake, wrote })
  }

  /** @throws LedgerError without one, and where its KMS does not answer */
  async payer(): Promise<Payer> {
    if (!this.account) throw noPayer(this.parts.settings.network)
    try {
      return await this.account.open()
    } catch (error) {
      if (error instanceof LedgerError) throw error
      const reason =
        error instanceof Error && error.name === 'AgentError' ? error.message : 'its KMS does not answer'
      throw unreachable(`the payer of the ledger cannot be used: ${reason}`, error)
    }
  }

  writer(payer: Payer): TransactionWriter {
    const { settings, state, node, resources } = this.parts
    return new TransactionWriter({
      settings,
      state,
      node,
      resources,
      fees: this.fees,
      blocks: this.blocks,
      payer,
    })
  }

  private session(payer: Payer): OutboxSession {
    const { settings, state, node } = this.parts
    const writer = this.writer(payer)
    return new OutboxSession({
      settings,
      rows: this.rows,
      state,
      node,
      payer,
      writer,
      tell: (outcomes) => this.watch.tell(outcomes),
      forgetFees: () => this.fees.forget(),
      explain: (verdicts, messages) => writer.explain(verdicts, messages),
    })
  }
}
