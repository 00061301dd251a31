import { AgentError, isAgentError } from '@vidimus/core-types'

/**
 * Runs work that may refuse a DID, and reports the refusal at the caller's own field.
 *
 * @param path - of the caller's field that the work calls `did`
 */
export async function atPath<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAgentError(error)) throw error
    const [detail, ...others] = error.details
    if (detail?.path !== 'did' || others.length > 0) throw error
    const { message } = detail
    throw new AgentError(error.code, `${path}: ${message}`, { cause: error, details: [{ path, message }] })
  }
}
