import { refusal } from './refusals.js'
import { normaliseDid } from './identifiers.js'
import { splitKept } from './kept-did-url.js'
import type { LedgerDidDoc, LedgerVerificationMethod, UnsignedLedgerMessage } from './messages.js'
import { normaliseMessage } from './normalise-message.js'

/**
 * A required signer. In an update of a document, its old and its new version count as two: `version` states in which
 * of them the keys of the DID itself are looked up.
 */
export interface Signer {
  did: string
  version?: 'old' | 'new'
}

/** The controllers of a document, or itself if it names none. */
const controllersOrSubject = (doc: LedgerDidDoc): string[] =>
  doc.controller.length > 0 ? doc.controller : [doc.id]

/** The signers for the current document: its controllers and those of its verification methods, sorted. */
export const documentSigners = (doc: LedgerDidDoc): string[] =>
  sortedUnique([...controllersOrSubject(doc), ...doc.verificationMethod.map((method) => method.controller)])

/**
 * The signers for a change of a document: the controllers of both versions, and the controllers of the verification
 * methods that are added, changed or removed. Sorted, the old version of the document before its new one.
 */
export function updateSigners(before: LedgerDidDoc, after: LedgerDidDoc): Signer[] {
  const methodsBefore = methodsByFragment(before)
  const methodsAfter = methodsByFragment(after)
  const changed = (method: LedgerVerificationMethod, others: Map<string, LedgerVerificationMethod>) =>
    !isSameMethod(method, others.get(methodFragment(method)))
  const old = [
    ...controllersOrSubject(before),
    ...before.verificationMethod
      .filter((method) => changed(method, methodsAfter))
      .map(({ controller }) => controller),
  ]
  const now = [
    ...controllersOrSubject(after),
    ...after.verificationMethod
      .filter((method) => changed(method, methodsBefore))
      .map(({ controller }) => controller),
  ]
  return sortedUnique([...old, ...now]).flatMap((did): Signer[] => {
    if (did !== after.id) return [{ did }]
    return [
      ...(old.includes(did) ? [{ did, version: 'old' } as const] : []),
      ...(now.includes(did) ? [{ did, version: 'new' } as const] : []),
    ]
  })
}

/**
 * The DIDs that must sign a message, sorted and each once. Creating, deactivating and publishing require a valid
 * signature of each; an update at least one of each, and the DID itself may have to sign with a key of its old and
 * with one of its new version.
 *
 * @param previous - the newest version of the document that is updated, deactivated or publishes
 * @throws LedgerError 1201 (`cheqd`) or 38 (`sdk`) if the message needs `previous` and there is none
 */
export function requiredSigners(message: UnsignedLedgerMessage, previous?: LedgerDidDoc): string[] {
  if (message.type === 'createDidDoc') return documentSigners(normaliseMessage(message).payload)
  if (!previous) {
    throw message.type === 'createResource'
      ? refusal('sdk', 38, message.payload.collectionId)
      : refusal('cheqd', 1201, normaliseDid(message.payload.id))
  }
  if (message.type !== 'updateDidDoc') return documentSigners(previous)
  return sortedUnique(updateSigners(previous, normaliseMessage(message).payload).map(({ did }) => did))
}

const methodFragment = (method: LedgerVerificationMethod) => splitKept(method.id).fragment

const methodsByFragment = (doc: LedgerDidDoc) =>
  new Map(doc.verificationMethod.map((method) => [methodFragment(method), method]))

const isSameMethod = (one: LedgerVerificationMethod, other: LedgerVerificationMethod | undefined) =>
  one.id === other?.id &&
  one.verificationMethodType === other.verificationMethodType &&
  one.controller === other.controller &&
  one.verificationMaterial === other.verificationMaterial

/** Sorted by bytes, as Go sorts strings. */
export const sortedUnique = (values: readonly string[]): string[] =>
  [...new Set(values)].sort((one, other) => (one < other ? -1 : 1))
