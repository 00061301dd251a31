import type { SigningRelationship } from '@vidimus/core-types'
import { verificationMethodsOf } from '@vidimus/verification-methods'
import type { DIDDocument, VerificationMethod } from 'did-resolver'
import { signingKeyOfMethod, type SigningKey } from './public-keys.js'

/** A verification method that may sign, with its key. */
export interface AllowedMethod {
  /** absolute DID URL */
  id: string
  publicKey: SigningKey
}

/**
 * The verification methods that a relationship allows, in the order of the document: those that it refers to and
 * those that stand in it. Methods of other DIDs and methods without a readable key are passed over.
 *
 * @see DID Core 1.0 section 5.3
 */
export function* allowedMethods(
  document: DIDDocument,
  relationship: SigningRelationship,
): Generator<AllowedMethod> {
  for (const entry of document[relationship] ?? []) {
    const method = typeof entry === 'string' ? findMethod(document, entry) : entry
    if (!method) continue
    const id = absoluteId(document.id, method.id)
    if (!id.startsWith(`${document.id}#`)) continue
    const publicKey = signingKeyOfMethod(method)
    if (publicKey) yield { id, publicKey }
  }
}

/** All verification methods of a document that can sign, whatever they are for; as {@link allowedMethods} otherwise. */
export function ownMethods(document: DIDDocument): AllowedMethod[] {
  return verificationMethodsOf(document).flatMap((method) => {
    const id = absoluteId(document.id, method.id)
    const publicKey = id.startsWith(`${document.id}#`) ? signingKeyOfMethod(method) : undefined
    return publicKey ? [{ id, publicKey }] : []
  })
}

/** Makes `#fragment` absolute; everything else stays as it is. */
export const absoluteId = (did: string, id: string): string => (id.startsWith('#') ? `${did}${id}` : id)

function findMethod(document: DIDDocument, reference: string): VerificationMethod | undefined {
  const wanted = absoluteId(document.id, reference)
  return document.verificationMethod?.find(({ id }) => absoluteId(document.id, id) === wanted)
}
