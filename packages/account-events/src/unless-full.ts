import { isFull } from '@vidimus/database'

/** Waits for what is repeated anyway: a full disk, which the database reports, must neither end a start nor take reads away. */
export async function unlessFull(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isFull(error)) throw error
  }
}
