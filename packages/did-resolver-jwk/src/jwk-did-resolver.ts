import {
  JWK_DOCUMENT_CONTEXT,
  SIGNING_RELATIONSHIPS,
  VERIFICATION_RELATIONSHIPS,
  type VerificationRelationship,
} from '@vidimus/verification-methods'
import type { DIDDocument, DIDResolutionResult, DIDResolver, JsonWebKey } from 'did-resolver'
import { publicJwkOf, UnsupportedKey } from './public-jwk.js'

/**
 * Resolver of did:jwk: the document is derived from the identifier alone, which is the JWK of a public key.
 *
 * Returns `invalidDid`, with a `message`, if it contains no public key, or a private one, and `unsupportedPublicKeyType`
 * for one that is not supported. It never throws.
 *
 * @see did:jwk Method Specification
 */
export function getJwkDidResolver(): Record<'jwk', DIDResolver> {
  return { jwk: (did, { id }) => Promise.resolve(resolveJwk(did, id)) }
}

function resolveJwk(did: string, id: string): DIDResolutionResult {
  try {
    return {
      didDocument: jwkDocument(did, publicJwkOf(id)),
      didDocumentMetadata: {},
      didResolutionMetadata: { contentType: 'application/did+ld+json' },
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : undefined
    return {
      didDocument: null,
      didDocumentMetadata: {},
      didResolutionMetadata: {
        error: error instanceof UnsupportedKey ? 'unsupportedPublicKeyType' : 'invalidDid',
        message,
      },
    }
  }
}

/** The id is the DID that was asked for: another serialisation of the same key is another DID. */
function jwkDocument(did: string, publicKeyJwk: JsonWebKey): DIDDocument {
  const id = `${did}#0`
  return {
    '@context': [...JWK_DOCUMENT_CONTEXT],
    id: did,
    verificationMethod: [{ id, type: 'JsonWebKey2020', controller: did, publicKeyJwk }],
    ...Object.fromEntries(usableRelationships(publicKeyJwk).map((relationship) => [relationship, [id]])),
  }
}

/**
 * All of them, whatever the curve supports, unless the key states its purpose in `use`.
 *
 * @see did:jwk Method Specification, "To create the DID Document"
 */
function usableRelationships({ use }: JsonWebKey): readonly VerificationRelationship[] {
  if (use === 'enc') return ['keyAgreement']
  if (use === 'sig') return SIGNING_RELATIONSHIPS
  return VERIFICATION_RELATIONSHIPS
}
