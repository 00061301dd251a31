import { getDidKeyResolver } from '@veramo/did-provider-key'
import {
  JWK_DOCUMENT_CONTEXT,
  SIGNING_RELATIONSHIPS,
  unsupportedKeyOf,
  verifyingKeyOfMethod,
} from '@vidimus/verification-methods'
import type { DIDResolutionResult, DIDResolver } from 'did-resolver'

const JSON_ONLY = 'application/did+json'

/**
 * Resolver of did:key: Veramo's, and P-384, which that one does not know. Other key types that are registered are called
 * `unsupportedPublicKeyType`, with a `message` that names them.
 *
 * @see The did:key Method v0.7
 */
export function getKeyDidResolver(): Record<'key', DIDResolver> {
  const { key: others } = getDidKeyResolver() as Record<'key', DIDResolver>
  return {
    key: async (did, parsed, ...around) =>
      resolveHere(did, parsed.id, around[1].accept) ?? others(did, parsed, ...around),
  }
}

/** @returns `undefined` for what is left to Veramo */
function resolveHere(did: string, id: string, accept: string | undefined): DIDResolutionResult | undefined {
  const method = { id: `${did}#${id}`, controller: did, type: 'JsonWebKey2020' }
  const unsupported = unsupportedKeyOf({ publicKeyMultibase: id })
  if (unsupported !== undefined) {
    const message = `its key is ${unsupported}, which is not supported`
    return {
      didDocument: null,
      didDocumentMetadata: {},
      didResolutionMetadata: { error: 'unsupportedPublicKeyType', message },
    }
  }
  const key = verifyingKeyOfMethod({ ...method, publicKeyMultibase: id })
  if (key?.type !== 'Secp384r1') return undefined
  return {
    didDocument: {
      ...(accept !== JSON_ONLY && { '@context': [...JWK_DOCUMENT_CONTEXT] }),
      id: did,
      verificationMethod: [{ ...method, publicKeyJwk: key.jwk }],
      ...Object.fromEntries(SIGNING_RELATIONSHIPS.map((relationship) => [relationship, [method.id]])),
    },
    didDocumentMetadata: {},
    didResolutionMetadata: { contentType: accept ?? 'application/did+ld+json' },
  }
}
