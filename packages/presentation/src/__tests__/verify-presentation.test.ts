import assert from 'node:assert/strict'
import type { PresentationVerifyResult } from '@vidimus/core-types'
import { normalizePresentation } from 'did-jwt-vc'
import fc from 'fast-check'
import { claimsOf, ForeignSigner } from '../../../credentials/src/__tests__/foreign-signer.js'
import {
  createKeyDid,
  createTestAgent,
  recordCalls,
  statusPlugin,
} from '../../../credentials/src/__tests__/test-agent.js'
import { failedChecks, NOW, SECONDS } from '../../../credentials/src/__tests__/verification-setup.js'

const VERIFIER = 'did:test:verifier'

/** did-jwt-vc's form of a presentation, as plain JSON. */
const libraryForm = (jwt: string, removeOriginalFields = true) =>
  normalizePresentation(jwt, removeOriginalFields) as unknown as Record<string, unknown> & {
    verifiableCredential: object[]
  }

function setUp() {
  const status = statusPlugin((id) => ({ revoked: id === 'urn:revoked', verified: true }))
  const test = createTestAgent({ options: { clock: () => NOW, maxCredentials: 3 }, plugins: [status] })
  const issuer = new ForeignSigner('did:test:issuer', test.documents)
  const holder = new ForeignSigner('did:test:holder', test.documents, 'Secp256r1')
  const verify = (presentation: unknown, verifierDid?: string, more: object = {}) =>
    test.agent.presentationVerify({
      presentation,
      ...(verifierDid !== undefined && { verifierDid }),
      ...more,
    } as never)
  return { ...test, issuer, holder, verify, credential: issuer.credential({ sub: holder.did }) }
}

const refusedBy = (result: PresentationVerifyResult, checks: string[], message: RegExp): void => {
  assert.equal(result.verified, false)
  assert.deepEqual(failedChecks(result), checks, JSON.stringify(result))
  assert.match(result.problems?.[0]?.message ?? '', message)
}

describe('verifying a presentation', () => {
  it('reports what was verified, of the presentation and of every credential', async () => {
    const { holder, issuer, verify, credential } = setUp()
    const jwt = holder.presentation([credential, issuer.credential()], { aud: VERIFIER })
    const result = await verify(jwt, VERIFIER)
    const passed = (...names: string[]) => names.map((check) => ({ check, ok: true }))
    assert.deepEqual(result.checks, passed('format', 'signature', 'validity', 'audience', 'credentials'))
    assert.equal(result.verified, true)
    assert.equal(result.problems, undefined)
    assert.equal(result.holder, holder.did)
    assert.equal(result.signer, holder.kid)
    assert.deepEqual(result.presentation, {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiablePresentation'],
      verifiableCredential: [credential, issuer.credential()],
      holder: holder.did,
      verifier: [VERIFIER],
      issuanceDate: '2023-11-14T22:13:20.000Z',
      proof: { type: 'JwtProof2020', jwt },
    })
    assert.deepEqual(
      result.credentials.map(({ verified, subject, holderIsSubject }) => [
        verified,
        subject,
        holderIsSubject,
      ]),
      [
        [true, holder.did, true],
        [true, undefined, undefined],
      ],
    )
  })

  it('returns the same structure for garbage', async () => {
    const { verify, credential, holder } = setUp()
    const garbage = [
      '',
      'garbage',
      'a.b.c',
      7,
      null,
      undefined,
      [],
      {},
      { proof: {} },
      { vp: {} },
      credential,
    ]
    for (const presentation of [...garbage, holder.sign({ iss: 'Ada', vp: {} })]) {
      const result = await verify(presentation)
      refusedBy(result, ['format'], /./)
      assert.deepEqual(Object.keys(result), ['verified', 'checks', 'credentials', 'problems'])
      assert.ok(result.problems?.every(({ path }) => path === 'presentation'))
    }
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.jsonValue()), async (presentation) => {
        assert.equal((await verify(presentation)).verified, false)
      }),
    )
  })

  it('verifies the credentials inside', async () => {
    const { documents, issuer, holder, verify, credential } = setUp()
    const mallory = new ForeignSigner('did:test:mallory', documents)
    const status = { credentialStatus: { id: 'urn:revoked', type: 'TestStatus' } }
    const inside: [unknown, RegExp][] = [
      [mallory.sign(claimsOf(credential), { kid: issuer.kid }), /signature does not match/],
      [`${credential.slice(0, -4)}AAAA`, /signature|base64url/],
      [issuer.credential({ sub: holder.did, exp: SECONDS - 100 }), /expired/],
      [issuer.credential({ sub: holder.did }, status), /revoked/],
      ['garbage', /three dot-separated parts/],
      [7, /must be a JWT/],
      [{ issuer: issuer.did }, /no proof/],
    ]
    for (const [one, message] of inside) {
      const result = await verify(holder.presentation([credential, one]))
      refusedBy(result, ['credentials'], /1 of its 2 credentials do not verify/)
      assert.deepEqual(
        result.credentials.map(({ verified }) => verified),
        [true, false],
      )
      assert.equal(result.problems?.[1]?.path, 'presentation.verifiableCredential[1]')
      assert.match(result.problems[1].message, message)
    }
  })

  it('refuses forged signatures without further lookups', async () => {
    const { agent, documents, holder, issuer, verify, credential } = setUp()
    const mallory = new ForeignSigner('did:test:mallory', documents, 'Secp256r1')
    const forged = mallory.sign(claimsOf(holder.presentation([credential])), { kid: holder.kid })
    const calls = recordCalls(agent)
    const result = await verify(forged)
    refusedBy(result, ['signature'], /does not match|is invalid/)
    assert.deepEqual(result.credentials, [])
    assert.deepEqual(calls, ['presentationVerify', 'resolveDid'])
    refusedBy(
      await verify(issuer.sign(claimsOf(holder.presentation([credential])))),
      ['signature'],
      /not a key of/,
    )
  })

  it('requires a key that may authenticate the holder', async () => {
    const { documents, holder, verify, credential } = setUp()
    const { document } = documents.get(holder.did) ?? assert.fail()
    documents.set(holder.did, { document: { ...document, authentication: [] } })
    refusedBy(await verify(holder.presentation([credential])), ['signature'], /authentication/)
  })

  it('rejects a presentation with any character changed', async () => {
    const { agent, issuer, verify } = setUp()
    const { did: holderDid } = await createKeyDid(agent)
    const credentials = [issuer.credential({ sub: holderDid })]
    const { proof } = await agent.presentationCreate({ credentials, holderDid })
    const text = String(proof.jwt)
    assert.ok((await verify(text)).verified)
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.nat(6), async (at, bit) => {
        const character = String.fromCharCode(text.charCodeAt(at) ^ (1 << bit))
        const result = await verify(text.slice(0, at) + character + text.slice(at + 1))
        assert.equal(result.verified, false)
      }),
      { numRuns: 500 },
    )
  })

  it('checks the validity period', async () => {
    const { holder, verify, credential } = setUp()
    refusedBy(
      await verify(holder.presentation([credential], { nbf: SECONDS + 61 })),
      ['validity'],
      /not valid before/,
    )
    refusedBy(await verify(holder.presentation([credential], { exp: SECONDS - 60 })), ['validity'], /expired/)
    assert.ok((await verify(holder.presentation([credential], { exp: SECONDS + 1 }))).verified)
  })

  it('checks the audience that the caller names, and loads no other DIDs for it', async () => {
    const { agent, holder, verify, credential } = setUp()
    const calls = recordCalls(agent)
    for (const aud of [VERIFIER, [VERIFIER], ['did:test:else', VERIFIER]]) {
      const jwt = holder.presentation([credential], { aud })
      assert.ok((await verify(jwt, VERIFIER)).verified)
      assert.ok((await verify(jwt, undefined, { audience: VERIFIER })).verified)
      assert.ok((await verify(jwt, VERIFIER, { audience: VERIFIER })).verified)
    }
    for (const aud of [undefined, [], 'did:test:else', [`${VERIFIER}2`]]) {
      const result = await verify(holder.presentation([credential], { aud }), VERIFIER)
      refusedBy(result, ['audience'], /is not for/)
      assert.equal(result.problems?.[0]?.path, 'verifierDid')
    }
    assert.ok(!calls.includes('didManagerFind'))
    refusedBy(await verify(holder.presentation([credential], { aud: [7] })), ['format'], /aud/)
  })

  it('rejects a presentation made for another audience than the account', async () => {
    const { agent, holder, verify, credential } = setUp()
    const { did } = await createKeyDid(agent)
    const ofOthers = [VERIFIER, [VERIFIER, 'https://verifier.example'], 'https://verifier.example']
    for (const aud of ofOthers) {
      const result = await verify(holder.presentation([credential], { aud }))
      refusedBy(result, ['audience'], /is not the expected audience/)
    }
    const crowd = [...Array.from({ length: 10 }, () => VERIFIER), did]
    refusedBy(
      await verify(holder.presentation([credential], { aud: crowd })),
      ['audience'],
      /not the expected audience/,
    )
    for (const aud of [did, [VERIFIER, did], [], undefined]) {
      assert.ok((await verify(holder.presentation([credential], { aud }))).verified)
    }
    const hidden = holder.presentation([credential], {}, { verifier: [VERIFIER] })
    refusedBy(await verify(hidden), ['format'], /does not match the verifier of the presentation/)
  })

  it('checks the nonce that the caller expects', async () => {
    const { holder, verify, credential } = setUp()
    const nonce = 'n-1'
    const jwt = holder.presentation([credential], { nonce })
    assert.ok((await verify(jwt, undefined, { nonce })).verified)
    assert.ok((await verify(jwt)).verified)
    for (const other of [
      holder.presentation([credential], { nonce: 'n-2' }),
      holder.presentation([credential]),
    ]) {
      const result = await verify(other, undefined, { nonce })
      refusedBy(result, ['nonce'], /not the expected one/)
      assert.equal(result.problems?.[0]?.path, 'nonce')
    }
    const inside = holder.presentation([credential], {}, { nonce })
    refusedBy(await verify(inside, undefined, { nonce }), ['nonce'], /./)
  })

  it('requires the holder to be the subject of its credentials, if the caller does', async () => {
    const { holder, issuer, verify: verifyAny, credential } = setUp()
    const verify = (jwt: string) => verifyAny(jwt, undefined, { requireHolderIsSubject: true })
    const foreign = issuer.credential({ sub: 'did:test:else' })
    const shared = issuer.credential({}, { credentialSubject: [{ id: 'did:test:else' }, { id: holder.did }] })
    refusedBy(
      await verify(holder.presentation([credential, foreign])),
      ['holder'],
      /\[1\] is about someone other/,
    )
    assert.ok((await verify(holder.presentation([shared, issuer.credential()]))).verified)
    const { verified, credentials } = await verifyAny(holder.presentation([credential, foreign]))
    assert.ok(verified)
    assert.deepEqual(
      credentials.map(({ holderIsSubject }) => holderIsSubject),
      [true, false],
    )
    const result = await verify(holder.presentation([credential], {}, { holder: 'did:test:else' }))
    refusedBy(result, ['format'], /does not match the holder/)
  })

  it('requires credentials, and not too many', async () => {
    const { agent, holder, verify, credential } = setUp()
    const calls = recordCalls(agent)
    refusedBy(await verify(holder.presentation([])), ['credentials'], /holds 0 credentials/)
    const many = await verify(holder.presentation(Array(4).fill(credential)))
    refusedBy(many, ['credentials'], /holds 4 credentials, but must hold 1 to 3/)
    assert.equal(calls.filter((method) => method === 'resolveDid').length, 2)
  })

  it('resolves each DID once', async () => {
    const { agent, holder, verify, credential } = setUp()
    const calls = recordCalls(agent)
    assert.ok((await verify(holder.presentation([credential, credential, credential]))).verified)
    assert.deepEqual(calls, ['presentationVerify', 'resolveDid', 'resolveDid'])
  })

  it('accepts the forms in which libraries write a presentation, and rejects changed ones', async () => {
    const { holder, verify, credential } = setUp()
    const jwt = holder.presentation([credential], {
      aud: [VERIFIER],
      jti: 'urn:1',
      nonce: 'n',
      exp: SECONDS + 50,
    })
    const { presentation } = await verify(jwt, VERIFIER)
    const claims = { ...claimsOf(jwt), proof: { type: 'JwtProof2020', jwt } }
    const forms: object[] = [presentation ?? {}, libraryForm(jwt), libraryForm(jwt, false), claims]
    for (const form of forms) {
      const result = await verify(form, VERIFIER)
      assert.ok(result.verified, JSON.stringify(result.problems))
    }
    const changes = [
      { holder: 'did:test:eve' },
      { verifier: ['did:test:eve'] },
      { verifiableCredential: [] },
      { verifiableCredential: [credential, credential] },
      { type: ['VerifiablePresentation', 'Other'] },
      { expirationDate: '2099-01-01T00:00:00Z' },
      { id: 'urn:2' },
    ]
    for (const change of changes) {
      refusedBy(
        await verify({ ...presentation, ...change }, VERIFIER),
        ['document'],
        new RegExp(Object.keys(change)[0] ?? ''),
      )
    }
    refusedBy(await verify({ ...claims, aud: undefined }, VERIFIER), ['document'], /verifier/)
    refusedBy(await verify({ ...claims, iss: 'did:test:eve' }, VERIFIER), ['document'], /iss/)
  })

  it('compares the credentials shown in an object with their JWTs', async () => {
    const { holder, verify, credential } = setUp()
    const jwt = holder.presentation([credential])
    const shown = libraryForm(jwt)
    const [first] = shown.verifiableCredential
    const changed = { ...first, credentialSubject: { name: 'Eve', id: holder.did } }
    const result = await verify({ ...shown, verifiableCredential: [changed] })
    refusedBy(result, ['credentials'], /1 of its 1/)
    assert.match(result.problems?.[1]?.message ?? '', /credentialSubject/)
    assert.equal(result.credentials[0]?.credential?.credentialSubject.name, 'Ada')
  })
})
