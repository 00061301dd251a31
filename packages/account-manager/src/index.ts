export { AccountDIDStore } from './account-did-store.js'
export { AccountKeyStore } from './account-key-store.js'
export type { QuotaChanges } from './account-quota-rows.js'
export { AccountPrivateKeyStore, type AccountPrivateKeyStoreOptions } from './account-private-key-store.js'
export { AccountUsagePlugin } from './account-usage-plugin.js'
export type { AccountContent, DeletionOptions } from './account-deletion.js'
export type { ListedAccount } from './account-states.js'
export { Accounts, type AccountsOptions, type ApiKeyCreateArgs } from './accounts.js'
export { isApiKey } from './api-key.js'
export { ApiKeyPlugin } from './api-key-plugin.js'
export type { RotationOptions } from './api-keys.js'
export { AuditLog, type AuditLogOptions } from './audit-log.js'
export type { AuditEvent, AuditQuery } from './audit-rows.js'
export {
  DIDCreationPlugin,
  type DIDCreationOptions,
  type DIDCreationRecovery,
  type IDIDCreationPlugin,
} from './did-creation-plugin.js'
export { HoldingsPlugin } from './holdings-plugin.js'
export { IdempotencyRecords, type IdempotencyRecordsOptions } from './idempotency-records.js'
export { inOneUnit } from './in-one-unit.js'
export { takeKeyInventory, withoutRawRights, type KeyInventory, type Sample } from './key-inventory.js'
export { entities, migrations } from './migrations/index.js'
export { Quotas, type QuotasOptions } from './quotas.js'
export { correctTallies, wrongTallies, type WrongTally } from './tally-check.js'
export { UnitOfWork, type UnitOfWorkOptions } from './unit-of-work.js'
