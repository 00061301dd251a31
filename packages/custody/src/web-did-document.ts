import type { DIDDocument, IIdentifier, IKey, IService } from '@veramo/core-types'
import { JWK_DOCUMENT_CONTEXT, publicKeyOfBytes, SIGNING_RELATIONSHIPS } from '@vidimus/verification-methods'

/**
 * The DID document of an identifier whose document only exists here: each of its keys may sign and act for it, those
 * of X25519 agree keys. Methods are named as Veramo names them, `#<kid>`.
 *
 * @see DID Core section 5; did:web Method Specification
 */
export function webDidDocument({ did, keys, services }: IIdentifier): DIDDocument {
  const methods = keys.flatMap((key) => webMethod(did, key))
  const signing = methods.filter(({ publicKeyJwk }) => publicKeyJwk?.crv !== 'X25519').map(({ id }) => id)
  const agreeing = methods.map(({ id }) => id).filter((id) => !signing.includes(id))
  return {
    '@context': [...JWK_DOCUMENT_CONTEXT],
    id: did,
    verificationMethod: methods,
    ...Object.fromEntries(SIGNING_RELATIONSHIPS.map((relationship) => [relationship, signing])),
    ...(agreeing.length > 0 && { keyAgreement: agreeing }),
    ...(services.length > 0 && { service: services.map((service) => webService(did, service)) }),
  }
}

function webMethod(
  did: string,
  { kid, type, publicKeyHex }: IKey,
): NonNullable<DIDDocument['verificationMethod']> {
  const publicKeyJwk = publicKeyOfBytes(type, Buffer.from(publicKeyHex, 'hex'))?.jwk
  return publicKeyJwk ? [{ id: `${did}#${kid}`, type: 'JsonWebKey2020', controller: did, publicKeyJwk }] : []
}

/** Ids are relative to the DID if they are only a fragment, or less. */
const webService = (did: string, { id, type, serviceEndpoint }: IService) => ({
  id: /^[a-z][a-z0-9+.-]*:/i.test(id) ? id : `${did}#${id.replace(/^#/, '')}`,
  type,
  serviceEndpoint,
})
