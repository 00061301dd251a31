import { MsgCreateResource } from '@cheqd/ts-proto/cheqd/resource/v2/tx.js'
import { detectMediaType, formatCoins, normaliseDid, normaliseUniqueId, parseCoins } from '@vidimus/ledger'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { balanceOf } from './accounts.js'
import { gasOf } from './batching.js'
import type { BlockLimits } from './block-limits.js'
import type { ChainNode } from './chain-node.js'
import type { ChainState } from './chain-state.js'
import { findDidDoc } from './did-doc-queries.js'
import { effectOf } from './effects.js'
import { conflict, refusedBySdk, tooExpensive } from './failures.js'
import { feeKindOf, type FeeQuotes } from './fees.js'
import type { Settings } from './options.js'
import {
  storedError,
  type Outcome,
  type OutboxMessage,
  type SentTransaction,
  type Verdict,
} from './outbox-message.js'
import type { Payer } from './payer.js'
import type { ResourceQueries } from './resource-queries.js'
import { signTransaction, unsignedTransaction, type TransactionDraft } from './transaction.js'
import { outcomeOf } from './verdicts.js'

const INSUFFICIENT_FUNDS = 5

/** The place of a transaction among those of its payer. */
export interface TransactionPlace {
  accountNumber: number
  sequence: number
  timeoutHeight: number
}

export interface WriterParts {
  settings: Pick<Settings, 'chainId' | 'gas' | 'maxFee'>
  state: ChainState
  node: ChainNode
  resources: ResourceQueries
  fees: FeeQuotes
  blocks: BlockLimits
  payer: Payer
}

/** Makes transactions of messages: what they cost, whether they are still wanted, and the payer's signature. */
export class TransactionWriter {
  constructor(private readonly parts: WriterParts) {}

  /**
   * A last look before messages are signed: nobody else's version has come between, none was executed without our
   * knowledge, and none costs more than is allowed.
   *
   * @throws LedgerError where that cannot be told
   */
  async examine(
    messages: readonly OutboxMessage[],
  ): Promise<{ ready: OutboxMessage[]; finished: Map<string, Outcome> }> {
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

  /** Those whose fee depends on what their transaction offers have to be alone. */
  async withoutCompany(messages: readonly OutboxMessage[]): Promise<OutboxMessage[]> {
    const { fees } = this.parts
    const needsItsOwn = async (message: OutboxMessage) =>
      message.kind !== 'payment' && !(await fees.isFixed(feeKindOf(message.kind, mediaTypeOf(message))))
    return Promise.all(
      messages.map(async (message) => ({ ...message, alone: message.alone || (await needsItsOwn(message)) })),
    )
  }

  /** @returns the transaction, and what it offers for each message, in ncheq */
  async sign(
    messages: readonly OutboxMessage[],
    place: TransactionPlace,
  ): Promise<{ signed: SentTransaction; fees: Map<string, bigint> }> {
    const { settings, payer } = this.parts
    const fees = await Promise.all(messages.map((message) => this.feeOf(message)))
    const draft: TransactionDraft = {
      messages: messages.map(({ message }) => message),
      memo: messages[0]?.memo ?? '',
      fee: fees.reduce((sum, fee) => sum + fee, 0n),
      gas: gasOf(messages, settings.gas),
      timeoutHeight: place.timeoutHeight,
      sequence: place.sequence,
    }
    const gas = settings.gas.simulate ? await this.simulate(draft) : draft.gas
    const account = { chainId: settings.chainId, accountNumber: place.accountNumber }
    const { bytes, hash } = await signTransaction({ ...draft, gas }, account, payer)
    const { sequence, timeoutHeight } = place
    const signed = { hash, bytes, sequence, timeoutHeight, messageIds: messages.map(({ id }) => id) }
    return { signed, fees: new Map(messages.map(({ id }, n) => [id, fees[n] ?? 0n])) }
  }

  /**
   * @returns what the message costs, in ncheq
   * @throws LedgerError where no block takes it, where it costs more than is allowed, or a payment more than there is: that
   * would cost its gas nevertheless
   */
  async assertAffordable(message: Pick<OutboxMessage, 'kind' | 'message' | 'gasAttempts'>): Promise<bigint> {
    const { settings, state, payer, blocks } = this.parts
    await blocks.assertFits(message)
    const fee = await this.feeOf(message)
    if (fee > settings.maxFee) throw tooExpensive(fee, settings.maxFee)
    if (message.kind !== 'payment') return fee
    const balance = await balanceOf(state, payer.address)
    const needed = fee + amountOf(message)
    if (balance < needed) throw insufficientFunds(payer.address, balance, needed)
    return fee
  }

  /** The payer cannot pay: what every one of the messages would need, and what there is. */
  async unpayable(messages: readonly OutboxMessage[]): Promise<Map<string, Outcome>> {
    const { state, payer } = this.parts
    const balance = await balanceOf(state, payer.address)
    const entries = messages.map(async ({ id, ...message }): Promise<[string, Outcome]> => {
      const needed = amountOf(message) + (await this.feeOf(message))
      return [id, { error: storedError(insufficientFunds(payer.address, balance, needed)) }]
    })
    return new Map(await Promise.all(entries))
  }

  /** Puts into the words of an operator what the chain says of the payer's money. */
  async explain(verdicts: Map<string, Verdict>, messages: readonly OutboxMessage[]): Promise<void> {
    const poor = messages.filter(({ id }) => {
      const verdict = verdicts.get(id)
      if (verdict?.kind !== 'finished' || !('error' in verdict.outcome)) return false
      const { codespace, code } = verdict.outcome.error
      return codespace === 'sdk' && code === INSUFFICIENT_FUNDS
    })
    if (poor.length === 0) return
    for (const [id, outcome] of await this.unpayable(poor)) verdicts.set(id, { kind: 'finished', outcome })
  }

  private async outcomeWithoutSending(message: OutboxMessage): Promise<Outcome | undefined> {
    const { state, settings } = this.parts
    if (message.attempts > 0) {
      const result = await effectOf(state, message)
      if (result) return this.executedBefore(message, result)
    }
    const overtaken = await this.overtaken(message)
    if (overtaken) return { error: storedError(overtaken) }
    const fee = await this.feeOf(message)
    return fee > settings.maxFee ? { error: storedError(tooExpensive(fee, settings.maxFee)) } : undefined
  }

  /** Nodes may have come to know the transaction meanwhile; otherwise it stands in some block up to now. */
  private async executedBefore(message: OutboxMessage, result: Uint8Array): Promise<Outcome> {
    const hash = message.txHash ?? ''
    const { found, height } = await this.parts.node.lookFor(hash)
    return outcomeOf(message, { hash, height: found?.height ?? height }, Any.decode(result))
  }

  private async overtaken(message: OutboxMessage) {
    const { expectedPrevious } = message
    if (expectedPrevious === null) return undefined
    const { newest, name } = await this.newestOf(message)
    if (newest === expectedPrevious) return undefined
    return conflict(`the newest version of ${name} is ${newest || 'none'}, not ${expectedPrevious || 'none'}`)
  }

  /** The id of the version that the message would follow, `''` for none, and what it is a version of. */
  private async newestOf({
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

  /** in ncheq */
  private async feeOf(message: Pick<OutboxMessage, 'kind' | 'message' | 'gasAttempts'>): Promise<bigint> {
    const { fees, settings } = this.parts
    if (message.kind === 'payment') return BigInt(gasOf([message], settings.gas)) * (await fees.gasPrice())
    const current = await fees.current()
    return current[feeKindOf(message.kind, mediaTypeOf(message))]
  }

  private async simulate(draft: TransactionDraft): Promise<number> {
    const { state, payer, settings } = this.parts
    const txBytes = unsignedTransaction(draft, payer)
    const answer = await state.query(
      '/cosmos.tx.v1beta1.Service/Simulate',
      [SimulateRequest, SimulateResponse],
      SimulateRequest.fromPartial({ txBytes }),
    )
    const used = Number(answer?.gasInfo?.gasUsed ?? 0n)
    return used > 0 ? Math.ceil(used * settings.gas.adjustment) : draft.gas
  }
}

function mediaTypeOf({ kind, message }: Pick<OutboxMessage, 'kind' | 'message'>): string {
  if (kind !== 'createResource') return ''
  const { payload } = MsgCreateResource.decode(Any.decode(message).value)
  return detectMediaType(payload?.data ?? new Uint8Array())
}

function amountOf({ kind, message }: Pick<OutboxMessage, 'kind' | 'message'>): bigint {
  if (kind !== 'payment') return 0n
  const { amount } = MsgSend.decode(Any.decode(message).value)
  return amount.reduce((sum, coin) => sum + (parseCoins(`${coin.amount}${coin.denom}`) ?? 0n), 0n)
}

export const insufficientFunds = (address: string, balance: bigint, needed: bigint) =>
  refusedBySdk(
    INSUFFICIENT_FUNDS,
    `the payer ${address} has ${formatCoins(balance)}, and ${formatCoins(needed)} are needed`,
  )
