import type { IPluginMethodMap } from '@veramo/core-types'

/** How much of a quota or budget is used. */
export interface UsedOf {
  used: number
  limit: number
}

/** What an account uses of what it may. */
export interface AccountUsage {
  dids: UsedOf
  keys: UsedOf
  apiKeys: UsedOf
  webhooks?: UsedOf
  /** by network; amounts in CHEQ */
  networks: Record<string, NetworkUsage>
}

/** Budgets of a day in UTC. */
export interface NetworkUsage {
  /** fees for encrypted lists of others */
  feesToday?: UsedOf
}

/** What the account in scope uses. */
export interface IAccountUsage extends IPluginMethodMap {
  accountUsage(): Promise<AccountUsage>
}
