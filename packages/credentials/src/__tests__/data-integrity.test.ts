import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CredentialIssueArgs, CredentialVerifyResult, Problem } from '@vidimus/core-types'
import { dataIntegrity } from '../data-integrity/data-integrity-credentials.js'
import { JoseCredentials } from '../jose/jose-credentials.js'
import { JwtCredentials } from '../jwt/jwt-credentials.js'
import {
  byDigitalBazaar,
  foreignLdp,
  multikeyOf,
  type Suite,
} from '../../../../test/support/digitalbazaar.js'
import { createKeyDid, createTestAgent, statusPlugin, type KeyKind } from './test-agent.js'
import { assertRefused, NOW, SUBJECT } from './verification-setup.js'

const V1 = 'https://www.w3.org/2018/credentials/v1'
const V2 = 'https://www.w3.org/ns/credentials/v2'
const UNDEFINED_TERMS = 'https://www.w3.org/ns/credentials/undefined-terms/v2'

async function setUp(keyType: KeyKind = 'Ed25519', ldp = dataIntegrity()) {
  const status = statusPlugin((id) => ({ revoked: id === 'urn:revoked', verified: id !== 'urn:revoked' }))
  const options = { clock: () => NOW, formats: [JwtCredentials, JoseCredentials, ldp] }
  const test = createTestAgent({ options, plugins: [status] })
  const { did } = await createKeyDid(test.agent, keyType, keyType === 'Secp256r1' ? 'did:jwk' : 'did:key')
  const issue = (args: Partial<CredentialIssueArgs> = {}) =>
    test.agent.credentialIssue({ format: 'ldp_vc', issuerDid: did, attributes: { name: 'Ada' }, ...args })
  const verify = (credential: unknown): Promise<CredentialVerifyResult> =>
    test.agent.credentialVerify({ credential } as never)
  return { ...test, did, issue, verify }
}

/** A credential of an external issuer, signed with the library itself; its DID documents are in the agent's resolver. */
const credentialOf = (issuer: string, members: object = {}) => ({
  '@context': [V2],
  type: ['VerifiableCredential'],
  issuer,
  validFrom: '2026-01-01T00:00:00Z',
  credentialSubject: { id: SUBJECT, name: 'Ada' },
  ...members,
})

describe('credentials with Data Integrity proofs', function () {
  const suites: [KeyKind, Suite][] = [
    ['Ed25519', 'eddsa-rdfc-2022'],
    ['Secp256r1', 'ecdsa-rdfc-2019'],
  ]
  for (const [keyType, cryptosuite] of suites) {
    it(`are verified by @digitalbazaar/vc, signed with ${cryptosuite}`, async () => {
      const { did, issue, verify, resolver } = await setUp(keyType)
      const credential = await issue({
        subjectDid: SUBJECT,
        type: ['Person'],
        '@context': [UNDEFINED_TERMS],
        attributes: { name: 'Ada', address: { street: 'A' }, languages: ['en', 'fr'] },
        validUntil: '2030-01-01T00:00:00Z',
      })
      const { proof } = credential as unknown as { proof: Record<string, string> }
      const [method] = (await resolver.resolve(did)).didDocument?.verificationMethod ?? []
      assert.ok(method)
      assert.deepEqual(Object.keys(proof).sort(), [
        ...['created', 'cryptosuite', 'proofPurpose', 'proofValue', 'type', 'verificationMethod'],
      ])
      assert.deepEqual([proof.cryptosuite, proof.created], [cryptosuite, '2026-03-01T12:00:00Z'])
      const key = { ...multikeyOf(method), id: String(proof.verificationMethod) }
      const theirs = await byDigitalBazaar(credential, cryptosuite, key, NOW)
      assert.equal(theirs.verified, true, JSON.stringify(theirs.error))
      const { verified, problems, signer, validUntil } = await verify(credential)
      assert.deepEqual([verified, problems], [true, undefined])
      assert.deepEqual([signer, validUntil], [proof.verificationMethod, '2030-01-01T00:00:00.000Z'])
    })

    it(`of @digitalbazaar/vc verify, signed with ${cryptosuite}`, async () => {
      const { verify, documents } = await setUp()
      const issuer = 'did:test:issuer'
      const of1 = {
        '@context': [V1, 'https://w3id.org/security/data-integrity/v2'],
        type: ['VerifiableCredential'],
        issuer,
        issuanceDate: '2026-01-01T00:00:00Z',
        credentialSubject: { id: SUBJECT },
      }
      for (const document of [credentialOf(issuer), of1]) {
        const { credential, method } = await foreignLdp(document, cryptosuite, issuer, NOW)
        documents.set(issuer, {
          document: { id: issuer, verificationMethod: [method], assertionMethod: [method.id] },
        })
        const { verified, problems, subject } = await verify(credential)
        assert.deepEqual([verified, problems, subject], [true, undefined, SUBJECT])
        documents.set(issuer, {
          document: { id: issuer, verificationMethod: [method], authentication: [method.id] },
        })
        assertRefused(await verify(credential), 'signature', /is not a key in the assertionMethod/)
      }
    })
  }

  it('do not verify after any change', async () => {
    const { issue, verify } = await setUp()
    const credential = (await issue({
      subjectDid: SUBJECT,
      validUntil: '2030-01-01T00:00:00Z',
    })) as unknown as Record<string, unknown> & { proof: Record<string, unknown> }
    const { proof } = credential
    const changed: object[] = [
      { credentialSubject: { id: SUBJECT, name: 'Eve' } },
      { credentialSubject: { id: 'did:test:other', name: 'Ada' } },
      { validUntil: '2031-01-01T00:00:00Z' },
      { validUntil: undefined },
      { type: ['VerifiableCredential', 'BitstringStatusListCredential'] },
      { credentialStatus: { type: 'BitstringStatusListEntry', id: 'urn:x' } },
      { '@context': [V2, UNDEFINED_TERMS], extra: 1 },
      ...['created', 'cryptosuite', 'proofPurpose', 'verificationMethod', 'proofValue', 'type'].flatMap(
        (name) => [
          { proof: { ...proof, [name]: undefined } },
          {
            proof: {
              ...proof,
              [name]: name === 'created' ? '2026-03-01T12:00:01Z' : `${String(proof[name])}x`,
            },
          },
        ],
      ),
      { proof: { ...proof, cryptosuite: 'ecdsa-rdfc-2019' } },
      { proof: { ...proof, expires: '2030-01-01T00:00:00Z' } },
      { proof: { ...proof, '@context': V1 } },
      { proof: { ...proof, previousProof: 'urn:x' } },
      { proof: [proof, { ...proof, created: '2026-03-01T12:00:01Z' }] },
      { proof: [proof, proof, proof, proof, proof] },
      { proof: [] },
    ]
    for (const change of changed) {
      const shown = JSON.parse(JSON.stringify({ ...credential, ...change })) as object
      const { verified } = await verify(shown)
      assert.equal(verified, false, JSON.stringify(change))
    }
    for (const proofValue of [
      '',
      'z',
      'z5nmMBw2u9TGKd9NxxHJtyZKgjN2Eh',
      'u'.repeat(87),
      `${String(proof.proofValue)}1`,
    ]) {
      const shown = { ...credential, proof: { ...proof, proofValue } }
      assertRefused(await verify(shown), 'format', /proofValue of its proof must be a signature of 64 bytes/)
    }
    assert.equal((await verify({ ...credential, proof: [proof, proof] })).verified, true)
  })

  it('cannot hide statements behind an IRI, a keyword or a context', async () => {
    const { issue, verify } = await setUp()
    const credentialStatus = { id: 'urn:revoked', type: 'BitstringStatusListEntry' }
    const status = {
      ...credentialStatus,
      statusPurpose: 'revocation',
      statusListIndex: '1',
      statusListCredential: 'https://example.com/list',
    }
    const credential = (await issue({ subjectDid: SUBJECT, credentialStatus: status })) as unknown as Record<
      string,
      unknown
    >
    assertRefused(await verify(credential), 'status', /revoked/)
    const { credentialStatus: hidden, credentialSubject, ...others } = credential
    const iri = 'https://www.w3.org/2018/credentials#credentialStatus'
    const byIri = { ...others, credentialSubject, [iri]: hidden }
    const byKeyword = { ...credential, credentialSubject: { '@id': SUBJECT, name: 'Ada' } }
    const included = { ...others, credentialSubject, '@included': [{}] }
    for (const shown of [byIri, byKeyword, included]) {
      assertRefused(await verify(shown), 'format', /must be named by terms of its contexts/)
    }
    const own = {
      ...credential,
      '@context': [V2, { other: iri }],
      credentialStatus: undefined,
      other: hidden,
    }
    assertRefused(await verify(own), 'format', /the term "other" of its embedded context/)
    const foreign = { ...credential, '@context': [V2, 'https://evil.example/v1', 'http://169.254.169.254/'] }
    assertRefused(
      await verify(foreign),
      'format',
      /unknown contexts, and contexts are never fetched: "https:\/\/evil\.example\/v1", "http:\/\/169/,
    )
    const nested = {
      ...credential,
      credentialSubject: { '@context': 'https://evil.example/v1', name: 'Ada' },
    }
    assertRefused(await verify(nested), 'format', /must be named by terms/)
  })

  it('are processed within limits, however they are built', async () => {
    const { issue, verify } = await setUp()
    const credential = (await issue({ '@context': [UNDEFINED_TERMS] })) as unknown as Record<string, unknown>
    let deep: unknown = 'x'
    for (let level = 0; level < 100; level += 1) deep = { a: deep }
    const wide = Array.from({ length: 10_001 }, () => 'x')
    assertRefused(
      await verify({ ...credential, credentialSubject: { deep } }),
      'format',
      /nested deeper than 64/,
    )
    assertRefused(
      await verify({ ...credential, credentialSubject: { wide } }),
      'format',
      /more than 10000 values/,
    )
    const many = (count: number, one: (n: number) => unknown = () => ({})) =>
      Array.from({ length: count }, (_, n) => one(n))
    const clique = many(8, (n) => ({ id: `_:n${n}`, knows: many(8, (m) => ({ id: `_:n${m}` })) }))
    const chain = () => Array.from({ length: 50 }).reduce<object>((next) => ({ next }), {})
    for (const [expected, graph] of [
      [/more than 2500 blank nodes/, many(2500)],
      [/more than 5000 n-degree calls/, many(5, chain)],
      [/more than 50000 comparisons of related blank nodes/, clique],
    ] as const) {
      assertRefused(await verify({ ...credential, credentialSubject: { graph } }), 'signature', expected)
    }
    const { proof } = credential
    const proofs = many(4, () => ({ ...(proof as object), extra: many(2, chain) }))
    assertRefused(
      await verify({ ...credential, proof: proofs }),
      'signature',
      /more than 5000 n-degree calls/,
    )
    assert.equal((await verify(credential)).verified, true, 'the next one is verified')
  })

  it('are still verified after one that took too long', async () => {
    const { Canonicalization } = await import('../data-integrity/canonicalization.js')
    const one = new Canonicalization({}, 1)
    const proof = { type: 'DataIntegrityProof', cryptosuite: 'eddsa-rdfc-2022' }
    const request = { document: credentialOf('did:test:issuer'), proofs: [proof] }
    await assert.rejects(one.verifyData(request), { message: /the time or memory limit/ })
    const other = new Canonicalization({})
    const both = await Promise.all([other.verifyData(request), other.verifyData(request)])
    assert.equal(both[0][0]?.length, 64)
    assert.deepEqual(both[0], both[1])
  })

  it('contain only terms that a context defines, and need a key with a suitable cryptosuite', async () => {
    const { issue } = await setUp()
    const refused = (args: Partial<CredentialIssueArgs>, by = issue) =>
      by(args).then(
        () => assert.fail('it was issued'),
        ({ details }: { details: Problem[] }) => details,
      )
    const [undefinedTerm] = await refused({ attributes: { degree: 'x' } })
    assert.equal(undefinedTerm?.path, 'attributes')
    assert.match(String(undefinedTerm?.message), /"degree"; @context can name/)
    assert.deepEqual(
      (await refused({ '@context': ['https://evil.example/v1'] })).map(({ path }) => path),
      ['@context[0]'],
    )
    const [iri] = await refused({ attributes: { 'https://schema.org/name': 'x' } })
    assert.match(String(iri?.message), /must be named by terms/)
    const k1 = await setUp('Secp256k1')
    const [noSuite] = await refused({}, k1.issue)
    assert.equal(noSuite?.path, 'issuerDid')
    assert.match(String(noSuite?.message), /Secp256k1, for which Data Integrity has no cryptosuite/)
    assert.deepEqual(
      (await refused({ disclosureFrame: {} })).map(({ path }) => path),
      ['disclosureFrame'],
    )
  })

  it('use contexts from configured files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-contexts-'))
    try {
      const file = join(folder, 'acme.json')
      await writeFile(file, JSON.stringify({ '@context': { degree: 'https://acme.example/terms#degree' } }))
      const url = 'https://acme.example/v1'
      const { issue, verify } = await setUp('Ed25519', dataIntegrity({ contexts: { [url]: file } }))
      const credential = await issue({ '@context': [url], attributes: { degree: 'MSc' } })
      assert.equal((await verify(credential)).verified, true)
      const elsewhere = await setUp()
      assertRefused(await elsewhere.verify(credential), 'format', /unknown contexts.*acme\.example/)
      await writeFile(file, '[]')
      assert.throws(() => dataIntegrity({ contexts: { [url]: file } }), { code: 'invalid_configuration' })
      assert.throws(() => dataIntegrity({ contexts: { [url]: join(folder, 'none') } }), /ENOENT/)
      assert.throws(() => dataIntegrity({ contexts: { acme: file } }), /contexts\.acme/)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('are presented unchanged', async () => {
    const { agent, issue } = await setUp()
    const { did: holderDid } = await createKeyDid(agent)
    const credential = await issue({ subjectDid: holderDid })
    for (const format of ['jwt_vp', 'vp+jwt']) {
      const { vp, proof } = await agent.presentationCreate({ format, credentials: [credential] })
      assert.deepEqual(vp?.verifiableCredential, [credential])
      const verdict = await agent.presentationVerify({
        presentation: String(proof.jwt),
        requireHolderIsSubject: true,
      })
      assert.deepEqual([verdict.verified, verdict.problems], [true, undefined])
    }
  })

  it('expire with their proof', async () => {
    const { verify, documents } = await setUp()
    const issuer = 'did:test:issuer'
    for (const [expires, isVerified] of [
      ['2026-03-01T11:00:00Z', false],
      ['2026-03-02T00:00:00Z', true],
    ] as const) {
      const made = await foreignLdp(credentialOf(issuer), 'eddsa-rdfc-2022', issuer, NOW, { expires })
      const { credential, method } = made
      documents.set(issuer, {
        document: { id: issuer, verificationMethod: [method], assertionMethod: [method.id] },
      })
      const result = await verify(credential)
      assert.equal(result.verified, isVerified, JSON.stringify(result.problems))
      if (!isVerified) assertRefused(result, 'validity', /expired/)
    }
  })
})
