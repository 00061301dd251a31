import { KeyedQueue, queueName } from '@vidimus/core-types'

/** By the agent that manages the DIDs: services in one process are independent. */
const queuesByAgent = new WeakMap<object, KeyedQueue>()

/**
 * Serializes work on a DID: otherwise the later of two concurrent changes of a document would have to be repeated.
 * Other processes are not awaited; the ledger detects their changes.
 */
export function inDidQueue<T>(agent: object, did: string, work: () => Promise<T>): Promise<T> {
  const queue = queuesByAgent.get(agent) ?? new KeyedQueue()
  queuesByAgent.set(agent, queue)
  return queue.run(queueName('did', did), work)
}
