import type { ApiKeyGrant } from './account.js'

/** Whose rights somebody's work has, as they are stored with it. */
export type GrantSource = Pick<ApiKeyGrant, 'id' | 'rule'>

/** Says which rights somebody has at this moment, for work that goes on without them. */
export interface RightsOfNow {
  /**
   * The present rights of an API key, or of its successor after a rotation; for the holder of a token, whether the rule
   * that gave the rights is still there as it was.
   *
   * @param source - absent: the account itself
   * @returns `undefined` if they have ended, or the account is disabled; without a grant: unchanged
   */
  rightsNow(accountId: string, source: GrantSource | undefined): Promise<{ grant?: ApiKeyGrant } | undefined>
}
