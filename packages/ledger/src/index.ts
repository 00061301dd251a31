export * from './errors.js'
export * from './ledger.js'
export * from './messages.js'
