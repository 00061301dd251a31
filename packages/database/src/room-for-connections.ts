import { setTimeout as pause } from 'node:timers/promises'
import { isAgentError } from '@vidimus/core-types'

const AGAIN_MS = 100

/** Whether the server has no free connection left (PostgreSQL's `too_many_connections`). */
export function hasNoRoom(error: unknown): boolean {
  const cause = isAgentError(error) ? error.cause : error
  return cause instanceof Error && (cause as Error & { code?: unknown }).code === '53300'
}

/**
 * Retries for a while if the server has no free connection: others release what they do not need.
 *
 * @param wait - called before the first attempt
 * @throws the last error of `work`
 */
export async function whenThereIsRoom<T>(
  work: () => Promise<T>,
  patienceMs: number,
  wait: () => unknown = () => undefined,
): Promise<T> {
  const end = performance.now() + patienceMs
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work()
    } catch (error) {
      if (!hasNoRoom(error) || performance.now() >= end) throw error
      if (isFirst) wait()
    }
    await pause(AGAIN_MS)
  }
}
