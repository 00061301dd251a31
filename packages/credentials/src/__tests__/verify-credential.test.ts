import assert from 'node:assert/strict'
import { AgentError } from '@vidimus/core-types'
import { createVerifiableCredentialJwt } from 'did-jwt-vc'
import type { VerificationMethod } from 'did-resolver'
import fc from 'fast-check'
import { claimsOf, documentOf, ForeignSigner } from './foreign-signer.js'
import { createKeyDid, recordCalls } from './test-agent.js'
import {
  assertRefused,
  failedChecks,
  NOW,
  SECONDS,
  setUpVerification,
  status,
  SUBJECT,
} from './verification-setup.js'

describe('verifying a credential', () => {
  it('reports what was verified and the content of the JWT', async () => {
    const { issuer, verify } = setUpVerification()
    const jwt = issuer.credential({ sub: SUBJECT, exp: SECONDS + 1000, jti: 'urn:1' }, status('urn:valid'))
    const expected = {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiableCredential'],
      credentialSubject: { name: 'Ada', id: SUBJECT },
      credentialStatus: { id: 'urn:valid', type: 'TestStatus' },
      id: 'urn:1',
      issuanceDate: '2023-11-14T22:13:20.000Z',
      expirationDate: '2026-03-01T12:16:40.000Z',
      issuer: { id: issuer.did },
      proof: { type: 'JwtProof2020', jwt },
    }
    const passed = (...names: string[]) => names.map((check) => ({ check, ok: true }))
    assert.deepEqual(await verify(jwt), {
      verified: true,
      issuer: issuer.did,
      subject: SUBJECT,
      signer: issuer.kid,
      credential: expected,
      validUntil: '2026-03-01T12:16:40.000Z',
      checks: passed('format', 'signature', 'validity', 'status'),
    })
    const asObject = await verify(expected)
    assert.deepEqual(asObject.checks, passed('format', 'document', 'signature', 'validity', 'status'))
    assert.ok(asObject.verified)
  })

  it('returns the same structure for garbage', async () => {
    const { verify } = setUpVerification()
    const garbage = [
      '',
      'garbage',
      'a.b.c',
      '{}',
      7,
      null,
      undefined,
      true,
      [],
      {},
      { proof: {} },
      { proof: { jwt: 7 } },
      { proof: null },
    ]
    for (const credential of garbage) {
      const result = await verify(credential)
      assertRefused(result, 'format', /./)
      assert.deepEqual(Object.keys(result), ['verified', 'checks', 'problems'])
    }
  })

  it('never throws, whatever the input', async () => {
    const { verify } = setUpVerification()
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.jsonValue(), fc.object()), async (credential) => {
        assert.equal((await verify(credential)).verified, false)
      }),
    )
  })

  it('reports every format problem', async () => {
    const { issuer, verify } = setUpVerification()
    const jwt = issuer.sign({
      iss: 'Ada',
      exp: '2030',
      vc: { '@context': [], type: 'Person', issuanceDate: 7 },
    })
    const result = await verify(jwt)
    assert.deepEqual(failedChecks(result), ['format'])
    const messages = (result.problems ?? []).map(({ message }) => message)
    for (const word of [
      /the iss of the JWT/,
      /@context/,
      /type/,
      /exp/,
      /issuanceDate/,
      /credentialSubject/,
    ]) {
      assert.ok(
        messages.some((message) => word.test(message)),
        String(word),
      )
    }
  })

  it('refuses a JWT that is not a credential', async () => {
    const { issuer, verify } = setUpVerification()
    assertRefused(await verify(issuer.sign({ iss: issuer.did })), 'format', /no "vc" claim/)
    assertRefused(await verify(issuer.presentation([])), 'format', /no "vc" claim/)
    for (const credentialSubject of [[], null, 'Ada', ['Ada'], { id: 7 }]) {
      assertRefused(await verify(issuer.credential({}, { credentialSubject })), 'format', /credentialSubject/)
    }
    for (const credentialStatus of [null, 'revoked', [], ['x']]) {
      assertRefused(await verify(issuer.credential({}, { credentialStatus })), 'format', /credentialStatus/)
    }
  })

  it('refuses claims that contradict the members of the credential', async () => {
    const { issuer, verify } = setUpVerification()
    const contradictions: [Record<string, unknown>, Record<string, unknown>][] = [
      [{}, { issuer: 'did:test:else' }],
      [{}, { issuer: { id: 'did:test:else' } }],
      [{ sub: SUBJECT }, { credentialSubject: { id: 'did:test:else' } }],
      [{ sub: 7 }, {}],
      [{ jti: 'urn:1' }, { id: 'urn:2' }],
      [{ jti: 7 }, { id: '7' }],
      [{ exp: SECONDS + 1000 }, { expirationDate: '2099-01-01T00:00:00Z' }],
      [{ nbf: SECONDS }, { issuanceDate: '2020-01-01T00:00:00Z' }],
      [{ sub: SUBJECT }, { credentialSubject: [{ name: 'Ada' }, { name: 'Bob' }] }],
      [{ sub: SUBJECT }, { credentialSubject: [{ name: 'Ada', id: 'did:test:else' }] }],
      [{ exp: SECONDS + 1000 }, { exp: SECONDS + 2000 }],
      [{ issuer: { id: 'did:test:issuer' } }, { issuer: 'did:test:issuer' }],
      [status('urn:revoked'), status('urn:valid')],
      [{ credentialStatus: null }, status('urn:valid')],
      [{ status: { status_list: { idx: 1, uri: 'urn:list' } } }, { status: 'issued' }],
      [{ status: { status_list: { idx: 1, uri: 'urn:list' } } }, { status: null }],
      [{ termsOfUse: 'a' }, { termsOfUse: 'b' }],
    ]
    for (const [claims, vc] of contradictions) {
      assertRefused(await verify(issuer.credential(claims, vc)), 'format', /does not match/)
    }
    const agreeing = issuer.credential(
      { sub: SUBJECT, jti: 'urn:1' },
      {
        issuer: { id: issuer.did, name: 'I' },
        credentialSubject: [{ id: SUBJECT }, { id: 'did:test:b' }],
        id: 'urn:1',
      },
    )
    const result = await verify(agreeing)
    assert.ok(result.verified)
    assert.equal(result.subject, undefined)
    assert.deepEqual(result.credential?.issuer, { id: issuer.did, name: 'I' })
    const twice = { ...status('urn:valid'), exp: SECONDS + 1000, sub: SUBJECT }
    const dates = {
      issuanceDate: '2023-11-14T22:13:20.999Z',
      expirationDate: '2026-03-01T13:16:39.500+01:00',
      credentialSubject: [{ name: 'Ada' }],
    }
    const same = await verify(issuer.credential(twice, { ...dates, ...status('urn:valid') }))
    assert.ok(same.verified, JSON.stringify(same))
    assert.equal(same.subject, SUBJECT)
  })

  it('refuses forged signatures without further lookups', async () => {
    const { agent, issuer, documents, verify } = setUpVerification()
    const mallory = new ForeignSigner('did:test:mallory', documents)
    const forged = mallory.sign(claimsOf(issuer.credential({}, status('urn:valid'))), { kid: issuer.kid })
    const calls = recordCalls(agent)
    assertRefused(await verify(forged), 'signature', /does not match|is invalid/)
    assert.deepEqual(calls, ['credentialVerify', 'resolveDid'])
    const unsigned = issuer.sign({ iss: issuer.did }, { alg: 'none' })
    assertRefused(
      await verify(`${unsigned.split('.').slice(0, 2).join('.')}.`),
      'format',
      /three dot-separated parts/,
    )
    assertRefused(await verify(unsigned), 'format', /alg/)
  })

  it('refuses JWTs that are nested too deeply and issuers that are too long', async () => {
    const { issuer, verify } = setUpVerification()
    const [header, , signature] = issuer.credential().split('.')
    const deep = Buffer.from(`{"vc":${'['.repeat(100_000)}${']'.repeat(100_000)}}`).toString('base64url')
    assertRefused(await verify(`${header}.${deep}.${signature}`), 'format', /payload.*nested too deep/)
    assertRefused(await verify(`${deep}.${deep}.${signature}`), 'format', /header.*nested too deep/)
    const iss = `did:key:z${'2'.repeat(100_000)}`
    assertRefused(await verify(issuer.credential({ iss })), 'format', /iss/)
  })

  it('reads only the key named by the kid, and tries few keys without one', async () => {
    const { agent, issuer, documents, verify } = setUpVerification()
    const { did, kid } = issuer
    let read = 0
    const own = documentOf(did, { publicKeyJwk: issuer.key.jwk }).verificationMethod?.[0]
    const others = Array.from({ length: 50 }, (_, n) => ({
      id: `${did}#other-${n}`,
      type: 'JsonWebKey2020',
      controller: did,
      get publicKeyJwk() {
        read += 1
        return new ForeignSigner('did:test:other', new Map()).key.jwk
      },
    }))
    const verificationMethod = [...others, own] as VerificationMethod[]
    const documentWith = (ids: string[]) =>
      documents.set(did, { document: { id: did, verificationMethod, assertionMethod: ids } })
    const ids = verificationMethod.map(({ id }) => id)
    documentWith(ids)
    // Veramo's own agent writes whatever a method answers.
    await agent.resolveDid({ didUrl: did })
    const readByAgent = read
    assert.ok((await verify(issuer.credential())).verified)
    assert.equal(read, 2 * readByAgent)
    const unnamed = issuer.sign(claimsOf(issuer.credential()), { kid: undefined })
    assertRefused(await verify(unnamed), 'signature', /no kid, and .* has more than 20 keys/)
    // A reference that is repeated is one.
    documentWith([...Array.from({ length: 5000 }, () => ids[0] ?? ''), kid])
    assert.ok((await verify(unnamed)).verified)
  })

  it('refuses issuers that do not resolve or are deactivated', async () => {
    const { issuer, documents, verify } = setUpVerification()
    const jwt = issuer.credential()
    documents.set(issuer.did, { document: documentOf(issuer.did, {}), deactivated: true })
    assertRefused(await verify(jwt), 'signature', /deactivated/)
    documents.delete(issuer.did)
    assertRefused(await verify(jwt), 'signature', /cannot be resolved/)
    assertRefused(
      await verify(issuer.sign({ ...claimsOf(jwt), iss: 'did:nowhere:a' }, { kid: '#a' })),
      'signature',
      /unsupportedDidMethod/,
    )
  })

  it('rejects a credential with any character changed', async () => {
    const { agent, verify } = setUpVerification()
    const { did } = await createKeyDid(agent)
    const { proof } = await agent.credentialIssue({ issuerDid: did, attributes: { name: 'Ada' } })
    const jwt = String(proof.jwt)
    assert.ok((await verify(jwt)).verified)
    await fc.assert(
      fc.asyncProperty(fc.nat(jwt.length - 1), fc.nat(6), async (at, bit) => {
        const changed =
          jwt.slice(0, at) + String.fromCharCode(jwt.charCodeAt(at) ^ (1 << bit)) + jwt.slice(at + 1)
        assert.equal((await verify(changed)).verified, false)
      }),
      { numRuns: 500, examples: [0, 1, 2, 3, 4, 5, 6].map((bit) => [jwt.length - 1, bit]) },
    )
  })

  it('checks the validity period with a tolerance of one minute', async () => {
    const { issuer, verify } = setUpVerification()
    const valid = [
      { nbf: SECONDS + 60 },
      { exp: SECONDS - 59 },
      { nbf: SECONDS, iat: SECONDS + 5000 },
      { nbf: undefined },
    ]
    for (const claims of valid)
      assert.ok((await verify(issuer.credential(claims))).verified, JSON.stringify(claims))
    const early = [{ nbf: SECONDS + 61 }, { nbf: undefined, iat: SECONDS + 61 }]
    for (const claims of early)
      assertRefused(await verify(issuer.credential(claims)), 'validity', /not valid before/)
    for (const exp of [SECONDS - 60, 0])
      assertRefused(await verify(issuer.credential({ exp })), 'validity', /expired at/)
    const date = (seconds: number) => new Date((SECONDS + seconds) * 1000).toISOString()
    for (const name of ['issuanceDate', 'validFrom']) {
      assertRefused(
        await verify(issuer.credential({ nbf: undefined }, { [name]: date(100) })),
        'validity',
        /not valid before/,
      )
    }
    for (const name of ['expirationDate', 'validUntil']) {
      assertRefused(await verify(issuer.credential({}, { [name]: date(-100) })), 'validity', /expired/)
      assertRefused(await verify(issuer.credential({ [name]: date(-100) })), 'validity', /expired/)
    }
    for (const exp of [NOW.getTime() * 1000, -1, '2030', null, {}]) {
      assertRefused(await verify(issuer.credential({ exp })), 'format', /exp/)
    }
  })

  it('passes on a ledger outage during resolution', async () => {
    const outage = {
      methods: { resolveDid: () => Promise.reject(new AgentError('ledger_unavailable', 'down')) },
    }
    const { issuer, verify } = setUpVerification({ plugins: [outage] })
    await assert.rejects(verify(issuer.credential()), { code: 'ledger_unavailable' })
  })

  it('verifies what independent libraries issue', async () => {
    const { agent, documents, verify } = setUpVerification()
    const issuer = await createKeyDid(agent)
    const veramo = await agent.createVerifiableCredential({
      credential: {
        issuer: { id: issuer.did, name: 'I' },
        credentialSubject: { id: SUBJECT, name: 'Ada' },
        issuanceDate: '2025-01-01T00:00:00Z',
        custom: 'field',
      },
      proofFormat: 'jwt',
    })
    assert.ok((await verify(veramo)).verified)
    assert.ok((await verify(veramo.proof.jwt)).verified)
    const foreign = new ForeignSigner('did:test:library', documents, 'Secp256k1')
    const jwt = await createVerifiableCredentialJwt(
      {
        sub: SUBJECT,
        nbf: 1_700_000_000,
        vc: {
          '@context': ['https://www.w3.org/2018/credentials/v1'],
          type: ['VerifiableCredential'],
          credentialSubject: { name: 'Ada' },
        },
      },
      { did: foreign.did, alg: 'ES256K', signer: (data) => Promise.resolve(foreign.signature(String(data))) },
    )
    const result = await verify(jwt)
    assert.ok(result.verified, JSON.stringify(result))
    assert.equal(result.signer, foreign.kid)
  })
})
