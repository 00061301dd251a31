/** For work that goes on in the background after a start. */
const SETTLED_WITHIN_MS = 60_000

/** Waits for something that ends by itself. @returns how it was at last */
export async function untilSettled<T>(
  read: () => Promise<T>,
  isSettled: (found: T) => boolean,
  mostMs = SETTLED_WITHIN_MS,
): Promise<T> {
  for (const startedAt = performance.now(); ;) {
    const found = await read()
    if (isSettled(found) || performance.now() - startedAt > mostMs) return found
    await new Promise((done) => setTimeout(done, 100))
  }
}
