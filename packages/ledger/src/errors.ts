import type { Problem } from '@vidimus/core-types'

/** The phase of a message in which it failed. */
export type LedgerPhase = 'check' | 'deliver' | 'query' | 'transport' | 'timeout' | 'conflict'

/**
 * A ledger's refusal or failure, in the ledger's own terms: codespace and code as cheqd-node has them
 * (`x/did/types/errors.go`, `x/resource/types/errors.go`).
 */
export class LedgerError extends Error {
  override readonly name = 'LedgerError'
  readonly codespace: string
  readonly code: number
  readonly phase: LedgerPhase
  readonly txHash?: string
  /** whether the same call may succeed later */
  readonly retryable: boolean
  /** every broken rule with its place in the message, if only the message was checked */
  readonly problems: readonly Problem[]

  constructor(
    message: string,
    options: {
      codespace: string
      code: number
      phase: LedgerPhase
      txHash?: string
      retryable?: boolean
      problems?: readonly Problem[]
      cause?: unknown
    },
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.codespace = options.codespace
    this.code = options.code
    this.phase = options.phase
    if (options.txHash !== undefined) this.txHash = options.txHash
    this.retryable = options.retryable ?? false
    this.problems = options.problems ?? []
  }
}

/** The document of a DID is not the one under which something was signed. */
export const documentChanged = (did: string): LedgerError =>
  new LedgerError(`the document of ${did} has another version by now`, {
    codespace: 'vidimus',
    code: 9,
    phase: 'conflict',
    retryable: true,
  })

export const isDocumentChanged = (error: unknown): boolean =>
  error instanceof LedgerError && error.codespace === 'vidimus' && error.code === 9

/** Whether a ledger has our message that creates the DID, but cannot report its outcome yet. */
export const isOnItsWay = (error: unknown): boolean =>
  error instanceof LedgerError && error.codespace === 'vidimus' && error.code === 5
