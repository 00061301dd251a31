import type { DIDDocument, IKey } from '@veramo/core-types'
import {
  compressedHex,
  keyHexOfMethod,
  verificationMethodsOf,
  type VerificationRelationship,
} from '@vidimus/verification-methods'

const RELATIONSHIPS: readonly VerificationRelationship[] = [
  'authentication',
  'assertionMethod',
  'keyAgreement',
]

/** Whether a DID document has one of the keys as a verification method, in any encoding. */
export function namesOneOf(document: DIDDocument, keys: readonly Pick<IKey, 'publicKeyHex'>[]): boolean {
  const held = new Set(keys.map(({ publicKeyHex }) => compressedHex(publicKeyHex)))
  return verificationMethodsOf(document, RELATIONSHIPS).some((method) => {
    const publicKey = keyHexOfMethod(method)
    return publicKey !== undefined && held.has(publicKey)
  })
}
