import assert from 'node:assert/strict'
import { SignJWT } from 'jose'
import { outsideKey, type OutsideKey } from '../support/outside-key.js'
import type { Setup } from './suite.js'

const ALGORITHMS = { Ed25519: 'EdDSA', Secp256r1: 'ES256' } as const
const CONTEXT = ['https://www.w3.org/2018/credentials/v1']

/** An external party whose DID is a JWK with these additional members. */
function signer(type: keyof typeof ALGORITHMS, members: object) {
  const { jwk, privateKey }: OutsideKey = outsideKey(type)
  const did = `did:jwk:${Buffer.from(JSON.stringify({ ...jwk, ...members }, null, 1)).toString('base64url')}`
  const sign = (claims: Record<string, unknown>) =>
    new SignJWT({ iss: did, nbf: 1_500_000_000, ...claims })
      .setProtectedHeader({ alg: ALGORITHMS[type], typ: 'JWT', kid: `${did}#0` })
      .sign(privateKey)
  const vc = { '@context': CONTEXT, type: ['VerifiableCredential'], credentialSubject: { id: did } }
  const vp = { '@context': CONTEXT, type: ['VerifiablePresentation'] }
  return {
    did,
    credential: () => sign({ vc, sub: did }),
    present: (jwt: string, aud: string) => sign({ vp: { ...vp, verifiableCredential: [jwt] }, aud: [aud] }),
  }
}

/** JWTs signed by external parties with a did:jwk. */
export function signedByDidJwkSuite({ client }: Setup): void {
  const verified = async (path: string, json: Record<string, unknown>) =>
    ((await client().ok('POST', path, { json })) as { verified: boolean }).verified

  for (const [members, expected] of [
    [{}, true],
    [{ use: 'sig', kid: 'mine' }, true],
    [{ use: 'enc' }, false],
  ] as const) {
    for (const type of ['Ed25519', 'Secp256r1'] as const) {
      const verdict = expected ? 'verifies' : 'does not verify'
      it(`${verdict} for a ${type} key with the additional members ${JSON.stringify(members)}`, async () => {
        const { did, credential, present } = signer(type, members)
        const jwt = await credential()
        assert.equal(await verified('/credential/verify', { credential: jwt }), expected)
        const presentation = await present(jwt, 'did:example:verifier')
        const asked = { presentation, verifierDid: 'did:example:verifier' }
        assert.equal(await verified('/presentation/verify', asked), expected)
        const { didDocument } = (await client().ok('GET', `/did/search/${did}`)) as {
          didDocument: { id: string }
        }
        assert.equal(didDocument.id, did)
      })
    }
  }
}
