import { LedgerError } from '@vidimus/ledger'
import { BlockLimits } from './block-limits.js'
import type { ChainNode } from './chain-node.js'
import type { ChainState } from './chain-state.js'
import { madeVersion } from './effects.js'
import { noPayer, onItsWay, unreachable } from './failures.js'
import { FeeQuotes } from './fees.js'
import { ForgottenTransactions } from './forgotten-transactions.js'
import { GasEstimates } from './gas-estimates.js'
import { MessageCosts } from './message-costs.js'
import type { Settings } from './options.js'
import type { MessageKind } from './outbox-message.js'
import { Outbox } from './outbox.js'
import { OutboxRows } from './outbox-rows.js'
import { senderLockName, OutboxSender } from './outbox-sender.js'
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
  /** absent: nothing can be written */
  account?: PayerAccount
}

/** Everything that writing needs: the payer, fees, the outbox and its sender. */
export class CheqdSending {
  readonly account: PayerAccount | undefined
  readonly rows: OutboxRows
  readonly outbox: Outbox
  readonly fees: FeeQuotes
  private readonly blocks: BlockLimits
  private readonly estimates: GasEstimates
  readonly sender: OutboxSender
  readonly forgotten: ForgottenTransactions
  private readonly watch: OutboxWatch

  constructor(private readonly parts: SendingParts) {
    const { settings, state } = parts
    const { database, network, outbox } = settings
    this.account = parts.account
    this.rows = new OutboxRows(database, network)
    const { counts } = this.rows
    this.forgotten = new ForgottenTransactions({ network, database, counts, state, node: parts.node })
    this.fees = new FeeQuotes(state)
    this.blocks = new BlockLimits(state)
    this.estimates = new GasEstimates(settings, state, this.blocks)
    this.watch = new OutboxWatch(this.rows, outbox.tableMs)
    this.sender = new OutboxSender({
      about: { network },
      settings,
      lock: async () => database.lock(senderLockName(network, (await this.payer()).address)),
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

  /** @throws LedgerError without one, and if its KMS does not respond */
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

  /** The prices of messages for any payer. */
  costs(payer: Payer): MessageCosts {
    const { settings, state } = this.parts
    const { fees, blocks, estimates } = this
    return new MessageCosts({ settings, state, fees, blocks, estimates, payer })
  }

  /**
   * What the chain has, or is about to get.
   *
   * @param made - what makes it, of any version if none is named
   * @throws LedgerError of phase `transport` while that waits for its block
   */
  async orOnItsWay<T>(
    { did, version, kinds }: { did: string; version: string | undefined; kinds: readonly MessageKind[] },
    find: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const found = await find()
    if (found) return found
    const { waiting, height } = await this.rows.underWay(did, kinds)
    const isIt = (message: (typeof waiting)[number]) =>
      version === undefined || madeVersion(message)?.toLowerCase() === version
    if (waiting.some(isIt))
      throw onItsWay(`the creation of ${version === undefined ? did : `the version ${version} of ${did}`}`)
    // It may have got its block between the two looks.
    if (height === 0) return undefined
    this.parts.state.wrote(height)
    return find()
  }

  private session(payer: Payer): OutboxSession {
    const { settings, state, node, resources } = this.parts
    const { rows, fees, blocks, estimates, forgotten } = this
    const costs = this.costs(payer)
    const writing = { settings, state, node, payer, fees, blocks, estimates, costs }
    const writer = new TransactionWriter({
      ...writing,
      resources,
      forgotten,
      nextCount: () => rows.counts.next(rows.database, payer.address),
    })
    return new OutboxSession({ ...writing, rows, writer, tell: (outcomes) => this.watch.tell(outcomes) })
  }
}
