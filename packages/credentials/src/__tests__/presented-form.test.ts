import assert from 'node:assert/strict'
import { normalizeCredential } from 'did-jwt-vc'
import { claimsOf } from './foreign-signer.js'
import {
  assertRefused,
  failedChecks,
  SECONDS,
  setUpVerification,
  status,
  SUBJECT,
} from './verification-setup.js'

/** did-jwt-vc's form of a credential, as plain JSON. */
const libraryForm = (jwt: string, removeOriginalFields = true): Record<string, unknown> => ({
  ...(normalizeCredential(jwt, removeOriginalFields) as object),
})

describe('form of a presented credential', () => {
  it('depends on nothing in an object but its JWT, whatever type its proof claims', async () => {
    const { issuer, verify } = setUpVerification()
    const jwt = issuer.credential({ sub: SUBJECT }, status('urn:valid'))
    const { credential } = await verify(jwt)
    assert.ok(credential)
    for (const type of ['JwtProof2020', 'Ed25519Signature2020', undefined]) {
      const proof = { type, jwt }
      assert.ok((await verify({ ...credential, proof })).verified)
      const changes: Record<string, unknown>[] = [
        { credentialSubject: { id: SUBJECT, name: 'Eve' } },
        { credentialSubject: { id: 'did:test:eve', name: 'Ada' } },
        { credentialStatus: undefined },
        { credentialStatus: [] },
        { credentialStatus: null },
        { credentialStatus: { id: 'urn:other', type: 'TestStatus' } },
        { issuer: 'did:test:eve' },
        { issuer: { id: issuer.did, name: 'The Queen' } },
        { expirationDate: '2099-01-01T00:00:00Z' },
        { issuanceDate: '2020-01-01T00:00:00Z' },
        { type: ['VerifiableCredential', 'King'] },
        { '@context': [] },
        { id: 'urn:invented' },
        { constructor: 'invented' },
        { credentialSubject: { name: 'Ada' } },
        { type: undefined, vc: { type: ['King'] } },
      ]
      for (const change of changes) {
        const result = await verify({ ...credential, ...change, proof })
        assertRefused(
          result,
          'document',
          new RegExp(Object.keys(change)[0] === 'vc' ? 'type' : (Object.keys(change)[0] ?? '')),
        )
        assert.deepEqual(result.credential, credential)
      }
    }
    const revoked = issuer.credential({}, status('urn:revoked'))
    const hidden = {
      ...libraryForm(revoked),
      credentialStatus: { id: 'urn:valid', type: 'TestStatus' },
    }
    assert.deepEqual(failedChecks(await verify(hidden)), ['document', 'status'])
  })

  it('accepts the forms in which libraries write a credential with a JWT proof', async () => {
    const { issuer, verify } = setUpVerification()
    const { did } = issuer
    const jwts = [
      issuer.credential({
        sub: SUBJECT,
        iat: 1_700_000_000,
        jti: 'urn:1',
        exp: SECONDS + 5,
        aud: 'x',
        nonce: 'y',
      }),
      issuer.credential({ sub: SUBJECT, extra: 1 }, { issuer: did, id: 'urn:2', evidence: [{ type: 'E' }] }),
      issuer.credential(
        { nbf: undefined, iat: 1_700_000_000 },
        { issuanceDate: '2023-11-14T22:13:20.500Z', type: 'VerifiableCredential' },
      ),
      issuer.credential({ issuer: { name: 'I' } }, { credentialSubject: { id: SUBJECT } }),
    ]
    for (const jwt of jwts) {
      for (const removeOriginalFields of [true, false]) {
        const credential = libraryForm(jwt, removeOriginalFields)
        const result = await verify(credential)
        assert.ok(result.verified, JSON.stringify(result))
      }
      assert.ok((await verify({ ...claimsOf(jwt), proof: { jwt } })).verified)
    }
    const [jwt = ''] = jwts
    for (const name of ['sub', 'iss', 'vc', 'exp', 'jti', 'nbf']) {
      const changed = { ...claimsOf(jwt), iat: undefined, [name]: undefined, proof: { jwt } }
      assertRefused(await verify(changed), 'document', /does not match its JWT/)
    }
  })
})
