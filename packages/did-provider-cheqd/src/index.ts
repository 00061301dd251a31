export {
  CheqdDIDProvider,
  type CheqdDIDProviderOptions,
  type CheqdUpdateOptions,
  type DidDocWritten,
} from './cheqd-did-provider.js'
export {
  getCheqdDidResolver,
  type CheqdDidResolverOptions,
  type CheqdResolutionOptions,
} from './cheqd-did-resolver.js'
export {
  CheqdLedgerPlugin,
  type CheqdLedgerPluginOptions,
  type CheqdNetwork,
  type ICheqdLedger,
} from './cheqd-ledger-plugin.js'
export type {
  CheqdCreateOptions,
  CheqdDidDocumentOptions,
  CheqdServiceOptions,
  Relationship,
} from './create-options.js'
export type { CheqdAddKeyOptions } from './did-doc-changes.js'
export { LedgerBankPlugin, type LedgerBankPluginOptions } from './ledger-bank-plugin.js'
