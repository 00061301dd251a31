import type { DidDocWithMetadata, LedgerMessage, ResourceMetadata } from '@vidimus/ledger'

/** The outcome of a message. */
export type Outcome = { didDoc: DidDocWithMetadata } | { resource: ResourceMetadata } | { refused: Refused }

export interface Refused {
  codespace: string
  code: number
  log: string
  /** where the room distinguishes what is refused before a block */
  stage?: 'validateBasic' | 'handler'
  /** the members that are refused, in the node's names */
  paths: string[]
}

/** One implementation of the rules of the ledger, on `testnet`. */
export interface Room {
  name: string
  /** back to an empty ledger */
  reset(): Promise<void>
  /** @param time - of the block */
  submit(message: LedgerMessage, time: Date): Promise<Outcome>
  /** every version of a document, in any order */
  versionsOf(did: string): Promise<DidDocWithMetadata[]>
  /** of every resource, in any order; `undefined` if the room does not report it */
  collectionOf(collectionId: string): Promise<Partial<ResourceMetadata>[]>
}
