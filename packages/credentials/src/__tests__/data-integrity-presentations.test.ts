import assert from 'node:assert/strict'
import type {
  CredentialIssueArgs,
  PresentationCreateArgs,
  PresentationVerifyResult,
  Problem,
} from '@vidimus/core-types'
import type { VerificationMethod } from 'did-resolver'
import fc from 'fast-check'
import { dataIntegrity } from '../data-integrity/data-integrity-credentials.js'
import { JoseCredentials } from '../jose/jose-credentials.js'
import { JwtCredentials } from '../jwt/jwt-credentials.js'
import { SdJwtVcCredentials } from '../sd-jwt/sd-jwt-vc.js'
import { SdJwtCredentials } from '../sd-jwt/vc-sd-jwt.js'
import {
  foreignLdp,
  foreignLdpVp,
  multikeyOf,
  presentationByDigitalBazaar,
  type Asked,
  type Suite,
} from '../../../../test/support/digitalbazaar.js'
import { createKeyDid, createTestAgent, type KeyKind } from './test-agent.js'
import { failedChecks, NOW } from './verification-setup.js'

const V1 = 'https://www.w3.org/2018/credentials/v1'
const V2 = 'https://www.w3.org/ns/credentials/v2'
const DATA_INTEGRITY = 'https://w3id.org/security/data-integrity/v2'
const ASKED = { audience: 'https://verifier.example', nonce: 'n-1' }
const THEIRS = { domain: ASKED.audience, challenge: ASKED.nonce }
const HOLDER = 'did:test:holder'

const FORMATS = [
  JwtCredentials,
  JoseCredentials,
  SdJwtVcCredentials,
  SdJwtCredentials,
  dataIntegrity(),
] as const

async function setUp(keyType: KeyKind = 'Ed25519') {
  const test = createTestAgent({ options: { clock: () => NOW, formats: FORMATS } })
  const newDid = async () =>
    (await createKeyDid(test.agent, keyType, keyType === 'Secp256r1' ? 'did:jwk' : 'did:key')).did
  const [did, holderDid] = [await newDid(), await newDid()]
  const issue = (args: Partial<CredentialIssueArgs> = {}) =>
    test.agent.credentialIssue({
      ...{ format: 'ldp_vc', issuerDid: did, subjectDid: holderDid, attributes: { name: 'Ada' } },
      ...args,
    })
  const present = (args: Partial<PresentationCreateArgs> & Pick<PresentationCreateArgs, 'credentials'>) =>
    test.agent.presentationCreate({ format: 'ldp_vp', ...ASKED, ...args })
  const verify = (presentation: unknown, asked: object = ASKED): Promise<PresentationVerifyResult> =>
    test.agent.presentationVerify({ presentation: presentation as string, ...asked })
  const why = async (presentation: unknown, asked?: object) => {
    const { verified, problems = [] } = await verify(presentation, asked)
    return verified ? 'verified' : problems.map(({ message }) => message).join('; ')
  }
  return { ...test, did, holderDid, issue, present, verify, why }
}

/** A holder elsewhere, whose document the agent resolves, and a credential about him. */
async function foreignHolder(
  { documents }: Awaited<ReturnType<typeof setUp>>,
  suite: Suite = 'eddsa-rdfc-2022',
) {
  const issuer = 'did:test:issuer'
  const unsigned = {
    ...{ '@context': [V2], type: ['VerifiableCredential'], issuer },
    credentialSubject: { id: HOLDER, name: 'Ada' },
  }
  const { credential, method } = await foreignLdp(unsigned, suite, issuer, NOW)
  documents.set(issuer, {
    document: { id: issuer, verificationMethod: [method], assertionMethod: [method.id] },
  })
  const trust = (key: VerificationMethod, as: 'authentication' | 'assertionMethod' = 'authentication') =>
    documents.set(HOLDER, { document: { id: HOLDER, verificationMethod: [key], [as]: [key.id] } })
  const show = async (members: object = {}, options: object = {}, asked: Asked = THEIRS) => {
    const unsignedVp = {
      ...{ '@context': [V2], type: ['VerifiablePresentation'], holder: HOLDER },
      verifiableCredential: [credential],
      ...members,
    }
    const made = await foreignLdpVp(unsignedVp, suite, HOLDER, asked, NOW, options)
    trust(made.method)
    return made
  }
  return { credential, show, trust }
}

const SUITES: [KeyKind, Suite][] = [
  ['Ed25519', 'eddsa-rdfc-2022'],
  ['Secp256r1', 'ecdsa-rdfc-2019'],
]

describe('presentations with Data Integrity proofs', function () {
  for (const [keyType, cryptosuite] of SUITES) {
    it(`are verified by @digitalbazaar/vc, signed with ${cryptosuite}`, async () => {
      const { did, holderDid, issue, present, verify, resolver } = await setUp(keyType)
      const credential = await issue()
      const made = await present({ credentials: [credential], expiresIn: 'PT15M' })
      const vp = made.vp as Record<string, unknown> & { proof: Record<string, unknown> }
      assert.deepEqual(vp.proof, {
        ...{ type: 'DataIntegrityProof', cryptosuite, proofPurpose: 'authentication' },
        ...{ created: '2026-03-01T12:00:00Z', expires: '2026-03-01T12:15:00Z', ...THEIRS },
        verificationMethod: vp.proof.verificationMethod,
        proofValue: vp.proof.proofValue,
      })
      assert.deepEqual([made.proof, made.iss, made.aud], [vp.proof, holderDid, [ASKED.audience]])
      assert.equal(made.exp - made.nbf, 900)
      const keys = await Promise.all(
        [did, holderDid].map(async (one) => {
          const [method] = (await resolver.resolve(one)).didDocument?.verificationMethod ?? []
          assert.ok(method)
          return { ...multikeyOf(method), id: method.id.startsWith('#') ? one + method.id : method.id }
        }),
      )
      const byThem = (shown: unknown, asked = THEIRS) =>
        presentationByDigitalBazaar(shown, cryptosuite, keys, asked, NOW)
      assert.equal(await byThem(vp), true)
      assert.equal(await byThem(vp, { ...THEIRS, challenge: 'n-2' }), false)
      assert.equal(await byThem({ ...vp, holder: did }), false)
      const verdict = await verify(vp, { ...ASKED, requireHolderIsSubject: true })
      assert.deepEqual([verdict.verified, verdict.problems], [true, undefined])
      assert.deepEqual([verdict.holder, verdict.signer], [holderDid, vp.proof.verificationMethod])
      assert.equal(verdict.credentials[0]?.holderIsSubject, true)
    })

    it(`of @digitalbazaar/vc verify, signed with ${cryptosuite}`, async () => {
      const test = await setUp()
      const { show, trust } = await foreignHolder(test, cryptosuite)
      const of1 = { '@context': [V1, DATA_INTEGRITY], verifiableCredential: undefined }
      const issued1 = {
        ...{ '@context': [V1, DATA_INTEGRITY], type: ['VerifiableCredential'], issuer: 'did:test:other' },
        ...{ issuanceDate: '2026-01-01T00:00:00Z', credentialSubject: { id: HOLDER } },
      }
      const older = await foreignLdp(issued1, cryptosuite, 'did:test:other', NOW)
      const { id } = older.method
      test.documents.set('did:test:other', {
        document: { id: 'did:test:other', verificationMethod: [older.method], assertionMethod: [id] },
      })
      for (const members of [
        {},
        { holder: undefined },
        { holder: { id: HOLDER } },
        { id: 'urn:uuid:8a7f3d1e-0000-4000-8000-000000000000' },
        { ...of1, verifiableCredential: [older.credential] },
        { verifiableCredential: older.credential },
      ]) {
        const { presentation, method } = await show(JSON.parse(JSON.stringify(members)) as object)
        const { verified, problems, holder } = await test.verify(presentation)
        assert.deepEqual([verified, problems, holder], [true, undefined, HOLDER], JSON.stringify(members))
        trust(method, 'assertionMethod')
        assert.match(await test.why(presentation), /is not a key in the authentication/)
      }
    })
  }

  it('can contain credentials of every 2.0 form, each verified separately', async () => {
    const { issue, present, verify, why } = await setUp()
    const credentials = await Promise.all(
      ['ldp_vc', 'vc+jwt', 'vc+sd-jwt'].map((format) =>
        issue({ format, ...(format === 'vc+sd-jwt' && { disclosureFrame: { _sd: ['name'] } }) }),
      ),
    )
    const shown = await present({
      credentials: credentials.map((one) => (one.proof.jwt as string | undefined) ?? one),
    })
    const { verifiableCredential = [] } = shown.vp ?? {}
    assert.deepEqual(
      (verifiableCredential as { type: unknown }[]).map(({ type }) => type),
      [['VerifiableCredential'], 'EnvelopedVerifiableCredential', 'EnvelopedVerifiableCredential'],
    )
    const verdict = await verify(shown.vp, { ...ASKED, requireHolderIsSubject: true })
    assert.deepEqual([verdict.verified, verdict.problems], [true, undefined])
    assert.equal(verdict.credentials.length, 3)
    const { vp } = await present({ credentials: [credentials[0] as never] })
    const grafted = { ...vp, verifiableCredential: [...verifiableCredential] }
    assert.match(await why(grafted), /does not match any key in the authentication/)
  })

  it('cannot contain credentials of other data models', async () => {
    const { issue, present } = await setUp()
    const asked = [
      await issue({ format: 'jwt_vc' }),
      await issue({ format: 'dc+sd-jwt', vct: 'https://credentials.example/person' }),
    ]
    const { details } = await present({ credentials: asked.map(({ proof }) => String(proof.jwt)) }).then(
      () => assert.fail('it was made'),
      (error: unknown) => error as { details: Problem[] },
    )
    assert.equal(details[0]?.path, 'credentials[0]')
    assert.match(details[0].message, /cannot be in a ldp_vp/)
  })

  it('are bound to one verifier and one nonce', async () => {
    const test = await setUp()
    const { vp } = await test.present({ credentials: [await test.issue()] })
    for (const [asked, check] of [
      [{ ...ASKED, nonce: 'n-2' }, 'nonce'],
      [{ ...ASKED, audience: 'https://other.example' }, 'audience'],
      [{ nonce: ASKED.nonce }, 'audience'],
      [{}, 'audience'],
    ] as const) {
      assert.deepEqual(failedChecks(await test.verify(vp, asked)), [check])
    }
    const plain = await test.present({
      credentials: [await test.issue()],
      audience: undefined,
      nonce: undefined,
    })
    assert.equal((await test.verify(plain.vp, {})).verified, true)
    assert.deepEqual(failedChecks(await test.verify(plain.vp)), ['audience', 'nonce'])
    const { show } = await foreignHolder(test)
    const several = await show(
      {},
      { domain: ['https://b.example', ASKED.audience] },
      { challenge: ASKED.nonce },
    )
    assert.equal((await test.verify(several.presentation)).verified, true)
  })

  it('do not verify after any change', async () => {
    const { did, issue, present, verify } = await setUp()
    const [credential, other] = [await issue(), await issue({ attributes: { name: 'Eve' } })]
    const { vp } = await present({ credentials: [credential] })
    const { proof } = vp as unknown as { proof: Record<string, unknown> }
    const changed: object[] = [
      ...[{ holder: did }, { holder: undefined }, { holder: 'urn:x' }, { id: 'urn:x' }],
      ...[{ verifiableCredential: [] }, { verifiableCredential: [other] }, { type: 'VerifiableCredential' }],
      { verifiableCredential: [credential, other] },
      { verifiableCredential: ['urn:x'] },
      { '@context': [V1, DATA_INTEGRITY] },
      { '@context': V2 },
      { '@context': [V2, { holder: null }] },
      { termsOfUse: { type: 'Terms' } },
      { 'https://www.w3.org/2018/credentials#holder': did },
      ...Object.keys(proof).flatMap((name) => [
        { proof: { ...proof, [name]: undefined } },
        {
          proof: {
            ...proof,
            [name]: /created|expires/.test(name) ? '2026-03-01T12:30:00Z' : `${String(proof[name])}x`,
          },
        },
      ]),
      { proof: { ...proof, cryptosuite: 'ecdsa-rdfc-2019' } },
      { proof: { ...proof, proofPurpose: 'assertionMethod' } },
      { proof: { ...proof, domain: [] } },
      { proof: { ...proof, challenge: 1 } },
      { proof: { ...proof, nonce: 'x' } },
      { proof: [proof, { ...proof, challenge: 'n-2' }] },
      { proof: [] },
      { proof: credential.proof },
    ]
    for (const change of changed) {
      const shown = JSON.parse(JSON.stringify({ ...vp, ...change })) as object
      assert.equal((await verify(shown, ASKED)).verified, false, JSON.stringify(change))
    }
    assert.equal((await verify({ ...vp, proof: [proof, proof] })).verified, true)
    assert.equal((await verify(credential)).verified, false, 'a credential is not a presentation')
  })

  it('are refused with a proof for another purpose or of a credential', async () => {
    const test = await setUp()
    const { credential, show } = await foreignHolder(test)
    const { presentation } = await show()
    const asVc = { ...presentation, type: ['VerifiablePresentation', 'VerifiableCredential'] }
    assert.match(await test.why(asVc), /does not match|is invalid/)
    const { credential: asserted, method } = await foreignLdp(
      {
        ...{ '@context': [V2], type: ['VerifiablePresentation', 'VerifiableCredential'], issuer: HOLDER },
        ...{ holder: HOLDER, credentialSubject: { id: HOLDER }, verifiableCredential: [credential] },
      },
      'eddsa-rdfc-2022',
      HOLDER,
      NOW,
    )
    const both = [method.id]
    test.documents.set(HOLDER, {
      document: {
        id: HOLDER,
        verificationMethod: [method],
        ...{ authentication: both, assertionMethod: both },
      },
    })
    assert.match(await test.why(asserted, {}), /proofPurpose of its proof must be authentication/)
  })

  it('expire with their proof', async () => {
    const test = await setUp()
    const { show } = await foreignHolder(test)
    const expired = await show({}, { expires: '2026-03-01T11:00:00Z' })
    assert.deepEqual(failedChecks(await test.verify(expired.presentation)), ['validity'])
    const { presentation } = await show({}, { expires: '2026-03-01T13:00:00Z' })
    assert.equal(await test.why(presentation), 'verified')
  })

  it('are processed within limits and with known contexts only', async () => {
    const test = await setUp()
    const { credential, show } = await foreignHolder(test)
    const { presentation } = await show()
    const evil = { ...credential, '@context': [V2, 'http://169.254.169.254/'] }
    assert.match(
      await test.why({ ...presentation, verifiableCredential: [evil] }),
      /unknown contexts, and contexts are never fetched: "http:\/\/169/,
    )
    const wide = { ...credential, credentialSubject: { x: Array.from({ length: 5_001 }, () => 'x') } }
    assert.match(
      await test.why({ ...presentation, verifiableCredential: [wide, wide] }),
      /more than 10000 values/,
    )
    const nested = { ...presentation, verifiableCredential: [{ ...credential, '@included': [{}] }] }
    assert.match(await test.why(nested), /must be named by terms/)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(presentation), 'id', 'termsOfUse'),
        fc.jsonValue({ maxDepth: 2 }),
        async (name, value) => {
          if (JSON.stringify(value) === JSON.stringify(presentation[name])) return
          const { verified } = await test.verify({ ...presentation, [name]: value })
          // one context, or a list of it, are the same
          assert.equal(verified, false, `${name}: ${JSON.stringify(value)}`)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('are not created if too large', async () => {
    const { issue, present } = await setUp()
    // Each alone takes little of the time that a document may take.
    const wide = await issue({
      '@context': ['https://www.w3.org/ns/credentials/undefined-terms/v2'],
      attributes: { languages: Array.from({ length: 600 }, (_, n) => String(n)) },
    })
    const refusal = present({ credentials: Array.from({ length: 20 }, () => wide) }).then(
      () => assert.fail('it was made'),
      (error: unknown) => error as { code: string; details: Problem[] },
    )
    const { code, details } = await refusal
    assert.deepEqual([code, details[0]?.path], ['invalid_input', 'credentials'])
  })
})
