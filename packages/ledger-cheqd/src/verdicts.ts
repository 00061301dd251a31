import { MsgUpdateDidDocResponse } from '@cheqd/ts-proto/cheqd/did/v2/tx.js'
import { MsgCreateResourceResponse } from '@cheqd/ts-proto/cheqd/resource/v2/tx.js'
import { LedgerError, type LedgerPhase } from '@vidimus/ledger'
import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { Any } from 'cosmjs-types/google/protobuf/any'
import type { ExecutedTransaction } from './chain-node.js'
import { conflict, outcomeUnknown } from './failures.js'
import { storedError, type Outcome, type OutboxMessage, type Verdict } from './outbox-message.js'

/** How often a message goes into another transaction after a failure that was not its own. */
const MOST_ATTEMPTS = 6

/** Codes of cosmos-sdk that say nothing against a message: another transaction may be executed. */
const OUT_OF_GAS = 11
const PASSING = new Set([
  11, // out of gas
  13, // insufficient fee: the price has risen
  19, // in the mempool already
  20, // mempool full
  30, // timeout height
  32, // sequence
])

/** A transaction that failed, before or in its block. */
export interface Failure {
  code: number
  codespace: string
  log: string
  phase: LedgerPhase
}

/** Messages of an executed transaction and what became of each. */
export function verdictsOn(
  messages: readonly OutboxMessage[],
  executed: ExecutedTransaction,
): Map<string, Verdict> {
  if (executed.code !== 0) {
    const { code, codespace, log } = executed
    return verdictsOnFailure(messages, { code, codespace, log, phase: 'deliver' })
  }
  const { msgResponses } = TxMsgData.decode(executed.data)
  return new Map(
    messages.map((message, n) => {
      const response = msgResponses[n]
      return [message.id, { kind: 'finished', outcome: outcomeOf(message, executed, response) }]
    }),
  )
}

/** What a message has come to whose transaction was executed. */
export function outcomeOf(
  message: OutboxMessage,
  { hash, height }: Pick<ExecutedTransaction, 'hash' | 'height'>,
  response: Any | undefined,
): Outcome {
  const result = response ? Any.encode(response).finish() : new Uint8Array()
  const overtaken = response && overtakenBy(message, response)
  if (!overtaken) return { txHash: hash, height, result }
  return { error: { ...storedError(overtaken, hash), height } }
}

/** Somebody else's version came between the look at the chain and the block. */
function overtakenBy({ kind, expectedPrevious }: OutboxMessage, response: Any): LedgerError | undefined {
  if (expectedPrevious === null) return undefined
  const previous = previousIn(kind, response.value)
  if (previous === undefined || previous === expectedPrevious) return undefined
  return conflict(
    `the version was written after "${named(previous)}", which came after "${named(expectedPrevious)}"`,
  )
}

/** @returns `undefined` where the chain does not say it; responses to all changes of a document have the same fields */
function previousIn(kind: OutboxMessage['kind'], response: Uint8Array): string | undefined {
  if (kind === 'createResource') return MsgCreateResourceResponse.decode(response).resource?.previousVersionId
  if (kind !== 'updateDidDoc' && kind !== 'deactivateDidDoc') return undefined
  const { metadata } = MsgUpdateDidDocResponse.decode(response).value ?? {}
  return metadata?.previousVersionId === '' ? undefined : metadata?.previousVersionId
}

const named = (id: string) => (id === '' ? 'none' : id)

/**
 * A transaction is atomic: where one message is refused, the others go again without it. Where it is not said which,
 * each goes alone.
 */
export function verdictsOnFailure(messages: readonly OutboxMessage[], told: Failure): Map<string, Verdict> {
  const failure = withCode(told)
  const guilty = guiltyOf(messages, failure)
  return new Map(
    messages.map((message, n): [string, Verdict] => {
      if (guilty === n) return [message.id, failed(message, failure)]
      const isPassing = failure.codespace === 'sdk' && PASSING.has(failure.code)
      const outOfGas = isPassing && failure.code === OUT_OF_GAS
      const isLast = messages.length === 1 || !outOfGas
      if (isPassing && isLast && isExhausted(message, outOfGas)) return [message.id, failed(message, failure)]
      const alone =
        messages.length > 1 && guilty === undefined && (!isPassing || (outOfGas && message.gasAttempts > 0))
      return [message.id, { kind: 'again', alone, outOfGas }]
    }),
  )
}

/** What cheqd-node says of fees in words alone: errors without a registered code. */
const FEE_TOO_LOW = /\bfee\b|insufficient ncheq|price not available/i

const withCode = (failure: Failure): Failure =>
  failure.codespace === 'undefined' && failure.code === 1 && FEE_TOO_LOW.test(failure.log)
    ? { ...failure, codespace: 'sdk', code: 13 }
    : failure

const isExhausted = ({ attempts, gasAttempts }: OutboxMessage, outOfGas: boolean): boolean =>
  outOfGas ? gasAttempts > 0 : attempts >= MOST_ATTEMPTS

function guiltyOf(messages: readonly OutboxMessage[], { code, codespace, log }: Failure): number | undefined {
  if (codespace === 'sdk' && PASSING.has(code)) return undefined
  if (messages.length === 1) return 0
  const [, index] = /message index: (\d+)/.exec(log) ?? []
  const guilty = index === undefined ? undefined : Number(index)
  return guilty !== undefined && guilty < messages.length ? guilty : undefined
}

const failed = ({ txHash }: OutboxMessage, failure: Failure): Verdict => {
  const { code, codespace, log, phase } = failure
  const retryable = codespace === 'sdk' && PASSING.has(code)
  const error = new LedgerError(detailOf(log), { code, codespace: codespace || 'sdk', phase, retryable })
  return { kind: 'finished', outcome: { error: storedError(error, txHash) } }
}

/** What the ledger says about the message, without what the SDK says about the transaction. */
const detailOf = (log: string): string =>
  log.replace(/^failed to execute message; message index: \d+: /, '').slice(0, 2_000)

/**
 * The messages of a transaction that will never be executed: they go again, except for payments of which that is not
 * certain, as nothing on the chain would keep a second one from being executed as well.
 */
export function verdictsOnDeath(messages: readonly OutboxMessage[], certain: boolean): Map<string, Verdict> {
  return new Map(
    messages.map((message): [string, Verdict] => {
      if (certain || message.kind !== 'payment') {
        return [message.id, { kind: 'again', alone: false, outOfGas: false }]
      }
      const error = outcomeUnknown(
        'another transaction of the payer has taken the place of the payment, and no node knows it',
      )
      return [message.id, { kind: 'finished', outcome: { error: storedError(error, message.txHash) } }]
    }),
  )
}
