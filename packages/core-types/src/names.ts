declare const KIND: unique symbol

/**
 * The name of works that wait for each other, made by {@link queueName}. It is deliberately not a string to the compiler:
 * nothing that takes a DID, a key or another text accepts it.
 */
export interface QueueName {
  readonly [KIND]: 'queue'
}

/** @param words - what the works have in common; two queues of the same text only wait longer than needed */
export const queueName = (...words: readonly string[]): QueueName => words.join(' ') as unknown as QueueName

/** For locks, which have texts or hashes of them as keys. */
export const textOfQueue = (queue: QueueName): string => queue as unknown as string
