import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import { outsideKey, type OutsideKey } from '../support/outside-key.js'
import type { Setup } from './suite.js'

const ALGORITHMS = { Ed25519: 'EdDSA', Secp256r1: 'ES256' } as const
const CONTEXT = ['https://www.w3.org/2018/credentials/v1']

/** An external party whose DID is a JWK with these additional members. */
function signer(type: keyof typeof ALGORITHMS, members: object) {
  const { jwk, privateKey }: OutsideKey = outsideKey(type)
  const did = `did:jwk:${Buffer.from(JSON.stringify({ ...jwk, ...members }, null, 1)).toString('base64url')}`
  const sign = (claims: Record<string, unknown>, typ: string | undefined = 'JWT') =>
    new SignJWT({ iss: did, nbf: 1_500_000_000, ...claims })
      .setProtectedHeader({ alg: ALGORITHMS[type], ...(typ !== 'none' && { typ }), kid: `${did}#0` })
      .sign(privateKey)
  const vc = { '@context': CONTEXT, type: ['VerifiableCredential'], credentialSubject: { id: did } }
  const vp = { '@context': CONTEXT, type: ['VerifiablePresentation'] }
  return {
    did,
    sign,
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

  const isVerified = (credential: string) => verified('/credential/verify', { credential })

  it('JWTs of another typ are never taken for credentials or presentations', async () => {
    const { did, sign } = signer('Ed25519', {})
    const vc = { '@context': CONTEXT, type: ['VerifiableCredential'], credentialSubject: { id: did } }
    const document = { ...vc, '@context': ['https://www.w3.org/ns/credentials/v2'], issuer: did }
    const sdJwtVc = { vct: 'https://credentials.example/person', vc, sub: did }
    const OTHERS = [
      'kb+jwt',
      'at+jwt',
      'logout+jwt',
      'statuslist+jwt',
      'dc+sd-jwt',
      'vc+sd-jwt',
      'vp+jwt',
      '',
    ]
    const ENVELOPED = ['vc+jwt', 'VC-LD+JWT', 'application/vc+ld+jwt', 'vc+ld+json+jwt']
    for (const [claims, end, taken, refused] of [
      [{ vc, sub: did }, '', ['JWT', 'none', 'application/jwt'], [...OTHERS, ...ENVELOPED]],
      [document, '', ['JWT', 'none', ...ENVELOPED], OTHERS],
      [sdJwtVc, '~', ['dc+sd-jwt', 'vc+sd-jwt'], ['JWT', 'none', 'kb+jwt', 'vc+jwt']],
      [sdJwtVc, '', [], ['dc+sd-jwt', 'vc+sd-jwt']],
      [document, '~', ['vc+sd-jwt'], ['JWT', 'none', 'kb+jwt', 'vc+jwt', 'dc+sd-jwt']],
    ] as const) {
      for (const typ of taken) assert.equal(await isVerified((await sign(claims, typ)) + end), true, typ)
      for (const typ of refused) assert.equal(await isVerified((await sign(claims, typ)) + end), false, typ)
    }
    const aud = 'did:example:verifier'
    const verifiableCredential = [await sign({ vc, sub: did })]
    const vp = { '@context': CONTEXT, type: ['VerifiablePresentation'], verifiableCredential }
    for (const typ of ['JWT', ...OTHERS]) {
      const presentation = await sign({ vp, aud: [aud] }, typ)
      const result = await verified('/presentation/verify', { presentation, verifierDid: aud })
      assert.equal(result, typ === 'JWT', typ)
    }
  })

  it('credentials are read from any data: URL of an envelope, which has nothing but it', async () => {
    const { did, sign } = signer('Secp256r1', {})
    const document = {
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      type: ['VerifiableCredential'],
      issuer: did,
      credentialSubject: { id: did },
    }
    const envelope = (id: string, members: object = {}) => ({
      '@context': document['@context'],
      id,
      type: 'EnvelopedVerifiableCredential',
      ...members,
    })
    const jwt = await sign(document, 'vc+jwt')
    const sdJwt = `${await sign(document, 'vc+sd-jwt')}~`
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const taken = [
      `data:application/vc+jwt,${jwt}`,
      `DATA:Application/VC+JWT;charset=utf-8,${jwt}`,
      `data:application/vc-ld+jwt,${jwt}`,
      `data:application/vc+jwt;base64,${base64(jwt)}`,
      `data:application/vc+jwt;charset=utf-8;BASE64,${encodeURIComponent(base64(jwt))}`,
      `data:application/vc+jwt,${jwt.replaceAll('.', '%2E')}`,
      `data:application/vc+sd-jwt,${sdJwt}`,
      `data:application/vc+sd-jwt;base64,${base64(sdJwt)}`,
    ]
    const isTaken = async (shown: object) =>
      (
        (await client().ok('POST', '/credential/verify', { json: { credential: shown } })) as {
          verified: boolean
        }
      ).verified
    for (const id of taken) assert.equal(await isTaken(envelope(id)), true, id)
    const refused = [
      `data:,${jwt}`,
      `data:text/plain,${jwt}`,
      `data:application/vp+jwt,${jwt}`,
      `data:application/vc+jwt;base64,${jwt}`,
      `data:application/vc+jwt,${jwt.replaceAll('.', '%252E')}`,
      `data:application/vc+jwt,%${jwt}`,
      `data:application/vc+jwt,data:application/vc+jwt,${jwt}`,
      `data:application/vc+jwt${jwt}`,
    ]
    for (const id of refused) {
      const { status, body } = await client().post('/credential/verify', {
        json: { credential: envelope(id) },
      })
      assert.ok(status === 400 || (body as { verified: boolean }).verified === false, id)
    }
    for (const id of [`data:application/vc+jwt,${jwt}`, `data:application/vc+sd-jwt,${sdJwt}`]) {
      assert.equal(await isTaken(envelope(id, { credentialSubject: { id: did, role: 'admin' } })), false)
      assert.equal(await isTaken(envelope(id, { proof: { type: 'JwtProof2020', jwt } })), false)
      assert.equal(await isTaken(envelope(id, { '': 'admin' })), false)
    }
  })

  it('proofs that nothing here verifies are called by their names', async () => {
    const proofs: [unknown, RegExp][] = [
      [
        { type: 'EcdsaKoblitzSignature2016', proofValue: 'z1' },
        /its proof is EcdsaKoblitzSignature2016, which no/,
      ],
      [
        [{ type: 'BbsBlsSignature2020' }, { type: 'MyProof', cryptosuite: 'mine' }],
        /is BbsBlsSignature2020, MyProof \(mine\), which/,
      ],
      [{ type: 'x'.repeat(1000) }, /its proof is x{100}, which/],
      [{ type: 7 }, /it has no proof/],
      [undefined, /it has no proof/],
    ]
    for (const [proof, says] of proofs) {
      const credential = {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiableCredential'],
        proof,
      }
      const { verified, checks } = (await client().ok('POST', '/credential/verify', {
        json: { credential },
      })) as {
        verified: boolean
        checks: { message?: string }[]
      }
      assert.equal(verified, false)
      assert.match(checks[0]?.message ?? '', says)
    }
  })

  it('members that decide about a vc+sd-jwt cannot be withheld, so an expired one does not verify', async () => {
    const { did, sign } = signer('Ed25519', {})
    const disclosure = (name: string, value: unknown) =>
      Buffer.from(JSON.stringify(['c2FsdA', name, value])).toString('base64url')
    const hidden = (...texts: string[]) => ({
      _sd: texts.map((text) => createHash('sha256').update(text).digest('base64url')),
    })
    const document = {
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      type: ['VerifiableCredential'],
      issuer: did,
      credentialSubject: { id: did, ...hidden(disclosure('type', 'Person')) },
    }
    const status = { type: 'BitstringStatusListEntry', statusPurpose: 'revocation', statusListIndex: '7' }
    const list = { statusListCredential: 'https://lists.example/1' }
    const expired = disclosure('validUntil', '2020-01-01T00:00:00Z')
    const members: [name: string, payload: Record<string, unknown>, disclosures?: string[]][] = [
      ['validUntil', { ...document, ...hidden(expired) }],
      [
        'credentialStatus',
        { ...document, ...hidden(disclosure('credentialStatus', { ...status, ...list })) },
      ],
      ['a member of it', { ...document, credentialStatus: { ...list, ...hidden(disclosure('type', 'x')) } }],
      ['a type', { ...document, type: ['VerifiableCredential', { '...': hidden(expired)._sd[0] }] }],
      [
        'issuer',
        { ...document, iss: did, ...hidden(disclosure('issuer', did)) },
        [disclosure('issuer', did)],
      ],
    ]
    const shown = async (payload: Record<string, unknown>, disclosures: string[] = []) =>
      [await sign(payload, 'vc+sd-jwt'), ...disclosures, ''].join('~')
    assert.equal(await isVerified(await shown(document)), true, 'the type of a subject may be hidden')
    for (const [name, payload, disclosures] of members) {
      const { issuer: _, ...withoutIssuer } = payload
      const signed = name === 'issuer' ? withoutIssuer : payload
      assert.equal(await isVerified(await shown(signed, disclosures)), false, name)
    }
  })
}
