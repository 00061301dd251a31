import { BOUNDS } from '@vidimus/core-types'
import type { DIDDocument } from 'did-resolver'

const MEMBERS = [
  'verificationMethod',
  'authentication',
  'assertionMethod',
  'keyAgreement',
  'capabilityInvocation',
  'capabilityDelegation',
] as const

/**
 * Checks an external document for what its users rely on: methods and references are lists, of objects with ids, and
 * at most {@link BOUNDS.documentEntries} of each.
 *
 * @throws Error with a sentence without addresses
 */
export function requireFittingDocument(document: DIDDocument): void {
  for (const member of MEMBERS) {
    const entries: unknown = document[member]
    if (entries === undefined) continue
    if (!Array.isArray(entries)) throw new Error(`its document has no list as ${member}`)
    if (entries.length > BOUNDS.documentEntries) {
      throw new Error(`its document has more than ${BOUNDS.documentEntries} entries in ${member}`)
    }
    const isFitting = (entry: unknown) =>
      hasId(entry) || (typeof entry === 'string' && member !== 'verificationMethod')
    if (!entries.every(isFitting)) throw new Error(`its document has an entry without an id in ${member}`)
  }
}

const hasId = (entry: unknown): boolean =>
  typeof entry === 'object' && entry !== null && 'id' in entry && typeof entry.id === 'string'
