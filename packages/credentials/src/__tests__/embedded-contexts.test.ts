import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { CredentialVerifyResult } from '@vidimus/core-types'
import { documentProblems } from '../data-integrity/document-bounds.js'
import { dataIntegrity } from '../data-integrity/data-integrity-credentials.js'
import { JwtCredentials } from '../jwt/jwt-credentials.js'
import {
  byDigitalBazaar,
  foreignLdp,
  multikeyOf,
  statementsOf,
} from '../../../../test/support/digitalbazaar.js'
import { createKeyDid, createTestAgent, statusPlugin } from './test-agent.js'
import { assertRefused, NOW, SUBJECT } from './verification-setup.js'

const V1 = 'https://www.w3.org/2018/credentials/v1'
const V2 = 'https://www.w3.org/ns/credentials/v2'
const ISSUER = 'did:test:issuer'
const ID = 'urn:uuid:4c9f9d3e-7f5b-4b8e-9d46-0f3b5a3f0d11'
const STATUS = {
  id: 'urn:revoked',
  type: 'BitstringStatusListEntry',
  statusPurpose: 'revocation',
  statusListIndex: '1',
  statusListCredential: 'https://example.com/list',
}
const DATE = 'http://www.w3.org/2001/XMLSchema#dateTime'

type Document = Record<string, unknown> & { proof: Record<string, unknown> }

/** A credential of an external issuer with embedded contexts. */
const unsigned = (members: object = {}) => ({
  '@context': [V2, { role: 'https://acme.example/#role', formerRole: 'https://acme.example/#formerRole' }],
  id: ID,
  type: ['VerifiableCredential'],
  issuer: ISSUER,
  credentialSubject: { id: SUBJECT, role: 'guest', formerRole: 'admin' },
  ...members,
})

async function setUp(members: object = {}, options: object = {}) {
  const status = statusPlugin((id) => ({ revoked: id === 'urn:revoked', verified: id !== 'urn:revoked' }))
  const formats = [JwtCredentials, dataIntegrity()]
  const test = createTestAgent({ options: { clock: () => NOW, formats }, plugins: [status] })
  const verify = (credential: unknown): Promise<CredentialVerifyResult> =>
    test.agent.credentialVerify({ credential } as never)
  const made = await foreignLdp(unsigned(members), 'eddsa-rdfc-2022', ISSUER, NOW, options)
  const { method } = made
  const document = { id: ISSUER, verificationMethod: [method], assertionMethod: [method.id] }
  test.documents.set(ISSUER, { document })
  return { ...test, verify, signed: made.credential as Document, method }
}

describe('contexts embedded in a document with a Data Integrity proof', function () {
  it('can define terms', async () => {
    const { agent, verify, signed, resolver } = await setUp()
    const { verified, problems, subject } = await verify(signed)
    assert.deepEqual([verified, problems, subject], [true, undefined, SUBJECT])
    const { did } = await createKeyDid(agent, 'Ed25519')
    const context = {
      '@version': 1.1,
      '@protected': true,
      Diploma: {
        '@id': 'https://acme.example/#Diploma',
        '@context': { id: '@id', type: '@type', grade: { '@id': 'urn:acme:grade', '@type': '@json' } },
      },
      titles: { '@id': 'https://acme.example/titles', '@container': '@list' },
      motto: { '@id': 'https://acme.example/motto', '@container': ['@language', '@set'] },
    }
    const credential = {
      ...unsigned({
        '@context': [V2, context, { '@vocab': 'https://acme.example/vocabulary#', '@language': 'en' }],
      }),
      issuer: did,
      credentialSubject: {
        ...{ id: SUBJECT, type: ['Diploma', 'Anything'], grade: { note: 1 } },
        ...{ titles: ['Dr', 'Sir'], motto: { en: ['a', 'b'] }, anything: { else: 1 } },
      },
    }
    const issued = await agent.credentialSign({ credential, format: 'ldp_vc' })
    assert.equal((await verify(issued)).verified, true)
    const [method] = (await resolver.resolve(did)).didDocument?.verificationMethod ?? []
    assert.ok(method)
    const key = {
      ...multikeyOf(method),
      id: String((issued as unknown as Document).proof.verificationMethod),
    }
    assert.equal((await byDigitalBazaar(issued, 'eddsa-rdfc-2022', key, NOW)).verified, true)
  })

  it('cannot rename signed members: a holder can write another context, as the proof does not cover it', async () => {
    const credentials = 'https://www.w3.org/2018/credentials'
    const { verify, signed } = await setUp({ credentialStatus: STATUS })
    assertRefused(await verify(signed), 'status', /revoked/)
    const [, own] = signed['@context'] as [string, object]
    const { credentialStatus, credentialSubject, ...others } = signed
    const subject = credentialSubject as Record<string, unknown>
    const rewritten = (context: object, members: object) => ({
      ...{ ...others, credentialSubject },
      '@context': [V2, { ...own, ...context }],
      ...members,
    })
    const entry = (term: string, context: object) => rewritten(context, { [term]: credentialStatus })
    const coerced = { '@id': `${credentials}#credentialStatus`, '@type': '@id' }
    const swapped = { role: 'https://acme.example/#formerRole', formerRole: 'https://acme.example/#role' }
    const inAlias = { id: ID, type: 'VerifiableCredential', credentialStatus }
    const attacks: [object, RegExp][] = [
      [entry('validity', { validity: coerced }), /"validity" of its embedded context must be the last part/],
      [
        entry('Status', { '@vocab': `${credentials}#credential` }),
        /the @vocab of its embedded context must be/,
      ],
      [
        entry('credentials#credentialStatus', { '@vocab': 'https://www.w3.org/2018/' }),
        /must be named by terms/,
      ],
      [entry('c:credentialStatus', { c: `${credentials}#` }), /must be named by terms.*"c" .*the last part/],
      [rewritten({ more: '@included' }, { more: [inAlias] }), /"more" .* must have an absolute IRI/],
      [rewritten({ more: '@nest' }, { more: { credentialStatus } }), /"more" .* must have an absolute IRI/],
      [
        rewritten(swapped, {
          credentialSubject: { ...subject, role: 'admin', formerRole: 'guest' },
          credentialStatus,
        }),
        /"role" of its embedded context must be the last part of its IRI/,
      ],
      [
        rewritten(
          { key: '@id' },
          { credentialSubject: { ...subject, id: undefined, key: SUBJECT }, credentialStatus },
        ),
        /"key" of its embedded context must have an absolute IRI/,
      ],
      [
        rewritten({ kind: '@type' }, { type: undefined, kind: others.type, credentialStatus }),
        /"kind" of its embedded context must have an absolute IRI/,
      ],
    ]
    for (const [attack, reason] of attacks) await assertAttackFails(verify, signed, attack, reason)
  })

  it('cannot change the meaning of identifiers', async () => {
    const id = 'https://acme.example/did/test:subject'
    const Person = 'https://acme.example/#Person'
    const said = { type: 'Person', name: 'Ada' }
    const { verify, signed } = await setUp({
      '@context': [V2, { Person }],
      credentialSubject: { id, ...said },
    })
    const scoped = { '@id': Person, '@context': { did: 'https://acme.example/did/' } }
    const attack = {
      ...signed,
      '@context': [V2, { Person: scoped }],
      credentialSubject: { id: SUBJECT, ...said },
    }
    await assertAttackFails(
      verify,
      signed,
      attack,
      /"did" of the context .* must be the last part of its IRI/,
    )
  })

  it('cannot rename terms of known contexts, even to the last part of their IRI', async () => {
    const { verify, signed } = await setUp({}, { expires: '2026-03-01T11:00:00Z' })
    assertRefused(await verify(signed), 'validity', /expired/)
    const [, own] = signed['@context'] as [string, object]
    const { expires: expiration, ...others } = signed.proof
    const proof = { ...others, expiration }
    const security = 'https://w3id.org/security#'
    const byTerm = { expiration: { '@id': `${security}expiration`, '@type': DATE } }
    const attack = { ...signed, '@context': [V2, { ...own, ...byTerm }], proof }
    await assertAttackFails(
      verify,
      signed,
      attack,
      /the embedded term "expiration" is another name for "expires"/,
    )
    const vocabulary = { '@vocab': security }
    const byVocabulary = {
      ...{ ...signed, '@context': [V2, { ...own, ...vocabulary }] },
      proof: { ...others, expiration: { '@value': expiration, '@type': DATE } },
    }
    await assertAttackFails(
      verify,
      signed,
      byVocabulary,
      /the embedded term "expiration" is another name for "expires"/,
    )
    const inV1 = { ...signed, '@context': [V1, { expiration: { '@id': 'sec:expiration' } }], proof }
    assertRefused(await verify(inV1), 'signature', /"expiration" must not begin with a prefix/)
  })

  it('cannot hide members in a second object with the id of the document', async () => {
    const members = { credentialSubject: { id: ID, role: 'guest' }, credentialStatus: STATUS }
    const { verify, signed } = await setUp(members)
    assertRefused(await verify(signed), 'status', /revoked/)
    const { credentialStatus, ...others } = signed
    const credentialSubject = { ...members.credentialSubject, type: 'VerifiableCredential', credentialStatus }
    const attack = { ...others, credentialSubject }
    await assertAttackFails(verify, signed, attack, /must not have members in another object with its id/)
  })

  it('are refused with any keyword or value that is not supported', async () => {
    const { verify, signed } = await setUp()
    const iri = 'https://acme.example/#x'
    const refused: [unknown, RegExp][] = [
      [{ '@import': V2 }, /must not have "@import"/],
      [{ '@base': 'https://acme.example/' }, /must not have "@base"/],
      [{ '@propagate': false }, /must not have "@propagate"/],
      [{ '@direction': 'rtl' }, /must not have "@direction"/],
      [{ '@context': {} }, /must not have "@context"/],
      [{ '@version': 1 }, /the @version of its embedded context must be as JSON-LD 1.1 defines it/],
      [{ '@vocab': 'https://acme.example/#ro' }, /must be an absolute IRI that ends with/],
      [{ x: null }, /"x" of its embedded context must have an absolute IRI/],
      [{ x: { '@type': '@id' } }, /"x" of its embedded context must have an absolute IRI/],
      [{ x: 'https ://acme.example/#x' }, /must have an absolute IRI/],
      [{ x: { '@id': iri, '@reverse': iri } }, /"x" .* has an unsupported "@reverse"/],
      [{ x: { '@id': iri, '@nest': 'y' } }, /"x" .* has an unsupported "@nest"/],
      [{ x: { '@id': iri, '@prefix': true } }, /"x" .* has an unsupported "@prefix"/],
      [{ x: { '@id': iri, '@index': 'y' } }, /"x" .* has an unsupported "@index"/],
      ...['@index', '@graph', '@id', '@type'].map((container): [unknown, RegExp] => [
        { x: { '@id': iri, '@container': container } },
        /"x" .* has an unsupported "@container"/,
      ]),
      [{ x: { '@id': iri, '@context': V2 } }, /the context of "x" must be an object/],
      [{ x: { '@id': iri, '@context': null } }, /the context of "x" must be an object/],
      [
        { x: { '@id': iri, '@context': { y: '@type' } } },
        /"y" of the context of "x" must have an absolute IRI/,
      ],
      [{ id: 'https://acme.example/#id' }, /"id" of its embedded context must be @id/],
      [{ type: { '@id': '@type', '@container': '@set' } }, /"type" of its embedded context must be @type/],
      [{ 'a/b': 'https://acme.example/a/b' }, /must not define "a\/b", which is not a term/],
      [null, /unknown contexts.*null/],
      [[V2], /unknown contexts.*a list/],
      [JSON.parse(`${'{"x":'.repeat(70)}1${'}'.repeat(70)}`), /nested deeper than 64/],
      [
        Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`x${n}`, `urn:x${n}`])),
        /more than 10000 values/,
      ],
    ]
    for (const [context, reason] of refused) {
      const shown = { ...signed, '@context': [V2, ...(signed['@context'] as object[]).slice(1), context] }
      assertRefused(await verify(shown), 'format', reason)
    }
  })

  it('can be any JSON: each problem is a sentence of limited length', () => {
    const keyword = fc.constantFrom(
      '@id',
      '@type',
      '@context',
      '@container',
      '@vocab',
      'id',
      'type',
      'x',
      '__proto__',
    )
    const iri = fc.constantFrom('@id', 'urn:x', 'https://acme.example/#x', '', 'x'.repeat(5000))
    const { context } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        iri,
        fc.jsonValue(),
        tie('context'),
        fc.array(tie('value'), { maxLength: 3 }),
      ),
      context: fc.dictionary(fc.oneof(keyword, fc.string()), tie('value'), { maxKeys: 4 }),
    }))
    fc.assert(
      fc.property(context, (one) => {
        const problems = documentProblems({ '@context': [V2, one], type: [] }, {})
        for (const { message } of problems) assert.ok(message.length < 1000, message)
      }),
    )
  })

  it('cannot redefine terms of contexts that the document names', async () => {
    const { verify, signed } = await setUp()
    for (const term of ['name', 'VerifiableCredential', 'BitstringStatusListEntry', 'DataIntegrityProof']) {
      const embedded = { [term]: `https://acme.example/#${term}` }
      const scoped = { x: { '@id': 'urn:x', '@context': embedded } }
      for (const context of [embedded, scoped]) {
        const shown = { ...signed, '@context': [V2, ...(signed['@context'] as object[]).slice(1), context] }
        assertRefused(await verify(shown), 'signature', new RegExp(`must not redefine "${term}"`))
      }
    }
    for (const term of ['credentialStatus', 'issuer', 'credentialSubject', 'validUntil']) {
      const embedded = { '@protected': true, [term]: `https://acme.example/#${term}` }
      const shown = { ...signed, '@context': [V2, ...(signed['@context'] as object[]).slice(1), embedded] }
      assertRefused(await verify(shown), 'signature', /redefine a protected term|protected term/)
    }
  })
})

/** Both documents make the same statements, so that the signature of one fits the other. */
async function assertAttackFails(
  verify: (credential: unknown) => Promise<CredentialVerifyResult>,
  signed: Document,
  attack: object,
  reason: RegExp,
) {
  const shown = JSON.parse(JSON.stringify(attack)) as object
  assert.equal(await statementsOf(shown), await statementsOf(signed), JSON.stringify(shown))
  const { verified, problems } = await verify(shown)
  assert.equal(verified, false)
  assert.match(String(problems?.map(({ message }) => message).join('; ')), reason)
}
