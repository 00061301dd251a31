import { MsgCreateResource } from '@cheqd/ts-proto/cheqd/resource/v2/tx.js'
import { normaliseDid, normaliseUniqueId } from '@vidimus/ledger'
import { Any } from 'cosmjs-types/google/protobuf/any'
import type { BlockLimits } from './block-limits.js'
import type { ChainNode } from './chain-node.js'
import type { ChainState } from './chain-state.js'
import { findDidDoc } from './did-doc-queries.js'
import { findEffect } from './effects.js'
import { conflict, tooExpensive, tooLarge } from './failures.js'
import type { FeeQuotes } from './fees.js'
import type { ForgottenTransactions } from './forgotten-transactions.js'
import type { GasEstimates } from './gas-estimates.js'
import type { MessageCosts } from './message-costs.js'
import type { Settings } from './options.js'
import { storedError, type NewTransaction, type Outcome, type OutboxMessage } from './outbox-message.js'
import type { Payer } from './payer.js'
import type { ResourceQueries } from './resource-queries.js'
import { countMemo, type SentCount } from './sent-counts.js'
import { signTransaction } from './transaction.js'
import { messageOutcome } from './verdicts.js'

/** The place of a transaction among those of its payer. */
export interface TransactionPlace {
  accountNumber: number
  sequence: number
  /** asked for at the last moment */
  timeoutHeight: () => Promise<number>
}

interface CountedPlace extends TransactionPlace {
  count: SentCount
}

export interface SignedTransaction {
  signed: NewTransaction
  /** that it wants */
  gas: number
  /** what its messages cost by their ids, in ncheq */
  fees: Map<string, bigint>
}

export interface WriterParts {
  settings: Pick<Settings, 'chainId' | 'maxFee'>
  state: ChainState
  node: ChainNode
  resources: ResourceQueries
  fees: FeeQuotes
  blocks: BlockLimits
  estimates: GasEstimates
  costs: MessageCosts
  payer: Payer
  forgotten: ForgottenTransactions
  /** of the next transaction */
  nextCount: () => Promise<SentCount>
}

/** Builds transactions from messages: their cost, whether they are still wanted, and the payer's signature. */
export class TransactionWriter {
  private isUpToDate = false

  constructor(private readonly parts: WriterParts) {}

  /**
   * A last check before messages are signed: the database has forgotten nothing, no version of another writer has come
   * between, none was executed without our knowledge, and none costs more than is allowed.
   *
   * @throws LedgerError if that cannot be determined; AgentError `version_conflict` if the database was restored
   */
  async examine(
    messages: readonly OutboxMessage[],
  ): Promise<{ ready: OutboxMessage[]; finished: Map<string, Outcome> }> {
    // Once: afterwards this process signs all of them, or finds out that another one has.
    if (!this.isUpToDate) await this.parts.forgotten.assertNone()
    this.isUpToDate = true
    const outcomes = await Promise.all(messages.map((message) => this.outcomeWithoutSending(message)))
    const finished = new Map<string, Outcome>()
    const ready: OutboxMessage[] = []
    messages.forEach((message, n) => {
      const outcome = outcomes[n]
      if (outcome) finished.set(message.id, outcome)
      else ready.push(message)
    })
    return { ready, finished }
  }

  /** Messages whose fee depends on the transaction's offer must be alone. */
  async withoutCompany(messages: readonly OutboxMessage[]): Promise<OutboxMessage[]> {
    const { costs } = this.parts
    return Promise.all(
      messages.map(async (message) => ({
        ...message,
        alone: message.alone || !(await costs.isFixed(message)),
      })),
    )
  }

  /**
   * Signs a transaction with as many of the messages as a block has gas for.
   *
   * @returns the transaction and the cost of each of its messages, in ncheq; those that must not be sent
   */
  async sign(
    messages: readonly OutboxMessage[],
    at: TransactionPlace,
  ): Promise<SignedTransaction | { finished: Map<string, Outcome> }> {
    const { blocks, estimates, payer } = this.parts
    const place = { ...at, count: await this.parts.nextCount() }
    const most = (await blocks.gas()) ?? Infinity
    let batch = messages
    for (;;) {
      const { gas, least = 0 } = await estimates.of(batch, draftTransaction(batch, place), payer)
      if (gas <= most) return this.signFor(batch, place, gas)
      if (batch.length > 1) {
        batch = smallerBatch(batch, gas, most)
        continue
      }
      // An estimate may be too low, and a message that ran out of gas before gets the maximum.
      if (least <= most) return this.signFor(batch, place, most)
      const error = tooLarge(`it needs about ${least} gas, and a block of the network has ${most} (max_gas)`)
      return { finished: new Map(batch.map(({ id }) => [id, { error: storedError(error) }])) }
    }
  }

  private async signFor(
    messages: readonly OutboxMessage[],
    place: CountedPlace,
    gas: number,
  ): Promise<SignedTransaction | { finished: Map<string, Outcome> }> {
    const { settings, payer, costs, fees: quotes } = this.parts
    const asked = await Promise.all(messages.map((message) => costs.feeOf(message)))
    const sum = asked.reduce((total, fee) => total + fee, 0n)
    const byGas = BigInt(gas) * (await quotes.nodePrice())
    const fee = sum > byGas ? sum : byGas
    const [first] = messages
    // For a fee that is not fixed, the whole offer is charged.
    const isTaken = first !== undefined && fee > sum && !(await costs.isFixed(first))
    if (isTaken && fee > settings.maxFee) {
      const error = storedError(tooExpensive(fee, settings.maxFee))
      return { finished: new Map(messages.map(({ id }) => [id, { error }])) }
    }
    const { sequence, count } = place
    const timeoutHeight = await place.timeoutHeight()
    const account = { chainId: settings.chainId, accountNumber: place.accountNumber }
    const draft = { ...draftTransaction(messages, place), fee, gas, timeoutHeight }
    const { bytes, hash } = await signTransaction(draft, account, payer)
    const signed = { hash, bytes, sequence, timeoutHeight, messageIds: messages.map(({ id }) => id), count }
    return { signed, gas, fees: new Map(messages.map(({ id }, n) => [id, isTaken ? fee : (asked[n] ?? 0n)])) }
  }

  private async outcomeWithoutSending(message: OutboxMessage): Promise<Outcome | undefined> {
    const { state, settings, costs } = this.parts
    const overtaken = await this.overtaken(message)
    // The version that came between may be its own, of a process that has sent it since it was read here.
    const mayBeExecuted = message.attempts > 0 || overtaken !== undefined
    const result = mayBeExecuted ? await findEffect(state, message) : undefined
    if (result) return this.executedBefore(message, result)
    if (overtaken) return { error: storedError(overtaken) }
    const fee = await costs.feeOf(message)
    return fee > settings.maxFee ? { error: storedError(tooExpensive(fee, settings.maxFee)) } : undefined
  }

  /** Nodes may know the transaction by now; otherwise it is in some block up to now. */
  private async executedBefore(message: OutboxMessage, result: Uint8Array): Promise<Outcome> {
    const hash = message.txHash ?? ''
    const { found, height } = await this.parts.node.lookFor(hash)
    return messageOutcome(message, { hash, height: found?.height ?? height }, Any.decode(result))
  }

  private async overtaken(message: OutboxMessage) {
    const { expectedPrevious } = message
    if (expectedPrevious === null) return undefined
    const { newest, name } = await this.findNewest(message)
    if (newest === expectedPrevious) return undefined
    return conflict(`the newest version of ${name} is ${newest || 'none'}, not ${expectedPrevious || 'none'}`)
  }

  /** The id of the version that the message would follow, `''` for none, and what it is a version of. */
  private async findNewest({
    kind,
    message,
    subject,
  }: OutboxMessage): Promise<{ newest: string; name: string }> {
    const { state, resources } = this.parts
    if (kind !== 'createResource') {
      const document = await findDidDoc(state, normaliseDid(subject))
      return { newest: document?.metadata.versionId ?? '', name: subject }
    }
    const {
      collectionId = '',
      name = '',
      resourceType = '',
    } = MsgCreateResource.decode(Any.decode(message).value).payload ?? {}
    const newest = await resources.findLatestMetadata(normaliseUniqueId(collectionId), name, resourceType)
    return { newest: newest?.id ?? '', name: `"${name}" (${resourceType})` }
  }
}

const draftTransaction = (messages: readonly OutboxMessage[], { sequence, count }: CountedPlace) => ({
  messages: messages.map(({ message }) => message),
  // A payment is found again by its memo.
  memo: messages.find(({ kind }) => kind === 'payment')?.memo ?? countMemo(count),
  sequence,
})

/** A smaller part of a batch that is too much for a block. */
const smallerBatch = (batch: readonly OutboxMessage[], gas: number, most: number): readonly OutboxMessage[] =>
  batch.slice(0, Math.max(1, Math.floor((batch.length * most * 0.95) / gas)))
