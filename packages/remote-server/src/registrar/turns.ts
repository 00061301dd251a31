/** By the agent whose DIDs they are: services of one process do not know of each other. */
const turnsOf = new WeakMap<object, Map<string, Promise<unknown>>>()

/**
 * Does one work on a DID after the other: of two changes of a document at the same time the later one would have to be
 * made again. Other processes are not waited for; of those the ledger tells.
 */
export async function inTurn<T>(agent: object, did: string, work: () => Promise<T>): Promise<T> {
  const turns = turnsOf.get(agent) ?? new Map<string, Promise<unknown>>()
  turnsOf.set(agent, turns)
  const before = turns.get(did)
  const own = (async () => {
    await before?.catch(() => undefined)
    return work()
  })()
  turns.set(did, own)
  try {
    return await own
  } finally {
    if (turns.get(did) === own) turns.delete(did)
  }
}
