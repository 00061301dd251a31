import type { Block } from './chain.js'

/** What stands at the head of each block on a chain with an oracle: the votes on the price, which are no transaction. */
export const oracleTransaction = ({ hasOracle, height }: Block): Uint8Array[] =>
  hasOracle && height > 1
    ? [Buffer.from(JSON.stringify({ ExchangeRateVotes: [], ExtendedCommitInfo: { round: 0 }, height }))]
    : []

export const ORACLE_RESULT = {
  code: 2,
  data: null,
  log: 'tx parse error',
  info: '',
  gas_wanted: '0',
  gas_used: '0',
  events: [],
  codespace: 'sdk',
}
