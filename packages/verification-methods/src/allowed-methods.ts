import type { SigningRelationship } from '@vidimus/core-types'
import type { DIDDocument, VerificationMethod } from 'did-resolver'
import { verificationMethodsOf } from './public-keys-of-document.js'
import { signingKeyOfMethod, type SigningKey } from './signing-key.js'
import { isSigningKey, verifyingKeyOfMethod, type VerifyingKey } from './verifying-key.js'

/** A verification method that may sign, with its key. */
export interface AllowedMethod<Key extends VerifyingKey = VerifyingKey> {
  /** absolute DID URL */
  id: string
  publicKey: Key
}

/**
 * The verification methods that a relationship allows, in the order of the document and each once: those that it
 * refers to and those embedded in it. Methods of other DIDs and methods without a readable key are skipped.
 *
 * @param only - absolute DID URL of the only wanted one; no key of another is read
 * @see DID Core 1.0 section 5.3
 */
export function* allowedMethods(
  document: DIDDocument,
  relationship: SigningRelationship,
  only?: string,
): Generator<AllowedMethod> {
  const methods = methodsById(document)
  const seen = new Set<string>()
  for (const entry of document[relationship] ?? []) {
    const id = absoluteId(document.id, typeof entry === 'string' ? entry : entry.id)
    if (seen.has(id) || (only !== undefined && id !== only) || !id.startsWith(`${document.id}#`)) continue
    seen.add(id)
    const method = typeof entry === 'string' ? methods.get(id) : entry
    const publicKey = method && verifyingKeyOfMethod(method)
    if (publicKey) yield { id, publicKey }
  }
}

/** {@link allowedMethods} with keys of the types that are created here, which an account can hold. */
export const holdableMethods = (
  document: DIDDocument,
  relationship: SigningRelationship,
): AllowedMethod<SigningKey>[] =>
  [...allowedMethods(document, relationship)].flatMap(({ id, publicKey }) =>
    isSigningKey(publicKey) ? [{ id, publicKey }] : [],
  )

/** The same, whatever the methods are for. */
export function ownMethods(document: DIDDocument): AllowedMethod<SigningKey>[] {
  return verificationMethodsOf(document).flatMap((method) => {
    const id = absoluteId(document.id, method.id)
    const publicKey = id.startsWith(`${document.id}#`) ? signingKeyOfMethod(method) : undefined
    return publicKey ? [{ id, publicKey }] : []
  })
}

/** Makes `#fragment` absolute; everything else stays as it is. */
export const absoluteId = (did: string, id: string): string => (id.startsWith('#') ? `${did}${id}` : id)

/** Of several with one id the first. */
function methodsById(document: DIDDocument): Map<string, VerificationMethod> {
  const methods = [...(document.verificationMethod ?? [])].reverse()
  return new Map(methods.map((method) => [absoluteId(document.id, method.id), method]))
}
