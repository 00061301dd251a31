import type { LedgerPhase } from '@vidimus/ledger'

/** Codes of cosmos-sdk. */
export const INSUFFICIENT_FUNDS = 5
export const OUT_OF_GAS = 11
export const FEE_TOO_LOW = 13
/** in the mempool already */
export const KNOWN = 19
export const MEMPOOL_FULL = 20
export const TOO_LARGE = 21
/** it came too late for its timeout height */
export const TOO_LATE = 30
export const SEQUENCE_MISMATCH = 32
/** more gas wanted than a block has */
export const GAS_LIMIT = 41

/** Errors that say nothing against a message: another transaction may be executed. */
const PASSING = new Set([OUT_OF_GAS, FEE_TOO_LOW, KNOWN, MEMPOOL_FULL, TOO_LATE, SEQUENCE_MISMATCH])

/** A transaction that failed, before or in its block. */
export interface Failure {
  code: number
  codespace: string
  log: string
  phase: LedgerPhase
  /** if it was executed */
  gasUsed?: number
  /** whether it had as much gas as a block has */
  hadAllGas?: boolean
}

/**
 * cheqd-node's errors about money after the messages, recognised by their text: such errors have lost their code, and
 * follow that of a message if there is one.
 */
const IN_WORDS: readonly [RegExp, number][] = [
  [/insufficient funds|fee payer address: .* does not exist/i, INSUFFICIENT_FUNDS],
  [/\bfees?\b|insufficient ncheq|price (not available|unavailable)|overlapping USD range/i, FEE_TOO_LOW],
]

/** A failure under the code that it has lost. */
export function understood<T extends Pick<Failure, 'codespace' | 'code' | 'log'>>(failure: T): T {
  if (failure.codespace !== 'undefined' || failure.code !== 1) return failure
  const code = IN_WORDS.find(([words]) => words.test(failure.log))?.[1]
  return code === undefined ? failure : { ...failure, codespace: 'sdk', code }
}

/** Whether the attempt was not the message's fault: only its time limit ends such failures. */
export const isUncounted = ({ codespace, code }: Pick<Failure, 'codespace' | 'code'>): boolean =>
  codespace === 'sdk' && (code === TOO_LATE || code === SEQUENCE_MISMATCH)

export const isPassing = ({ codespace, code }: Pick<Failure, 'codespace' | 'code'>): boolean =>
  codespace === 'sdk' && PASSING.has(code)
