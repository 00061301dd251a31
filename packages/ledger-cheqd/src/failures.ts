import { formatCoins, LedgerError } from '@vidimus/ledger'

/** The node cannot be reached, or its response is invalid. */
export const unreachable = (message: string, cause?: unknown): LedgerError =>
  new LedgerError(message, {
    codespace: 'vidimus',
    code: 2,
    phase: 'transport',
    retryable: true,
    ...(cause === undefined ? {} : { cause }),
  })

/** Another writer created the version that this one was to follow. */
export const conflict = (message: string): LedgerError =>
  new LedgerError(message, { codespace: 'vidimus', code: 1, phase: 'conflict', retryable: true })

/** The message may still be executed. */
export const outcomeUnknown = (message: string, txHash?: string): LedgerError =>
  new LedgerError(message, {
    codespace: 'vidimus',
    code: 3,
    phase: 'timeout',
    retryable: true,
    ...(txHash === undefined ? {} : { txHash }),
  })

/** Nothing was sent, and nothing will be. */
export const withdrawn = (reason: string): LedgerError =>
  new LedgerError(`the message was withdrawn before it was sent: ${reason}`, {
    codespace: 'vidimus',
    code: 4,
    phase: 'transport',
    retryable: true,
  })

/** Whether it exists is unknown until its transaction has its block. */
export const onItsWay = (what: string): LedgerError =>
  new LedgerError(`${what} is on its way to the ledger`, {
    codespace: 'vidimus',
    code: 5,
    phase: 'transport',
    retryable: true,
  })

export const tooExpensive = (asked: bigint, allowed: bigint): LedgerError =>
  new LedgerError(
    `the ledger charges a fee of ${formatCoins(asked)} for this message, but maxFee allows ${formatCoins(allowed)}`,
    { codespace: 'vidimus', code: 6, phase: 'check', retryable: true },
  )

export const tooLarge = (message: string): LedgerError =>
  new LedgerError(message, { codespace: 'vidimus', code: 7, phase: 'check' })

/** The account has reached its daily limit. */
export const overBudget = (message: string): LedgerError =>
  new LedgerError(`maxSpendPerDayCheq: ${message}`, {
    codespace: 'vidimus',
    code: 8,
    phase: 'check',
    retryable: true,
    problems: [{ path: 'maxSpendPerDayCheq', message }],
  })

/** A refusal with a code of cosmos-sdk, found out before anything is sent. */
export const refusedBySdk = (code: number, message: string): LedgerError =>
  new LedgerError(message, { codespace: 'sdk', code, phase: 'check' })

export const noPayer = (network: string): LedgerError =>
  refusedBySdk(9, `the ledger of ${network} has no payer configured, so nothing can be written to it`)

/** A node's response to a query that is neither a value nor "not found". */
export const queryRefused = (path: string, code: number, codespace: string, log: string): LedgerError =>
  new LedgerError(`the query ${path} failed: ${log.slice(0, 500)}`, {
    codespace: codespace === '' ? 'sdk' : codespace,
    code,
    phase: 'query',
    retryable: true,
  })
