export { Database } from './database.js'
export type { DatabaseOptions } from './database-options.js'
export type {
  AccountQuotas,
  CountOptions,
  CountsStored,
  HasCountsStored,
  StoredShare,
  TalliedChange,
  TalliedKind,
} from './account-quotas.js'
export { baseline, type MigrationClass, type RememberedTables, type Room } from './baseline.js'
export type { Connection, Reader } from './connection.js'
export { DayBudgets, utcDay as dayOf, type DayBooking } from './day-budgets.js'
export { DeferredRows } from './deferred-rows.js'
export { DatabaseError, isForeignKeyViolation, isFull, isPartAway, isUniqueViolation } from './errors.js'
export { tableNamed, UNFINISHED_IMPORT, type BegunMigration } from './migrate.js'
export { countRows, readRows, type Listing } from './page-rows.js'
export type { Release } from './database-engine.js'
export { sealedHeadIndex } from './sealed-heads.js'
export { SealedTexts, type SealedColumn, type SealedDatabase } from './sealed-texts.js'
export { HOME_VERSION, SHARED_VERSION } from './home-versions.js'
export {
  groupByHome,
  homeOf,
  homeOfDid,
  homeOfResources,
  homeOfSubject,
  inAccount,
  SHARED_HOME,
} from './homes.js'
export { changedHomes, type WriteOptions } from './one-home.js'
export { laneOfAccount, laneOfDid } from './lanes.js'
export { limitRows } from './limit-rows.js'
export { lockFile } from './process-lock.js'
export { readForeign } from './read-foreign.js'
export { requireDatabase } from './require-database.js'
export { takeSample, type Sample } from './sample.js'
export { whyUnfit } from './unfit-schema.js'
export { joinSql, Sql, sql, type Dialect, type SqlValue } from './sql.js'
export { TableOfAccounts, type AccountTable } from './table-of-accounts.js'
export { KnownTallies, readShares, tallied, tally, whereCounted } from './tally.js'
