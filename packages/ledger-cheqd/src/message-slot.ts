import { normaliseMessage, subjectOf, type LedgerMessage, type Network } from '@vidimus/ledger'

/**
 * The versions of one name and type follow each other, and so do those of a document: each is written after the
 * previous one has its block.
 */
export function messageSlot(network: Network, message: LedgerMessage): string | null {
  if (message.type === 'createDidDoc') return null
  if (message.type !== 'createResource') return JSON.stringify([subjectOf(network, message)])
  const { collectionId, name, resourceType } = normaliseMessage(message).payload
  return JSON.stringify([collectionId, name, resourceType])
}
