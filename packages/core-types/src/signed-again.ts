import { AgentError, isAgentError, problemsError } from './errors.js'

/** How often something is signed again before the caller gets a conflict. */
const MOST = 5

/** What was signed cannot be published: the keys in the document of a DID have changed meanwhile. */
export function signerLeft(did: string, cause?: unknown): AgentError {
  const message = `the keys in the document of "${did}" changed while this was signed; try again`
  return new AgentError('version_conflict', message, { cause, details: [{ path: 'did', message }] })
}

export const isSignerLeft = (error: unknown): boolean =>
  isAgentError(error) && error.code === 'version_conflict' && error.details[0]?.path === 'did'

/**
 * Signs and publishes, and does so again with the document of then if the key has left it in between.
 *
 * @param did - of the signer
 * @param work - finds the key, signs and publishes
 * @param options - `wasHeld`: the account did hold a key before
 * @throws AgentError `version_conflict` if the keys changed each time; `did_not_found` if the account holds none of them
 *   any more; and what `work` throws
 */
export async function signedAgain<T>(
  did: string,
  work: () => Promise<T>,
  { wasHeld = false }: { wasHeld?: boolean } = {},
): Promise<T> {
  let held = wasHeld
  for (let again = 0; ; again++) {
    try {
      return await work()
    } catch (error) {
      const isGone = isAgentError(error) && error.code === 'key_not_found'
      held ||= isSignerLeft(error)
      if (!held || !(isGone || isSignerLeft(error))) throw error
      if (again < MOST) continue
      if (!isGone) throw error
      const message = `the account holds no key in the document of "${did}" any more`
      throw problemsError('did_not_found', [{ path: 'did', message }])
    }
  }
}
