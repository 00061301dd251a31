import type { KeyEnvelope } from './key-envelope.js'

/**
 * Texts of one kind that a package keeps sealed by an envelope.
 *
 * The secret for new texts is recorded beside them, and looked up in the transaction that stores them: so no process,
 * however long it has been running, adds a text of the old secret once {@link sealWith} has returned.
 */
export interface SealedStore {
  /** its content, for people: `private keys` */
  readonly name: string
  readonly envelope: KeyEnvelope
  /** where its sealed texts are, including those that record which secret seals; there may be clear text as well */
  readonly places: readonly SealedPlace[]
  /** how many texts there are of each secret, by its id */
  countSealed(): Promise<ReadonlyMap<string, number>>
  /** From now on every new text is sealed with this secret, whatever process stores it. */
  sealWith(keyId: string): Promise<void>
  /**
   * Re-seals texts that are sealed with other secrets, some at a time. Reported progress is durable; after an
   * interruption it may start again.
   *
   * @param most - texts in one transaction
   */
  reseal(keyId: string, most: number): AsyncIterable<ResealedBatch>
}

/** A column of a database. */
export interface SealedPlace {
  readonly table: string
  readonly column: string
}

/** Texts that were re-sealed in one transaction. */
export interface ResealedBatch {
  resealed: number
  /** the owners of texts that do not open although their secret is available; they stay unchanged */
  unreadable: readonly string[]
}

/** An object of `agent.yml` that keeps sealed texts. The rotation of the secret looks for it, as for `lifecycle`. */
export interface HasSealedStores {
  readonly sealedStores: readonly SealedStore[]
}
