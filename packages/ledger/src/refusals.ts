import { problemsError, type Problem } from '@vidimus/core-types'
import { LedgerError } from './errors.js'

/** The texts of cheqd-node and of the Cosmos SDK for the codes that our rules use. */
const TEXTS = {
  cheqd: {
    1100: 'invalid signature detected',
    1101: 'signature is required but not found',
    1200: 'DID Doc exists',
    1201: 'DID Doc not found',
    1202: 'verification method not found',
    1205: 'basic validation failed',
    1206: 'DID namespace validation failed',
    1207: 'DID Doc already deactivated',
    1500: 'internal error',
  },
  resource: { 2200: 'Resource exists', 2500: 'internal error' },
  sdk: { 38: 'not found' },
} as const

type Texts = typeof TEXTS

/** The ledger's refusal of a message that it has looked at together with its state, in its own words. */
export const refusal = <Space extends keyof Texts>(
  codespace: Space,
  code: keyof Texts[Space] & number,
  detail: string,
): LedgerError => {
  const texts: Readonly<Record<number, string>> = TEXTS[codespace]
  return new LedgerError(`${detail}: ${texts[code] ?? ''}`, { codespace, code, phase: 'deliver' })
}

/** The ledger's refusal of a message by itself. */
export function staticRefusal(code: 1205 | 1206, problems: readonly Problem[]): LedgerError {
  const detail = problemsError('ledger_rule', problems).message
  return new LedgerError(`${detail}: ${TEXTS.cheqd[code]}`, {
    codespace: 'cheqd',
    code,
    phase: 'check',
    problems,
  })
}
