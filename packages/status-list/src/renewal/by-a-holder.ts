import { isAgentError, runInAccountScope, type Account } from '@vidimus/core-types'

/** After these another account that has the DID is asked. */
const NOT_BY_THIS_ACCOUNT: ReadonlySet<string> = new Set(['did_not_found', 'key_not_found'])

export const isNotByThisAccount = (error: unknown): boolean =>
  isAgentError(error) && NOT_BY_THIS_ACCOUNT.has(error.code)

/**
 * Work for a DID, in the scope of the first account that can do it.
 *
 * @returns `undefined` if nobody can any more
 * @throws the error of the last account that failed
 */
export async function byAHolder<T>(
  holders: readonly Account[],
  work: () => Promise<T>,
): Promise<T | undefined> {
  let failure: unknown
  for (const account of holders) {
    try {
      return await runInAccountScope(account, work)
    } catch (error) {
      if (isAgentError(error) && error.code === 'did_deactivated') return undefined
      failure = error
      if (!isNotByThisAccount(error)) break
    }
  }
  if (failure !== undefined) throw failure as Error
  return undefined
}
