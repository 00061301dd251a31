import { MsgUpdateDidDocResponse } from '@cheqd/ts-proto/cheqd/did/v2/tx.js'
import { MsgCreateResourceResponse } from '@cheqd/ts-proto/cheqd/resource/v2/tx.js'
import { LedgerError } from '@vidimus/ledger'
import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { Any } from 'cosmjs-types/google/protobuf/any'
import type { ExecutedTransaction } from './chain-node.js'
import { conflict, outcomeUnknown, tooLarge, unreachable } from './failures.js'
import { storedError, type Outcome, type OutboxMessage, type Verdict } from './outbox-message.js'
import {
  GAS_LIMIT,
  isPassing,
  OUT_OF_GAS,
  isUncounted,
  TOO_LARGE,
  understood,
  type Failure,
} from './refusals.js'

/** How often a message goes into another transaction after a failure that was not its own. */
const MOST_ATTEMPTS = 6
/** How often it gets more gas. */
const MOST_GAS_ATTEMPTS = 4
/** Failures that are not counted end with the time that a message has. */
const LONGEST_MS = 30 * 60_000

/** Messages of a transaction that was executed, with code 0, and what became of each. */
export function verdictsOn(
  messages: readonly OutboxMessage[],
  executed: Omit<ExecutedTransaction, 'code' | 'codespace' | 'log' | 'gasUsed'>,
): Map<string, Verdict> {
  const { msgResponses } = TxMsgData.decode(executed.data)
  const paid = feeShares(messages, executed.paid)
  return new Map(
    messages.map((message, n) => {
      const outcome = messageOutcome(message, { ...executed, paid: paid[n] }, msgResponses[n])
      return [message.id, { kind: 'finished', outcome }]
    }),
  )
}

/** The chain reports the charge of a transaction as a whole: messages share it as they share its offer. */
function feeShares(messages: readonly OutboxMessage[], paid: bigint | undefined): (bigint | undefined)[] {
  if (paid === undefined || messages.length === 1) return messages.map(() => paid)
  const offered = messages.reduce((sum, { fee }) => sum + fee, 0n)
  if (offered === 0n) return messages.map(() => undefined)
  let [before, taken] = [0n, 0n]
  return messages.map(({ fee }) => {
    before += fee
    const share = (paid * before) / offered - taken
    taken += share
    return share
  })
}

/** The outcome of a message whose transaction was executed. */
export function messageOutcome(
  message: OutboxMessage,
  { hash, height, paid }: Pick<ExecutedTransaction, 'hash' | 'height' | 'paid'>,
  response: Any | undefined,
): Outcome {
  const result = response ? Any.encode(response).finish() : new Uint8Array()
  const overtaken = response && overtakenBy(message, response)
  if (!overtaken) return { txHash: hash, height, result, paid }
  return { error: { ...storedError(overtaken, hash), height }, paid }
}

/** Another writer's version came between the check of the chain and the block. */
function overtakenBy({ kind, expectedPrevious }: OutboxMessage, response: Any): LedgerError | undefined {
  if (expectedPrevious === null) return undefined
  const previous = previousIn(kind, response.value)
  if (previous === undefined || previous === expectedPrevious) return undefined
  return conflict(
    `the version was written after "${named(previous)}", which came after "${named(expectedPrevious)}"`,
  )
}

/**
 * @returns `undefined` if the chain does not report it; responses to all changes of a document have the same fields
 */
function previousIn(kind: OutboxMessage['kind'], response: Uint8Array): string | undefined {
  if (kind === 'createResource') return MsgCreateResourceResponse.decode(response).resource?.previousVersionId
  if (kind !== 'updateDidDoc' && kind !== 'deactivateDidDoc') return undefined
  const { metadata } = MsgUpdateDidDocResponse.decode(response).value ?? {}
  return metadata?.previousVersionId === '' ? undefined : metadata?.previousVersionId
}

const named = (id: string) => (id === '' ? 'none' : id)

/**
 * A transaction is atomic: if one message is refused, the others are sent again without it. If it is unknown which,
 * each is sent alone.
 *
 * @param now - milliseconds since 1970
 */
export function verdictsOnFailure(
  messages: readonly OutboxMessage[],
  told: Failure,
  now = Date.now(),
): Map<string, Verdict> {
  const failure = understood(told)
  const guilty = guiltyMessage(messages, failure)
  const isShared = messages.length > 1
  return new Map(
    messages.map((message, n): [string, Verdict] => {
      const isLast = guilty === n || isOver(message, failure, { isShared, now })
      return [
        message.id,
        isLast ? failed(message, failure) : again(message, failure, isShared && guilty === undefined),
      ]
    }),
  )
}

/** @param isSuspect - whether it may be the refused one */
function again({ gasAttempts }: OutboxMessage, failure: Failure, isSuspect: boolean): Verdict {
  const passing = isPassing(failure)
  const isOutOfGas = passing && failure.code === OUT_OF_GAS
  return {
    kind: 'again',
    alone: isSuspect && (!passing || (isOutOfGas && gasAttempts > 0)),
    ...(isOutOfGas && { outOfGas: failure.gasUsed ?? gasUsedIn(failure.log) }),
    ...(isUncounted(failure) && { isUncounted: true }),
  }
}

/** Whether a failure that says nothing against the message is its last allowed one. */
function isOver(
  { attempts, gasAttempts, queuedAt }: OutboxMessage,
  failure: Failure,
  { isShared, now }: { isShared: boolean; now: number },
): boolean {
  if (!isPassing(failure)) return false
  if (isUncounted(failure)) return now - queuedAt > LONGEST_MS
  if (failure.code !== OUT_OF_GAS) return attempts >= MOST_ATTEMPTS
  return !isShared && (failure.hadAllGas === true || gasAttempts >= MOST_GAS_ATTEMPTS)
}

function gasUsedIn(log: string): number {
  const [, used = '0'] = /gasUsed: (\d+)/.exec(log) ?? []
  return Number(used)
}

function guiltyMessage(messages: readonly OutboxMessage[], failure: Failure): number | undefined {
  if (isPassing(failure)) return undefined
  if (messages.length === 1) return 0
  const [, index] = /message index: (\d+)/.exec(failure.log) ?? []
  const guilty = index === undefined ? undefined : Number(index)
  return guilty !== undefined && guilty < messages.length ? guilty : undefined
}

const failed = ({ txHash }: OutboxMessage, failure: Failure): Verdict => ({
  kind: 'finished',
  outcome: { error: storedError(ledgerError(failure), txHash) },
})

function ledgerError(failure: Failure): LedgerError {
  const { code, codespace, log, phase } = failure
  const detail = logDetail(log)
  if (codespace === 'sdk' && (code === TOO_LARGE || code === GAS_LIMIT || failure.hadAllGas)) {
    return tooLarge(detail)
  }
  const retryable = isPassing(failure)
  return new LedgerError(detail, { code, codespace: codespace || 'sdk', phase, retryable })
}

/** The ledger's error about the message, without the SDK's about the transaction. */
const logDetail = (log: string): string =>
  log.replace(/^failed to execute message; message index: \d+: /, '').slice(0, 2_000)

/**
 * The messages of a transaction that will never be executed: they go again, except for payments of which that is not
 * certain, as nothing on the chain would keep a second one from being executed as well.
 */
export function verdictsOnDeath(
  messages: readonly OutboxMessage[],
  certain: boolean,
  now = Date.now(),
): Map<string, Verdict> {
  return new Map(
    messages.map((message): [string, Verdict] => {
      if (certain && now - message.queuedAt > LONGEST_MS) {
        const error = unreachable(`none of its ${message.attempts} transactions was included in a block`)
        return [message.id, { kind: 'finished', outcome: { error: storedError(error, message.txHash) } }]
      }
      if (certain || message.kind !== 'payment') return [message.id, { kind: 'again', alone: false }]
      const error = outcomeUnknown(
        'another transaction of the payer replaced the payment, and no node knows the payment',
      )
      return [message.id, { kind: 'finished', outcome: { error: storedError(error, message.txHash) } }]
    }),
  )
}
