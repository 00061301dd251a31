import type { DIDDocument } from 'did-resolver'

/** Verification methods, and entries of one relationship. Each costs a verifier its time. */
const MOST_ENTRIES = 100

const MEMBERS = [
  'verificationMethod',
  'authentication',
  'assertionMethod',
  'keyAgreement',
  'capabilityInvocation',
  'capabilityDelegation',
] as const

/**
 * Checks of a document from outside what whoever uses it relies on: methods and references are lists, of things with ids,
 * and no more than {@link MOST_ENTRIES} of each.
 *
 * @throws Error with a sentence without addresses
 */
export function requireFittingDocument(document: DIDDocument): void {
  for (const member of MEMBERS) {
    const entries: unknown = document[member]
    if (entries === undefined) continue
    if (!Array.isArray(entries)) throw new Error(`its document has no list as ${member}`)
    if (entries.length > MOST_ENTRIES) {
      throw new Error(`its document has more than ${MOST_ENTRIES} entries in ${member}`)
    }
    const isFitting = (entry: unknown) =>
      hasId(entry) || (typeof entry === 'string' && member !== 'verificationMethod')
    if (!entries.every(isFitting)) throw new Error(`its document has an entry without an id in ${member}`)
  }
}

const hasId = (entry: unknown): boolean =>
  typeof entry === 'object' && entry !== null && 'id' in entry && typeof entry.id === 'string'
