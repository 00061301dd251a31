import type { DIDResolver } from 'did-resolver'

/** Anyone may resolve: only the one valid form is processed further. */
const DID = /^did:templatename:([0-9a-f]{64})$/

/** The resolver entry of did:templatename. A failed resolution is a result, not an exception. */
export function getTemplateNameDidResolver(): { templatename: DIDResolver } {
  return {
    templatename: (did) => {
      const [, publicKeyHex] = DID.exec(did) ?? []
      if (publicKeyHex === undefined) {
        const didResolutionMetadata = { error: 'invalidDid' }
        return Promise.resolve({ didDocument: null, didDocumentMetadata: {}, didResolutionMetadata })
      }
      return Promise.resolve({
        didDocument: documentOf(did, publicKeyHex),
        didDocumentMetadata: {},
        didResolutionMetadata: { contentType: 'application/did+ld+json' },
      })
    },
  }
}

function documentOf(did: string, publicKeyHex: string) {
  const id = `${did}#key-1`
  const x = Buffer.from(publicKeyHex, 'hex').toString('base64url')
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id: did,
    controller: did,
    verificationMethod: [
      { id, type: 'JsonWebKey2020', controller: did, publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x } },
    ],
    authentication: [id],
    assertionMethod: [id],
  }
}
