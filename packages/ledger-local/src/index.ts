export type { EmbeddedBankOptions } from './bank-options.js'
export { EmbeddedLedger, type EmbeddedLedgerOptions } from './embedded-ledger.js'
export { migrations } from './baseline.js'
