import { LedgerError, type LedgerMessage, type LedgerPhase } from '@vidimus/ledger'
import type { SentCount } from './sent-counts.js'

/** What is sent, in the terms of the outbox. */
export type MessageKind = LedgerMessage['type'] | 'payment'

/** A message that was handed over and has no outcome yet. */
export interface OutboxMessage {
  id: string
  kind: MessageKind
  /** the DID that it is about, or the recipient of a payment */
  subject: string
  /** the version that must be the newest one of the resource or document, `''` for none; `null`: any */
  expectedPrevious: string | null
  /** of a payment */
  memo: string
  /** `google.protobuf.Any`, encoded */
  message: Uint8Array
  /** whether it must not share its transaction: one with others failed for an unknown reason */
  alone: boolean
  /** how many transactions it has been in */
  attempts: number
  /** how many of them ran out of gas */
  gasAttempts: number
  /** offered for it, in ncheq; 0 if it is in no budget */
  fee: bigint
  /** milliseconds since 1970 */
  queuedAt: number
  /** the last of those transactions */
  txHash: string | undefined
}

/** A transaction whose outcome is not known. */
export interface SentTransaction {
  /** upper-case hex */
  hash: string
  sequence: number
  timeoutHeight: number
  /** in the order of the messages */
  messageIds: readonly string[]
  bytes: Uint8Array
}

/** A transaction that was just signed. */
export interface NewTransaction extends SentTransaction {
  count: SentCount
}

/** The result of a finished message. */
export type Outcome =
  | {
      txHash: string
      height: number
      /** `google.protobuf.Any` of the chain's response, encoded; empty if it has none */
      result: Uint8Array
      /** what the chain has charged for it, in ncheq; absent if unknown */
      paid?: bigint | undefined
    }
  | { error: StoredError; paid?: bigint | undefined }

/** A LedgerError as it is stored. */
export interface StoredError {
  message: string
  codespace: string
  code: number
  phase: LedgerPhase
  retryable: boolean
  txHash?: string
  /** of the block, if the message was executed nevertheless */
  height?: number
}

/** The consequence of an attempt. */
export type Verdict =
  | ({ kind: 'finished' } & { outcome: Outcome })
  | {
      kind: 'again'
      alone: boolean
      /** what it used until it ran out of gas */
      outOfGas?: number
      /** the attempt says nothing about the message, and is not counted */
      isUncounted?: boolean
    }

export const storedError = (error: LedgerError, txHash?: string): StoredError => {
  const hash = error.txHash ?? txHash
  const { message, codespace, code, phase, retryable } = error
  return { message, codespace, code, phase, retryable, ...(hash === undefined ? {} : { txHash: hash }) }
}

export const restoredError = ({ message, height: _height, ...options }: StoredError): LedgerError =>
  new LedgerError(message, options)
