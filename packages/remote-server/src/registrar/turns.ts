import { KeyedQueue } from '@vidimus/core-types'

/** By the agent whose DIDs they are: services of one process do not know of each other. */
const turnsOf = new WeakMap<object, KeyedQueue>()

/**
 * Does one work on a DID after the other: of two changes of a document at the same time the later one would have to be
 * made again. Other processes are not waited for; of those the ledger tells.
 */
export function inTurn<T>(agent: object, did: string, work: () => Promise<T>): Promise<T> {
  const turns = turnsOf.get(agent) ?? new KeyedQueue()
  turnsOf.set(agent, turns)
  return turns.run(did, work)
}
