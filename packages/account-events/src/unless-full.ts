import { isFull } from '@vidimus/database'

/**
 * Waits for work that is repeated anyway: a full disk, which the database reports, must neither fail a start nor stop
 * reads.
 */
export async function unlessFull(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isFull(error)) throw error
  }
}
