import assert from 'node:assert/strict'
import { compactVerify, decodeProtectedHeader, importJWK, type JWK } from 'jose'

interface ListModule {
  checkStatus(options: {
    credential: object
    documentLoader: (url: string) => Promise<{ document: unknown }>
    verifyBitstringStatusListCredential: boolean
  }): Promise<{ verified: boolean; error?: Error; results?: { status: boolean }[]; status?: boolean }>
}
// The packages come without types.
const load = async (name: string): Promise<unknown> => import(name)

/** The `credentialStatus` entry of a credential. */
export interface StatusEntry {
  statusListCredential: string
  statusListIndex: string
  statusPurpose: string
}

/**
 * An external verifier: it knows the address of a resolver and the specifications, and shares no code with this service.
 */
export class Verifier {
  /** @param resolver - ends with `/1.0/identifiers/` */
  constructor(private readonly resolver: string) {}

  /** Fetches a signed list, and verifies it with a key from the document of its issuer. */
  async fetchList(listUrl: string): Promise<Record<string, unknown>> {
    const response = await fetch(this.resolver + encodeURIComponent(listUrl), {
      headers: { accept: 'application/vc+jwt' },
    })
    const jwt = await response.text()
    assert.equal(response.status, 200, jwt)
    assert.equal(response.headers.get('content-type'), 'application/vc+jwt')
    const { kid = '', typ } = decodeProtectedHeader(jwt)
    assert.equal(typ, 'vc+jwt')
    const { payload } = await compactVerify(jwt, await this.fetchKey(kid))
    const credential = JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>
    assert.equal(credential.issuer, kid.split('#')[0])
    assert.equal(credential.id, listUrl)
    return credential
  }

  /** The status of the entry, as read by an independent implementation of the specification. */
  async isSet(issuer: string, entry: StatusEntry): Promise<boolean> {
    const lists = (await load('@digitalbazaar/vc-bitstring-status-list')) as ListModule
    const { verified, error, results } = await lists.checkStatus({
      credential: {
        '@context': ['https://www.w3.org/ns/credentials/v2'],
        type: ['VerifiableCredential'],
        issuer,
        credentialStatus: { type: 'BitstringStatusListEntry', ...entry },
      },
      documentLoader: async (url) => ({ document: await this.fetchList(url) }),
      verifyBitstringStatusListCredential: false,
    })
    assert.equal(error, undefined, error?.message)
    assert.ok(results?.[0], `no result, verified: ${String(verified)}`)
    return results[0].status
  }

  private async fetchKey(kid: string) {
    const [did = '', fragment] = kid.split('#')
    const response = await fetch(`${this.resolver}${did}?transformKeys=JsonWebKey2020`)
    const { didDocument } = (await response.json()) as {
      didDocument: {
        assertionMethod: string[]
        verificationMethod: { id: string; publicKeyJwk: JWK }[]
      }
    }
    assert.ok(didDocument.assertionMethod.includes(kid), 'the key is not for assertions')
    const method = didDocument.verificationMethod.find(({ id }) => id === `${did}#${fragment}`)
    assert.ok(method, kid)
    return importJWK(method.publicKeyJwk, 'EdDSA')
  }
}
