import type { z } from 'zod'

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

/** A DID: a text of its own kind to the compiler, so that nothing that takes a DID takes the name of a list or any other text. */
export type Did = string & z.$brand<'did'>

/** The name of a status list, or of a series of them. */
export type StatusListName = string & z.$brand<'status list name'>

/** The name of a key in its account: neither the name of the account nor the DID beside it, nor the key itself. */
export type Kid = string & z.$brand<'kid'>

/** @param text - known to be a DID: it was checked, or a ledger or an identifier calls it one */
export const asDid = (text: string): Did => text as Did

/** @param text - known to name a list, such as the name of the resource that holds it */
export const asListName = (text: string): StatusListName => text as StatusListName

/** @param text - known to name a key, such as the `kid` of Veramo's keys */
export const asKid = (text: string): Kid => text as Kid
