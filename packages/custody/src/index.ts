export { AccountDIDStore } from './account-did-store.js'
export { AccountKeyStore } from './account-key-store.js'
export { AccountPrivateKeyStore } from './account-private-key-store.js'
export {
  DIDCreationPlugin,
  type DIDCreationOptions,
  type DIDCreationRecovery,
  type IDIDCreationPlugin,
} from './did-creation-plugin.js'
export { HoldingsPlugin } from './holdings-plugin.js'
export { inOneUnit } from './in-one-unit.js'
export { DIDRotationPlugin, type DIDRotationOptions } from './rotation/did-rotation-plugin.js'
export { KeyCertificates } from './key-certificates.js'
export { takeKeyInventory, type KeyInventory } from './key-inventory.js'
export { migrations } from './baseline.js'
export { WebDidPlugin, type WebDidPluginOptions } from './web-did-plugin.js'
export { releaseWebDid } from './web-dids.js'
export { readVeramoHoldings, type VeramoHoldings } from './veramo-holdings.js'
export { importVeramo, type CustodyStores } from './veramo-import.js'
export { UnitOfWork, type UnitOfWorkOptions } from './unit-of-work.js'
