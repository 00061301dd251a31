import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import type { CredentialIssueArgs } from '@vidimus/core-types'
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { JoseCredentials } from '../jose/jose-credentials.js'
import { JwtCredentials } from '../jwt/jwt-credentials.js'
import { ForeignSigner } from './foreign-signer.js'
import { createKeyDid, createTestAgent, statusPlugin } from './test-agent.js'
import { assertRefused, NOW, SUBJECT } from './verification-setup.js'

const V2 = 'https://www.w3.org/ns/credentials/v2'
const SECONDS = NOW.getTime() / 1000

async function setUp() {
  const status = statusPlugin((id) => ({ revoked: id === 'urn:revoked', verified: id !== 'urn:revoked' }))
  const options = { clock: () => NOW, formats: [JwtCredentials, JoseCredentials] }
  const test = createTestAgent({ options, plugins: [status] })
  const { did } = await createKeyDid(test.agent)
  const issuer = new ForeignSigner('did:test:issuer', test.documents)
  const issue = (args: Partial<CredentialIssueArgs> = {}) =>
    test.agent.credentialIssue({ format: 'vc+jwt', issuerDid: did, attributes: { name: 'Ada' }, ...args })
  const verify = (credential: unknown) => test.agent.credentialVerify({ credential } as never)
  return { ...test, did, issuer, issue, verify }
}

/** A credential of another issuer, as written in its specification. */
const foreign = (issuer: ForeignSigner, members: Record<string, unknown> = {}) => ({
  '@context': [V2],
  type: ['VerifiableCredential'],
  issuer: issuer.did,
  validFrom: '2026-01-01T00:00:00Z',
  credentialSubject: { id: SUBJECT, name: 'Ada' },
  ...members,
})
const signed = (
  issuer: ForeignSigner,
  members: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
) => issuer.sign(foreign(issuer, members), { typ: 'vc+jwt', cty: 'vc', ...header })

const envelope = (jwt: string) => ({
  '@context': [V2],
  id: `data:application/vc+jwt,${jwt}`,
  type: 'EnvelopedVerifiableCredential',
})

describe('data model 2.0 credentials as JWT', () => {
  it('are the payload of the JWT', async () => {
    const { did, issue } = await setUp()
    const { proof, ...said } = await issue({
      subjectDid: SUBJECT,
      type: ['Person'],
      '@context': ['https://schema.org/'],
      validFrom: '2026-04-01T00:00:00Z',
      validUntil: '2030-01-01T01:00:00+01:00',
      name: 'A person',
      description: [{ '@value': 'Eine Person', '@language': 'de' }],
      credentialSchema: { id: 'https://example.com/schema', type: 'JsonSchema' },
      termsOfUse: { type: 'Policy' },
    })
    assert.deepEqual(said, {
      '@context': [V2, 'https://schema.org/'],
      type: ['VerifiableCredential', 'Person'],
      name: 'A person',
      description: [{ '@value': 'Eine Person', '@language': 'de' }],
      issuer: did,
      validFrom: '2026-04-01T00:00:00Z',
      validUntil: '2030-01-01T00:00:00Z',
      credentialSubject: { name: 'Ada', id: SUBJECT },
      credentialSchema: { id: 'https://example.com/schema', type: 'JsonSchema' },
      termsOfUse: { type: 'Policy' },
    })
    const jwt = String(proof.jwt)
    const kid = `${did}#${did.slice('did:key:'.length)}`
    assert.deepEqual(decodeProtectedHeader(jwt), { typ: 'vc+jwt', cty: 'vc', alg: 'EdDSA', kid })
    assert.deepEqual(decodeJwt(jwt), { ...said, iss: did, iat: SECONDS, exp: 1_893_456_000 })
  })

  it('are verified by jose for every key type, and here in each of their forms', async () => {
    const { agent, resolver, issue, verify } = await setUp()
    for (const keyType of ['Ed25519', 'Secp256r1', 'Secp256k1'] as const) {
      const { did } = await createKeyDid(agent, keyType, 'did:jwk')
      const credential = await issue({ issuerDid: did, subjectDid: SUBJECT })
      const jwt = String(credential.proof.jwt)
      const method = (await resolver.resolve(did)).didDocument?.verificationMethod?.[0]
      // jose does not do ES256K where OpenSSL is left to Web Crypto; the signature is verified below all the same.
      if (keyType !== 'Secp256k1') {
        const key = createPublicKey({ key: method?.publicKeyJwk ?? {}, format: 'jwk' })
        await jwtVerify(jwt, key, { issuer: did, typ: 'vc+jwt', currentDate: NOW })
      }
      for (const shown of [jwt, credential, envelope(jwt)]) {
        const { verified, issuer, subject, signer, problems } = await verify(shown)
        assert.deepEqual(problems, undefined)
        assert.deepEqual({ verified, issuer, subject }, { verified: true, issuer: did, subject: SUBJECT })
        assert.equal(signer, method?.id.startsWith('#') ? did + method.id : method?.id)
      }
    }
  })

  it('verify if signed by jose', async () => {
    const { issuer, verify } = await setUp()
    const key = issuer.key.privateKey
    const written = (payload: object, header: object) =>
      new SignJWT({ ...payload }).setProtectedHeader({ alg: 'EdDSA', kid: issuer.kid, ...header }).sign(key)
    const payloads: [string, object, object][] = [
      [
        'with everything',
        { iss: issuer.did, jti: 'urn:uuid:1', id: 'urn:uuid:1', sub: SUBJECT },
        { typ: 'vc+jwt', cty: 'vc' },
      ],
      ['with the media type in full', {}, { typ: 'application/vc+jwt' }],
      ['without typ', {}, {}],
      ['with the typ of any JWT', {}, { typ: 'JWT' }],
      ['with an issuer as an object', { issuer: { id: issuer.did, name: 'An issuer' } }, { typ: 'vc+jwt' }],
      [
        'about several',
        { credentialSubject: [{ id: SUBJECT }, { id: 'did:test:other', name: 'B' }] },
        { typ: 'vc+jwt' },
      ],
      ['about nobody by name', { credentialSubject: { name: 'Ada' } }, { typ: 'vc+jwt' }],
      [
        'in the words of another context',
        { '@context': [V2, { term: 'https://example.com/#term' }], term: 1 },
        { typ: 'vc+jwt' },
      ],
      ['without a begin', { validFrom: undefined }, { typ: 'vc+jwt' }],
    ]
    for (const [title, members, header] of payloads) {
      const result = await verify(await written(foreign(issuer, members as Record<string, unknown>), header))
      assert.deepEqual(result.problems, undefined, title)
    }
  })

  it('do not verify after any change', async () => {
    const { issue, verify } = await setUp()
    const credential = await issue({ subjectDid: SUBJECT, validUntil: '2030-01-01T00:00:00Z', name: 'N' })
    const [header = '', payload = '', signature = ''] = String(credential.proof.jwt).split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const name of Object.keys(claims)) {
      const { [name]: value, ...others } = claims
      const changed = { ...claims, [name]: typeof value === 'number' ? value + 1 : ['x', value] }
      for (const forged of [others, changed]) {
        assert.equal((await verify(`${header}.${encode(forged)}.${signature}`)).verified, false, name)
      }
      if (!(name in credential)) continue
      const { checks } = await verify({ ...credential, [name]: 'another' })
      assert.equal(checks.find(({ check }) => check === 'document')?.ok, false, name)
    }
    const parsed = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, unknown>
    for (const change of [{ alg: 'ES256' }, { alg: 'Ed25519', x: 1 }, { cty: 'x' }, { typ: 'JWT' }]) {
      const forged = `${encode({ ...parsed, ...change })}.${payload}.${signature}`
      assert.equal((await verify(forged)).verified, false, JSON.stringify(change))
    }
  })

  it('must be signed as their header says, by a key of their issuer', async () => {
    const { issuer, documents, verify } = await setUp()
    const other = new ForeignSigner('did:test:other', documents)
    const payload = foreign(issuer)
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const head = (header: object) =>
      `${encode({ typ: 'vc+jwt', kid: issuer.kid, ...header })}.${encode(payload)}`
    const refusals: [string, string, RegExp][] = [
      [`${head({ alg: 'none' })}.`, 'format', /not a signed JWT/],
      [`${head({ alg: 'none' })}.e30`, 'format', /alg of the JWT is "none"/],
      [`${head({ alg: 'HS256' })}.e30`, 'format', /alg of the JWT is "HS256"/],
      [other.sign(payload, { typ: 'vc+jwt' }), 'signature', /not a key of "did:test:issuer"/],
      [other.sign(payload, { typ: 'vc+jwt', kid: issuer.kid }), 'signature', /does not match|is invalid/],
      [issuer.sign(payload, { typ: 'vc+jwt', crit: ['b64'] }), 'format', /crit/],
    ]
    for (const [jwt, check, message] of refusals) assertRefused(await verify(jwt), check, message)
  })

  const refusals: [string, Record<string, unknown>, RegExp][] = [
    [
      'the context of 1.1',
      { '@context': ['https://www.w3.org/2018/credentials/v1', V2] },
      /@context must begin/,
    ],
    ['a context that is not a list', { '@context': V2 }, /@context must be a list/],
    ['a context that is a number', { '@context': [V2, 7] }, /@context\[1\] must be a URL or an object/],
    ['an unknown type', { type: ['Person'] }, /its type must include "VerifiableCredential"/],
    ['an id that is not a URL', { id: 'no url' }, /its id must be a URL/],
    ['an issuer that is not a DID', { issuer: 'https://example.com' }, /its issuer must be a DID/],
    ['an issuer without an id', { issuer: { name: 'A' } }, /its issuer must be/],
    ['a different iss', { iss: 'did:test:other' }, /the iss of the JWT does not match the credential/],
    ['a different jti', { id: 'urn:uuid:1', jti: 'urn:uuid:2' }, /the jti of the JWT/],
    ['a different sub', { sub: 'did:test:other' }, /the sub of the JWT/],
    ['a vc claim', { vc: {} }, /must not have the claim vc/],
    ['no subject', { credentialSubject: [] }, /credentialSubject must be an object/],
    ['an empty subject', { credentialSubject: {} }, /credentialSubject must be an object/],
    [
      'a time without a zone',
      { validFrom: '2026-01-01T00:00:00' },
      /validFrom must be a date and time with its time zone/,
    ],
    ['a date without a time', { validUntil: '2030-01-01' }, /validUntil must be a date and time/],
    [
      'an end before its beginning',
      { validUntil: '2025-01-01T00:00:00Z' },
      /validUntil is before its validFrom/,
    ],
    [
      'a status without a type',
      { credentialStatus: { id: 'urn:x' } },
      /credentialStatus must be an object with a type/,
    ],
    ['a schema without an id', { credentialSchema: { type: 'JsonSchema' } }, /credentialSchema must be/],
    ['terms without a type', { termsOfUse: [{ id: 'urn:x' }] }, /termsOfUse must be/],
    ['evidence without a type', { evidence: {} }, /evidence must be/],
    ['a refresh service without a type', { refreshService: {} }, /refreshService must be/],
    ['a name that is a number', { name: 7 }, /name must be a text/],
    [
      'a description with unknown members',
      { description: { '@value': 'x', '@id': 'y' } },
      /description must be/,
    ],
    [
      'a duplicate resource',
      {
        relatedResource: [
          { id: 'urn:x', digestSRI: `sha256-${'a'.repeat(43)}=` },
          { id: 'urn:x', digestSRI: `sha256-${'b'.repeat(43)}=` },
        ],
      },
      /relatedResource must not name a resource twice/,
    ],
    ...['sha256-a', `sha384-${'_'.repeat(64)}`, `md5-${'a'.repeat(22)}==`, ''].map(
      (digestSRI): [string, Record<string, unknown>, RegExp] => [
        `a resource whose digest is ${digestSRI.slice(0, 10)}`,
        { relatedResource: { id: 'urn:x', digestSRI } },
        /relatedResource must be an object with a URL as its id and a valid digestSRI/,
      ],
    ),
    [
      'a resource whose digest is in an unknown base',
      { relatedResource: { id: 'urn:x', digestMultibase: 'mAAAA' } },
      /relatedResource must be/,
    ],
    ['a resource without a digest', { relatedResource: { id: 'urn:x' } }, /relatedResource must be/],
    ['an exp that is not a time', { exp: 'tomorrow' }, /exp of the JWT/],
  ]
  for (const [title, members, message] of refusals) {
    it(`are refused with ${title}`, async () => {
      const { issuer, verify } = await setUp()
      assertRefused(await verify(signed(issuer, members)), 'format', message)
    })
  }

  it('are not mistaken for any other format', async () => {
    const { issuer, verify } = await setUp()
    for (const typ of ['vp+jwt', 'statuslist+jwt', 'dc+sd-jwt', 'at+jwt', 7, null]) {
      assertRefused(await verify(signed(issuer, {}, { typ })), 'format', /its typ is .*that of a jwt_vc/)
    }
    assertRefused(
      await verify(
        issuer
          .credential()
          .replace(
            /^[^.]+/,
            Buffer.from(JSON.stringify({ typ: 'vc+jwt', alg: 'EdDSA' })).toString('base64url'),
          ),
      ),
      'format',
      /@context/,
    )
    assertRefused(
      await verify({ ...envelope(signed(issuer)), id: 'data:application/vp+jwt,x' }),
      'format',
      /no proof/,
    )
  })

  it('must be within their own validity and that of the JWT', async () => {
    const { issuer, verify } = await setUp()
    const times: [Record<string, unknown>, RegExp][] = [
      [{ validFrom: '2026-03-02T00:00:00Z' }, /not valid before 2026-03-02/],
      [{ validUntil: '2026-02-28T00:00:00Z' }, /expired at 2026-02-28/],
      [{ exp: SECONDS - 3600 }, /expired/],
      [{ nbf: SECONDS + 3600 }, /not valid before/],
    ]
    for (const [members, message] of times) {
      assertRefused(await verify(signed(issuer, members)), 'validity', message)
    }
    const { validUntil } = await verify(
      signed(issuer, { exp: SECONDS + 60, validUntil: '2030-01-01T00:00:00Z' }),
    )
    assert.equal(validUntil, '2026-03-01T12:01:00.000Z')
  })

  it('have their status checked', async () => {
    const { issuer, verify } = await setUp()
    const revoked = { credentialStatus: { type: 'TestStatus', id: 'urn:revoked' } }
    assertRefused(await verify(signed(issuer, revoked)), 'status', /revoked/)
  })

  it('accept only a configured format and consistent times', async () => {
    const { issue } = await setUp()
    const refused = (args: Partial<CredentialIssueArgs>) =>
      issue(args).then(
        () => assert.fail('it was issued'),
        (error: { details: { path: string; message: string }[] }) => error.details,
      )
    assert.deepEqual(await refused({ format: 'mdoc' }), [
      { path: 'format', message: 'must be one of jwt_vc, vc+jwt' },
    ])
    assert.deepEqual(
      await refused({ validUntil: '2030-01-01', expirationDate: '2031-01-01', validFrom: '2032-01-01' }),
      [
        { path: 'validUntil', message: 'must equal expirationDate if both are given' },
        { path: 'validFrom', message: 'must be before expirationDate' },
      ],
    )
    assert.deepEqual(await refused({ validUntil: '2020-01-01' }), [
      { path: 'validUntil', message: 'must be in the future' },
    ])
    const { proof } = await issue({ format: 'jwt_vc', validFrom: '2026-04-01', validUntil: '2030-01-01' })
    const { nbf, exp } = decodeJwt(String(proof.jwt))
    assert.deepEqual([nbf, exp], [Date.parse('2026-04-01') / 1000, Date.parse('2030-01-01') / 1000])
  })
})

describe('data model 2.0 presentations as JWT', () => {
  async function presented() {
    const test = await setUp()
    const { did: holderDid } = await createKeyDid(test.agent)
    const credential = await test.issue({ subjectDid: holderDid })
    const present = (args: object = {}) =>
      test.agent.presentationCreate({ credentials: [credential], format: 'vp+jwt', ...args })
    return { ...test, holderDid, credential, present }
  }

  it('contain credentials as objects and are verified by jose', async () => {
    const { agent, resolver, holderDid, credential, present } = await presented()
    const made = await present({ audience: 'https://verifier.example', nonce: 'n-1' })
    const jwt = String(made.proof.jwt)
    const { typ, cty } = decodeProtectedHeader(jwt)
    assert.deepEqual([typ, cty], ['vp+jwt', 'vp'])
    const payload = decodeJwt(jwt)
    assert.deepEqual(payload.verifiableCredential, [envelope(String(credential.proof.jwt))])
    assert.deepEqual([payload.holder, payload.iss, payload.nonce], [holderDid, holderDid, 'n-1'])
    assert.equal(payload.vp, undefined)
    const method = (await resolver.resolve(holderDid)).didDocument?.verificationMethod?.[0]
    const key = createPublicKey({ key: method?.publicKeyJwk ?? {}, format: 'jwk' })
    await jwtVerify(jwt, key, { audience: 'https://verifier.example', currentDate: NOW })
    const expected = { audience: 'https://verifier.example', nonce: 'n-1' }
    const verdict = await agent.presentationVerify({ presentation: jwt, ...expected })
    assert.deepEqual(verdict.problems, undefined)
    assert.deepEqual([verdict.verified, verdict.credentials.map(({ verified }) => verified)], [true, [true]])
    for (const wrong of [{ nonce: 'n-2' }, { audience: 'https://other.example' }]) {
      const { verified } = await agent.presentationVerify({ presentation: jwt, ...expected, ...wrong })
      assert.equal(verified, false)
    }
  })

  it('accept data model 2.0 credentials only', async () => {
    const { agent, holderDid, present, did } = await presented()
    const older = await agent.credentialIssue({ issuerDid: did, subjectDid: holderDid, attributes: { a: 1 } })
    await assert.rejects(present({ credentials: [older] }), {
      code: 'invalid_input',
      details: [
        {
          path: 'credentials[0]',
          message:
            'cannot be in a vp+jwt, which takes credentials of the data model 2.0; use jwt_vp or dc+sd-jwt',
        },
      ],
    })
    await assert.rejects(present({ format: 'mdoc' }), { message: /format: must be one of jwt_vp, vp\+jwt/ })
  })

  it('must be signed by their holder and have the right format', async () => {
    const { agent, issuer, documents, credential } = await presented()
    const holder = new ForeignSigner('did:test:holder', documents)
    const vp = {
      '@context': [V2],
      type: ['VerifiablePresentation'],
      holder: holder.did,
      verifiableCredential: [envelope(String(credential.proof.jwt))],
    }
    const verdict = async (jwt: string) => {
      const { verified, problems } = await agent.presentationVerify({ presentation: jwt })
      return verified ? 'verified' : String(problems?.[0]?.message)
    }
    const header = { typ: 'vp+jwt' }
    assert.equal(await verdict(holder.sign(vp, header)), 'verified')
    assert.equal(
      await verdict(holder.sign({ ...vp, holder: undefined, iss: holder.did }, header)),
      'verified',
    )
    assert.match(await verdict(issuer.sign(vp, header)), /not a key of "did:test:holder"/)
    assert.match(await verdict(holder.sign({ ...vp, iss: issuer.did }, header)), /the iss of the JWT/)
    assert.match(await verdict(holder.sign({ ...vp, holder: undefined }, header)), /names no holder/)
    assert.match(
      await verdict(holder.sign({ ...vp, verifiableCredential: ['a'] }, header)),
      /must be an object/,
    )
    assert.match(await verdict(holder.sign(vp, { typ: 'vc+jwt' })), /its typ is "vc\+jwt"/)
    assert.match(
      await verdict(holder.sign({ ...vp, type: 'X' }, header)),
      /must include "VerifiablePresentation"/,
    )
  })
})
