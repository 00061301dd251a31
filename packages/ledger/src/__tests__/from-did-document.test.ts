import assert from 'node:assert/strict'
import type { DIDDocument } from 'did-resolver'
import fc from 'fast-check'
import { fromDidDocument, toDidDocument, type LedgerDidDoc } from '../index.js'
import { didDoc, ed25519Key, newDid } from './signing.js'

const text = fc.string({ maxLength: 12 })
const texts = fc.array(text, { maxLength: 3 })
const method = fc.oneof(
  fc.record({
    id: text,
    verificationMethodType: fc.constantFrom('Ed25519VerificationKey2018', 'Ed25519VerificationKey2020'),
    controller: text,
    verificationMaterial: text,
  }),
  fc.record({
    id: text,
    verificationMethodType: fc.constant('JsonWebKey2020'),
    controller: text,
    verificationMaterial: fc
      .record({ crv: text, kty: text, x: text }, { noNullPrototype: true })
      .map((jwk) => JSON.stringify(jwk)),
  }),
)
const embedded = fc
  .record({ id: text, type: text, controller: text, publicKeyMultibase: text }, { noNullPrototype: true })
  .map((value) => JSON.stringify(JSON.stringify(value)))
const anyDoc: fc.Arbitrary<LedgerDidDoc> = fc
  .record({
    context: texts,
    id: text,
    controller: texts,
    verificationMethod: fc.array(method, { maxLength: 3 }),
    authentication: texts,
    assertionMethod: fc.array(
      fc.oneof(
        text.map((value) => `did:${value}`),
        embedded,
      ),
      { maxLength: 3 },
    ),
    capabilityInvocation: texts,
    capabilityDelegation: texts,
    keyAgreement: texts,
    service: fc.array(
      fc.record({
        id: text,
        serviceType: text,
        serviceEndpoint: texts,
        recipientKeys: texts,
        routingKeys: texts,
        accept: texts,
        priority: fc.integer({ min: 0, max: 0xffff_ffff }),
      }),
      { maxLength: 3 },
    ),
    alsoKnownAs: texts,
  })
  .map((doc) => structuredClone(doc))

describe('fromDidDocument', () => {
  it('is the inverse of toDidDocument, except for added contexts', () => {
    fc.assert(
      fc.property(anyDoc, (doc) => {
        const document = toDidDocument(doc)
        const read = fromDidDocument(document)
        assert.deepEqual({ ...read, context: [] }, { ...doc, context: [] })
        assert.deepEqual(toDidDocument(read), document)
      }),
    )
  })

  it('treats a single element as a list', () => {
    const did = newDid()
    const read = fromDidDocument({
      '@context': 'https://example.com/v1',
      id: did,
      controller: did,
      service: [{ id: `${did}#s`, type: 'X', serviceEndpoint: 'https://a.example' }],
    })
    assert.deepEqual(read.context, ['https://example.com/v1'])
    assert.deepEqual(read.controller, [did])
    assert.deepEqual(read.service[0]?.serviceEndpoint, ['https://a.example'])
  })

  it('preserves the text of a JWK', () => {
    const did = newDid()
    const [method] = didDoc(did, [ed25519Key()]).verificationMethod
    const verificationMaterial = '{"kty":"OKP","x":"eA","crv":"Ed25519","use":"sig"}'
    const doc = didDoc(did, [], {
      verificationMethod: [{ ...method!, verificationMethodType: 'JsonWebKey2020', verificationMaterial }],
    })
    assert.equal(
      fromDidDocument(toDidDocument(doc)).verificationMethod[0]?.verificationMaterial,
      verificationMaterial,
    )
  })

  it('names every member that the ledger cannot store, at once', () => {
    const document = {
      id: 5,
      extra: true,
      controller: [{}],
      verificationMethod: [
        { id: 'a', type: 'Multikey', controller: 'b', publicKeyMultibase: 'z' },
        { id: 'a', type: 'JsonWebKey2020', controller: 'b', publicKeyJwk: '{}' },
        { id: 'a', type: 'Ed25519VerificationKey2018', controller: 'b', blockchainAccountId: 'c' },
      ],
      authentication: [{ id: 'embedded' }],
      assertionMethod: [7],
      service: [
        { id: 'a', type: ['X'], serviceEndpoint: { uri: 'https://a.example' }, priority: -1 },
        { id: 'a', type: 'X' },
        'service',
      ],
    } as unknown as DIDDocument
    assert.throws(
      () => fromDidDocument(document),
      (error: { code?: string; details?: { path: string }[] }) => {
        assert.equal(error.code, 'invalid_input')
        assert.deepEqual(error.details?.map(({ path }) => path).sort(), [
          'assertionMethod[0]',
          'authentication[0]',
          'controller[0]',
          'extra',
          'id',
          'service[0].priority',
          'service[0].serviceEndpoint[0]',
          'service[0].type',
          'service[1].serviceEndpoint',
          'service[2]',
          'service[2].id',
          'service[2].serviceEndpoint',
          'service[2].type',
          'verificationMethod[0].type',
          'verificationMethod[1].publicKeyJwk',
          'verificationMethod[2].blockchainAccountId',
          'verificationMethod[2].publicKeyBase58',
        ])
        return true
      },
    )
  })

  it('refuses anything but an object', () => {
    for (const value of [null, [], 'did', undefined]) {
      assert.throws(() => fromDidDocument(value as unknown as DIDDocument), { code: 'invalid_input' })
    }
  })
})
