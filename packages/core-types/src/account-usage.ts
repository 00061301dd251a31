import type { IPluginMethodMap } from '@veramo/core-types'

/** What is limited of an account, and what people call it in the plural. */
export const QUOTAS = {
  dids: 'DIDs',
  keys: 'key pairs',
  statusLists: 'status lists',
  resources: 'resources',
  bytes: 'bytes of documents, resources and kept answers',
  apiKeys: 'API keys',
  webhooks: 'webhooks',
} as const

export type QuotaName = keyof typeof QUOTAS

/**
 * What changes of what is there may take on top of a quota, or alone of a budget, in parts of it: whoever is full must still
 * be able to revoke, to deactivate and to replace keys.
 */
export const RESERVE_PARTS = 10

/** How much of a quota or budget is used. */
export interface UsedOf {
  used: number
  limit: number
}

/** What is spent of a budget that there may be. */
export interface SpentOf {
  used: number
  /** left out: there is none */
  limit?: number
}

/** What an account uses of what it may. */
export interface AccountUsage {
  dids: UsedOf
  keys: UsedOf
  /** in the database of the service; what lies on a network that costs is in the budget of that */
  statusLists: UsedOf
  /** versions of resources that are no status lists, in the database of the service */
  resources: UsedOf
  /** of documents, resources, status lists and kept answers, as they are stored */
  bytes: UsedOf
  apiKeys: UsedOf
  webhooks?: UsedOf
  /** by network; amounts in CHEQ */
  networks: Record<string, NetworkUsage>
}

/** Budgets of a day in UTC. */
export interface NetworkUsage {
  /** fees for encrypted lists of others */
  feesToday?: UsedOf
  /** fees of what the account writes */
  spendToday?: SpentOf
}

/** What the account in scope has spent today on what it writes, by network. */
export interface ILedgerSpending extends IPluginMethodMap {
  ledgerSpending(): Promise<Record<string, SpentOf>>
}

/** What the account in scope uses. */
export interface IAccountUsage extends IPluginMethodMap {
  accountUsage(): Promise<AccountUsage>
}
