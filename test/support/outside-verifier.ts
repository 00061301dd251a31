import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JWTPayload } from 'jose'

interface Resolved {
  didDocument: {
    assertionMethod: string[]
    verificationMethod: { id: string; publicKeyJwk: object }[]
  }
}

/** Whoever reads published lists from outside: it knows the address of a resolver and a library of others. */
export class OutsideVerifier {
  /** @param url - that of a service */
  constructor(private readonly url: string) {}

  /**
   * The claims of the newest version of a list, as a verifier accepts it now: signed by a key that the publisher's document has
   * for assertions, and neither expired nor from the future.
   *
   * @throws where it does not
   */
  async accepts(did: string, name: string, type: string): Promise<JWTPayload & { kid: string }> {
    const listUrl = `${did}?resourceName=${name}&resourceType=${type}`
    const jwt = await this.text(listUrl, '*/*')
    const { kid = '' } = decodeProtectedHeader(jwt)
    const { didDocument } = JSON.parse(
      await this.text(`${did}?transformKeys=JsonWebKey2020`, 'application/did-resolution'),
    ) as Resolved
    const keys = didDocument.verificationMethod
      .filter(({ id }) => didDocument.assertionMethod.includes(id))
      .map(({ id, publicKeyJwk }) => ({ ...publicKeyJwk, kid: id }))
    const { payload } = await jwtVerify(jwt, createLocalJWKSet({ keys }), {
      algorithms: ['EdDSA', 'ES256'],
    })
    const end = payload.validUntil
    if (typeof end === 'string' && Date.parse(end) <= Date.now()) throw new Error(`not valid since ${end}`)
    return { ...payload, kid }
  }

  private async text(didUrl: string, accept: string): Promise<string> {
    const response = await fetch(`${this.url}/1.0/identifiers/${didUrl}`, { headers: { accept } })
    const text = await response.text()
    if (!response.ok) throw new Error(`${didUrl}: ${response.status} ${text}`)
    return text
  }
}
