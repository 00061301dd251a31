import type { IPluginMethodMap } from '@veramo/core-types'
import { AgentError } from './errors.js'

/** The limits of an account, with their plural names for people. */
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
 * The reserve for changes of existing objects, one part of this many: on top of a quota, or the last part of a
 * budget. A full account must still be able to revoke, to deactivate and to replace keys.
 */
export const RESERVE_PARTS = 10

/** How much of a quota or budget is used. */
export interface UsedOf {
  used: number
  limit: number
}

/** The use of a budget. */
export interface SpentOf {
  used: number
  /** absent: there is none */
  limit?: number
}

/** The use of a limit. */
export interface AccountUsage {
  dids: UsedOf
  keys: UsedOf
  /** in the database of the service; resources on a network that costs money are in its budget */
  statusLists: UsedOf
  /** versions of resources other than status lists, in the database of the service */
  resources: UsedOf
  /** of documents, resources, status lists and stored responses, as stored */
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
  /** fees of the account's writes */
  spendToday?: SpentOf
}

/** Today's spending of the account in scope on its writes, by network. */
export interface ILedgerSpending extends IPluginMethodMap {
  ledgerSpending(): Promise<Record<string, SpentOf>>
}

/** The usage of the account in scope. */
export interface IAccountUsage extends IPluginMethodMap {
  accountUsage(): Promise<AccountUsage>
}

/**
 * The account has as much as it may.
 *
 * @param words - `about` stands before the limit, `advice` at the end
 */
export function quotaError(
  quota: QuotaName,
  { used, limit }: UsedOf,
  { about = '', advice }: { about?: string; advice?: string } = {},
): AgentError {
  const most = `the account may have at most ${about}${limit} ${QUOTAS[quota]}, and has ${used}`
  const message = advice === undefined ? most : `${most}; ${advice}`
  const path = `quota.${quota}`
  const details = [{ path, message, used, limit }]
  return new AgentError('quota_exceeded', `${path}: ${message}`, { details })
}
