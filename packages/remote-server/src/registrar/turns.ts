import { KeyedQueue } from '@vidimus/core-types'

/** By the agent that manages the DIDs: services in one process are independent. */
const turnsOf = new WeakMap<object, KeyedQueue>()

/**
 * Serializes work on a DID: otherwise the later of two concurrent changes of a document would have to be repeated.
 * Other processes are not awaited; the ledger detects their changes.
 */
export function inTurn<T>(agent: object, did: string, work: () => Promise<T>): Promise<T> {
  const turns = turnsOf.get(agent) ?? new KeyedQueue()
  turnsOf.set(agent, turns)
  return turns.run(did, work)
}
