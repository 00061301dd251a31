export type { QuotaChanges } from './account-quota-rows.js'
export { AccountUsagePlugin } from './account-usage-plugin.js'
export type { AccountContent, DeletionOptions } from './account-deletion.js'
export type { AccountSearch, ListedAccount } from './account-states.js'
export { Accounts, type AccountsOptions, type ApiKeyCreateArgs } from './accounts.js'
export { isApiKey } from './api-key.js'
export { ApiKeyPlugin } from './api-key-plugin.js'
export type { RotationOptions } from './api-keys.js'
export { AccountAuditPlugin } from './account-audit-plugin.js'
export { AuditLog, type AuditLogOptions } from './audit-log.js'
export { insertAuditEvent, tellOtherHolders, type AuditEvent, type AuditQuery } from './audit-rows.js'
export {
  checkedList,
  checkedObject,
  checkedText,
  indexedText,
  invalidInput,
  isoTime,
  optionalText,
} from './checked-text.js'
export { accountsBaseline } from './baseline.js'
export { lapsingLists, newestLists, type LapsingList } from './lapsing-lists.js'
export { OperatorPlugin } from './operator-plugin.js'
export { Quotas, type QuotasOptions } from './quotas.js'
export { withoutRights } from './raw-rights.js'
export { correctTallies, wrongTallies, type WrongTally } from './tally-check.js'
