export { EmbeddedLedger, type EmbeddedLedgerOptions } from './embedded-ledger.js'
export { migrations } from './migrations.js'
