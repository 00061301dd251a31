export { AccountDIDStore } from './account-did-store.js'
export { AccountKeyStore } from './account-key-store.js'
export { AccountPrivateKeyStore, type AccountPrivateKeyStoreOptions } from './account-private-key-store.js'
export {
  Accounts,
  type AccountsOptions,
  type ApiKey,
  type ApiKeyCreateArgs,
  type CreatedApiKey,
} from './accounts.js'
export { isApiKey } from './api-key.js'
export {
  DIDCreationPlugin,
  type DIDCreationRecovery,
  type IDIDCreationPlugin,
} from './did-creation-plugin.js'
export { inOneUnit } from './in-one-unit.js'
export { entities, migrations } from './migrations/index.js'
export { UnitOfWork } from './unit-of-work.js'
