import type { KeyEnvelope } from './key-envelope.js'

/**
 * Texts of one kind that a package keeps sealed by an envelope.
 *
 * Which secret new texts are sealed with is noted beside them, and looked up in the transaction that stores them: so
 * no process, however long it has been running, adds a text of the old secret once {@link sealWith} has returned.
 */
export interface SealedStore {
  /** what lies there, for people: `private keys` */
  readonly name: string
  readonly envelope: KeyEnvelope
  /** where its sealed texts stand, those included that say which secret seals; clear text may stand there as well */
  readonly places: readonly SealedPlace[]
  /** how many texts there are of each secret, by its id */
  countSealed(): Promise<ReadonlyMap<string, number>>
  /** From now on every new text is sealed with this secret, whatever process stores it. */
  sealWith(keyId: string): Promise<void>
  /**
   * Seals anew what is sealed with other secrets, some texts at a time. What is done is durable when it is told of;
   * whoever stops in between may begin again.
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

/** Texts that were sealed anew in one transaction. */
export interface ResealedBatch {
  resealed: number
  /** what the texts belong to that do not open although their secret is there; they stay as they are */
  unreadable: readonly string[]
}

/** An object of `agent.yml` that keeps sealed texts. The rotation of the secret looks for it, as for `lifecycle`. */
export interface HasSealedStores {
  readonly sealedStores: readonly SealedStore[]
}
