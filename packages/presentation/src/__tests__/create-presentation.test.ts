import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { isAgentError, type Problem } from '@vidimus/core-types'
import { decodeJWT } from 'did-jwt'
import { normalizeCredential, verifyPresentation } from 'did-jwt-vc'
import { jwtVerify } from 'jose'
import { claimsOf, documentOf, ForeignSigner } from '../../../credentials/src/__tests__/foreign-signer.js'
import { createKeyDid, createTestAgent, recordCalls } from '../../../credentials/src/__tests__/test-agent.js'

const NOW = new Date('2026-03-01T12:00:00.789Z')
const SECONDS = Math.floor(NOW.getTime() / 1000)
const VERIFIER = 'did:test:verifier'

const setUp = async () => {
  const test = createTestAgent({ options: { clock: () => NOW, maxCredentials: 3 } })
  const issuer = new ForeignSigner('did:test:issuer', test.documents)
  const { did: holderDid } = await createKeyDid(test.agent)
  return { ...test, issuer, holderDid }
}

const refusal = async (
  creating: Promise<unknown>,
): Promise<{ code: string; details: readonly Problem[] }> => {
  const error: unknown = await creating.then(
    () => assert.fail('it was not refused'),
    (thrown: unknown) => thrown,
  )
  assert.ok(isAgentError(error), String(error))
  return { code: error.code, details: error.details }
}

describe('creating a presentation', () => {
  it('returns the documented answer, with a JWT of the same content', async () => {
    const { agent, issuer, holderDid } = await setUp()
    const jwt = issuer.credential({ sub: holderDid })
    const result = await agent.presentationCreate({ credentials: [jwt], holderDid, verifierDid: VERIFIER })
    const { proof, ...said } = result
    assert.deepEqual(said, {
      vp: {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiablePresentation'],
        verifiableCredential: [jwt],
      },
      nbf: SECONDS,
      exp: SECONDS + 3600,
      iss: holderDid,
      aud: [VERIFIER],
    })
    assert.equal(proof.type, 'JwtProof2020')
    const { header, payload } = decodeJWT(String(proof.jwt))
    assert.deepEqual(payload, said)
    assert.deepEqual(header, {
      typ: 'JWT',
      alg: 'EdDSA',
      kid: `${holderDid}#${holderDid.slice('did:key:'.length)}`,
    })
  })

  it('accepts an audience that is not a DID, a nonce and a lifetime', async () => {
    const { agent, issuer, holderDid } = await setUp()
    const credentials = [issuer.credential({ sub: holderDid })]
    const asked = { audience: 'https://verifier.example', nonce: 'n-1' }
    const made = await agent.presentationCreate({ credentials, holderDid, ...asked, expiresIn: 'P1D' })
    const { proof, ...said } = made
    assert.deepEqual(claimsOf(String(proof.jwt)), said)
    assert.deepEqual([made.aud, made.nonce, made.exp], [[asked.audience], 'n-1', SECONDS + 86_400])
    const presentation = { ...made }
    assert.ok((await agent.presentationVerify({ presentation, ...asked })).verified)
    assert.ok(!(await agent.presentationVerify({ presentation, ...asked, nonce: 'n-2' })).verified)
    assert.ok(!(await agent.presentationVerify({ presentation })).verified)
  })

  it('refuses meaningless arguments', async () => {
    const { agent, issuer, holderDid } = await setUp()
    const credentials = [issuer.credential({ sub: holderDid })]
    const wrong: [Record<string, unknown>, string, RegExp][] = [
      [{ expiresIn: 900 }, 'expiresIn', /900 seconds are PT15M/],
      [{ expiresIn: 'PT0S' }, 'expiresIn', /longer than PT0S/],
      [{ expiresIn: 'P9000Y' }, 'expiresIn', /year 9999/],
      [{ nonce: '' }, 'nonce', /1 to 2048/],
      [{ audience: 7 }, 'audience', /1 to 2048/],
      [{ verifierDid: VERIFIER, audience: 'https://verifier.example' }, 'audience', /must equal verifierDid/],
    ]
    for (const [args, path, message] of wrong) {
      const { code, details } = await refusal(agent.presentationCreate({ credentials, holderDid, ...args }))
      assert.equal(code, 'invalid_input')
      assert.deepEqual(
        details.map((detail) => detail.path),
        [path],
      )
      assert.match(details[0]?.message ?? '', message)
    }
  })

  it('is verified by independent libraries, with an audience and without', async () => {
    const { agent, issuer, resolver } = await setUp()
    for (const keyType of ['Ed25519', 'Secp256r1', 'Secp256k1'] as const) {
      const { did: holderDid } = await createKeyDid(agent, keyType, 'did:jwk')
      const credentials = [issuer.credential({ sub: holderDid })]
      const policies = { now: SECONDS }
      const plain = await agent.presentationCreate({ credentials, holderDid })
      assert.deepEqual(plain.aud, [])
      assert.equal('aud' in claimsOf(String(plain.proof.jwt)), false)
      assert.equal(
        (await verifyPresentation(String(plain.proof.jwt), resolver, { policies })).issuer,
        holderDid,
      )
      const addressed = await agent.presentationCreate({ credentials, holderDid, verifierDid: VERIFIER })
      await verifyPresentation(String(addressed.proof.jwt), resolver, { policies, domain: VERIFIER })
      const document = (await resolver.resolve(holderDid)).didDocument
      if (keyType !== 'Secp256k1') {
        const jwk = document?.verificationMethod?.[0]?.publicKeyJwk ?? {}
        const key = createPublicKey({ key: jwk, format: 'jwk' })
        await jwtVerify(String(addressed.proof.jwt), key, {
          issuer: holderDid,
          audience: VERIFIER,
          currentDate: NOW,
        })
      }
      const own = await agent.presentationVerify({ presentation: { ...addressed }, verifierDid: VERIFIER })
      assert.ok(own.verified, JSON.stringify(own))
      assert.ok((await agent.presentationVerify({ presentation: { ...plain } })).verified)
    }
  })

  it('uses only the JWT in the proof of an object', async () => {
    const { agent, issuer, holderDid } = await setUp()
    const jwt = issuer.credential({ sub: holderDid })
    const altered = { ...(normalizeCredential(jwt) as object), credentialSubject: { name: 'Eve' } }
    const before = structuredClone(altered)
    const credentials = [jwt, altered, { proof: { type: 'Other', jwt } }]
    const { vp } = await agent.presentationCreate({ credentials, holderDid })
    assert.deepEqual(vp?.verifiableCredential, [jwt, jwt, jwt])
    assert.deepEqual(altered, before)
  })

  it('signs as the subject if no holder is named and the account holds the subject', async () => {
    const { agent, issuer, holderDid } = await setUp()
    const credentials = [
      issuer.credential({ sub: holderDid }),
      issuer.credential({}, { credentialSubject: { id: holderDid } }),
    ]
    assert.equal((await agent.presentationCreate({ credentials })).iss, holderDid)
    const needsHolder = async (foreign: string[]) => {
      const { code, details } = await refusal(agent.presentationCreate({ credentials: foreign }))
      assert.equal(code, 'invalid_input')
      assert.deepEqual(
        details.map(({ path }) => path),
        ['holderDid'],
      )
    }
    await needsHolder([...credentials, issuer.credential({ sub: 'did:test:else' })])
    await needsHolder([...credentials, issuer.credential()])
    await needsHolder([issuer.credential()])
    await needsHolder([issuer.credential({ sub: 'did:test:else' })])
    await needsHolder([issuer.credential({ sub: 'mailto:ada@example.com' })])
  })

  it('accepts expired credentials and those with a status: the verifier decides', async () => {
    const { agent, issuer, holderDid } = await setUp()
    const credentials = [
      issuer.credential({ exp: SECONDS - 1000 }),
      issuer.credential({}, { credentialStatus: { id: 'urn:1', type: 'TestStatus' } }),
    ]
    const { proof } = await agent.presentationCreate({ credentials, holderDid })
    const result = await agent.presentationVerify({ presentation: String(proof.jwt) })
    assert.equal(result.verified, false)
    assert.deepEqual(
      result.credentials.map(({ verified }) => verified),
      [false, false],
    )
  })

  it('names each credential that was not issued by its issuer', async () => {
    const { agent, documents, issuer, holderDid } = await setUp()
    const mallory = new ForeignSigner('did:test:mallory', documents)
    const gone = new ForeignSigner('did:test:gone', documents)
    const unresolvable = gone.credential()
    documents.delete(gone.did)
    const forged = mallory.sign({ ...claimsOf(issuer.credential()), iss: issuer.did }, { kid: issuer.kid })
    const creating = agent.presentationCreate({
      credentials: [forged, issuer.credential(), unresolvable],
      holderDid,
    })
    const { code, details } = await refusal(creating)
    assert.equal(code, 'invalid_credential')
    assert.deepEqual(
      details.map(({ path }) => path),
      ['credentials[0]', 'credentials[2]'],
    )
    assert.match(details[0]?.message ?? '', /signature does not match/)
    assert.match(details[1]?.message ?? '', /cannot be resolved: notFound/)
    documents.set(issuer.did, {
      document: documentOf(issuer.did, { publicKeyJwk: issuer.key.jwk }),
      deactivated: true,
    })
    const deactivated = await refusal(
      agent.presentationCreate({ credentials: [issuer.credential()], holderDid }),
    )
    assert.match(deactivated.details[0]?.message ?? '', /deactivated/)
  })

  it('names each argument that is not a VC JWT', async () => {
    const { agent, issuer, holderDid } = await setUp()
    const bad: [unknown, RegExp][] = [
      ['garbage', /three dot-separated parts/],
      [{ '@context': [], credentialSubject: {} }, /no proof/],
      [
        { proof: { type: 'Ed25519Signature2020', proofValue: 'z' } },
        /its proof is Ed25519Signature2020, which no configured/,
      ],
      [issuer.sign({ iss: issuer.did }), /no "vc" claim/],
      [issuer.credential({ iss: undefined }), /iss/],
      [issuer.credential({}, { credentialSubject: undefined }), /credentialSubject/],
      [issuer.presentation([]), /no "vc" claim/],
    ]
    for (const [credential, message] of bad) {
      const credentials = [issuer.credential(), credential] as string[]
      const { code, details } = await refusal(agent.presentationCreate({ credentials, holderDid }))
      assert.equal(code, 'invalid_credential')
      assert.equal(details[0]?.path, 'credentials[1]')
      assert.match(details[0].message, message)
    }
  })

  it('refuses too few and too many credentials without reading them', async () => {
    const { agent, holderDid } = await setUp()
    const calls = recordCalls(agent)
    for (const credentials of [[], ['a', 'b', 'c', 'd'], undefined, 'a.b.c', null]) {
      const { code, details } = await refusal(agent.presentationCreate({ credentials, holderDid } as never))
      assert.equal(code, 'invalid_input')
      assert.deepEqual(
        details.map(({ path }) => path),
        ['credentials'],
      )
    }
    assert.ok(!calls.includes('resolveDid'))
    for (const args of [undefined, null, 7]) {
      assert.equal((await refusal(agent.presentationCreate(args as never))).code, 'invalid_input')
    }
  })

  it('reports all problems at once, in the order of the fields', async () => {
    const { agent, issuer } = await setUp()
    const credentials = ['garbage', issuer.credential(), 7] as never
    const args = { credentials, holderDid: 'did:test:else', verifierDid: 'me', extra: 1 }
    const { code, details } = await refusal(agent.presentationCreate(args))
    assert.equal(code, 'invalid_credential')
    assert.deepEqual(
      details.map(({ path }) => path),
      ['credentials[0]', 'credentials[2]', 'holderDid', 'verifierDid', ''],
    )
  })

  it('refuses a holder that the account does not hold', async () => {
    const { agent, documents, issuer } = await setUp()
    const credentials = [issuer.credential()]
    const foreign = new ForeignSigner('did:test:holder', documents)
    for (const holderDid of [foreign.did, 'did:test:unknown']) {
      const { code, details } = await refusal(agent.presentationCreate({ credentials, holderDid }))
      assert.equal(code, 'did_not_found')
      const message = `"${holderDid}" is unknown, or the account does not hold it`
      assert.deepEqual(details, [{ path: 'holderDid', message }])
    }
  })

  it('resolves each issuer once', async () => {
    const { agent, issuer, holderDid } = await setUp()
    const credentials = [issuer.credential(), issuer.credential(), issuer.credential()]
    const calls = recordCalls(agent)
    await agent.presentationCreate({ credentials, holderDid })
    assert.deepEqual(calls, [
      'presentationCreate',
      'resolveDid',
      'didHolding',
      'didManagerGet',
      'resolveDid',
      'didSign',
      'keyManagerSign',
    ])
    const own = await agent.credentialIssue({
      issuerDid: holderDid,
      subjectDid: holderDid,
      attributes: { a: 1 },
    })
    calls.length = 0
    await agent.presentationCreate({ credentials: [own] })
    // The permission to sign is determined separately, where keys are held.
    const signing = ['didHolding', 'didManagerGet', 'resolveDid', 'didSign', 'keyManagerSign']
    assert.deepEqual(calls, ['presentationCreate', 'resolveDid', ...signing])
  })

  it('signs with a key that may authenticate the holder', async () => {
    const { agent, documents, issuer } = await setUp()
    const holder = new ForeignSigner('did:test:holder', documents)
    const { type, privateKeyHex, jwk } = holder.key
    const keys = [{ type, privateKeyHex, kms: 'local' }]
    await agent.didManagerImport({ did: holder.did, provider: 'did:key', keys })
    const args = { credentials: [issuer.credential()], holderDid: holder.did }
    const document = documentOf(holder.did, { publicKeyJwk: jwk })
    documents.set(holder.did, { document: { ...document, assertionMethod: [] } })
    const { proof } = await agent.presentationCreate(args)
    assert.ok((await agent.presentationVerify({ presentation: String(proof.jwt) })).verified)
    documents.set(holder.did, { document: { ...document, authentication: [] } })
    const { code, details } = await refusal(agent.presentationCreate(args))
    assert.equal(code, 'key_not_found')
    assert.equal(details[0]?.path, 'holderDid')
  })
})
