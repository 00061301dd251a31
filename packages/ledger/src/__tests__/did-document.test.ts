import assert from 'node:assert/strict'
import { toDidDocument, type LedgerDidDoc } from '../index.js'
import { didDoc, ed25519Key, methodOf, newDid } from './signing.js'

const service = { recipientKeys: [], routingKeys: [], accept: [], priority: 0 }

describe('toDidDocument', () => {
  const did = newDid()
  const key = ed25519Key()

  it('writes the members of DID Core in order and omits empty ones', () => {
    const document = toDidDocument(didDoc(did, [key]))
    const [method] = didDoc(did, [key]).verificationMethod
    assert.deepEqual(document, {
      '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/ed25519-2020/v1'],
      id: did,
      controller: [did],
      verificationMethod: [
        {
          id: `${did}#key-1`,
          type: 'Ed25519VerificationKey2020',
          controller: did,
          publicKeyMultibase: method?.verificationMaterial,
        },
      ],
      authentication: [`${did}#key-1`],
    })
    assert.deepEqual(Object.keys(document), [
      '@context',
      'id',
      'controller',
      'verificationMethod',
      'authentication',
    ])
  })

  it('writes each type of verification method with its own member and context', () => {
    const jwk = { crv: 'Ed25519', kty: 'OKP', x: 'eA' }
    const doc = didDoc(did, [], {
      verificationMethod: [
        {
          ...methodOf(did, key, 'a'),
          verificationMethodType: 'Ed25519VerificationKey2018',
          verificationMaterial: 'B58',
        },
        {
          ...methodOf(did, key, 'b'),
          verificationMethodType: 'JsonWebKey2020',
          verificationMaterial: JSON.stringify(jwk),
        },
        {
          ...methodOf(did, key, 'c'),
          verificationMethodType: 'JsonWebKey2020',
          verificationMaterial: JSON.stringify(jwk),
        },
      ],
    })
    const { verificationMethod, '@context': context } = toDidDocument(doc)
    assert.equal(verificationMethod?.[0]?.publicKeyBase58, 'B58')
    assert.deepEqual(verificationMethod?.[1]?.publicKeyJwk, jwk)
    assert.deepEqual(context, [
      'https://www.w3.org/ns/did/v1',
      'https://w3id.org/security/suites/ed25519-2018/v1',
      'https://w3id.org/security/suites/jws-2020/v1',
    ])
  })

  it('omits an invalid or deeply nested JWK, and nothing else of the document', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const embedded = { id: `${did}#e`, type: 'JsonWebKey2020', controller: did, publicKeyJwk: deep }
    for (const material of [deep, `{"kty":"OKP","x":${deep}}`, '{"kty":', '5']) {
      const doc = didDoc(did, [key], {
        verificationMethod: [
          {
            ...methodOf(did, key, 'a'),
            verificationMethodType: 'JsonWebKey2020',
            verificationMaterial: material,
          },
          methodOf(did, key),
        ],
        assertionMethod: [JSON.stringify(JSON.stringify(embedded)), JSON.stringify(deep)],
      })
      const document = toDidDocument(doc)
      assert.deepEqual(document.verificationMethod?.[0], {
        id: `${did}#a`,
        type: 'JsonWebKey2020',
        controller: did,
      })
      assert.ok(document.verificationMethod[1]?.publicKeyMultibase)
      assert.equal((document.assertionMethod?.[0] as { publicKeyJwk?: unknown }).publicKeyJwk, deep)
      assert.equal(document.assertionMethod?.[1], JSON.stringify(deep))
    }
  })

  it('keeps the contexts of the document, once each and after the one of DID Core', () => {
    const context = ['https://example.com/v1', 'https://www.w3.org/ns/did/v1', 'https://example.com/v1']
    assert.deepEqual(toDidDocument(didDoc(did, [], { context }))['@context'], [
      'https://www.w3.org/ns/did/v1',
      'https://example.com/v1',
    ])
  })

  it('does not mistake the name of an inherited property for a type with a context', () => {
    const doc = didDoc(did, [], {
      service: [{ id: `${did}#s`, serviceType: 'toString', serviceEndpoint: ['x'], ...service }],
    })
    assert.deepEqual(toDidDocument(doc)['@context'], ['https://www.w3.org/ns/did/v1'])
  })

  it('writes a single service endpoint as a string, others as a list', () => {
    const doc = didDoc(did, [], {
      service: [
        {
          id: `${did}#one`,
          serviceType: 'LinkedDomains',
          serviceEndpoint: ['https://a.example'],
          ...service,
        },
        {
          id: `${did}#two`,
          serviceType: 'X',
          serviceEndpoint: ['https://a.example', 'https://b.example'],
          ...service,
        },
        { id: `${did}#none`, serviceType: 'X', serviceEndpoint: [], ...service },
        {
          id: `${did}#full`,
          serviceType: 'DIDCommMessaging',
          serviceEndpoint: ['https://c.example'],
          recipientKeys: ['r'],
          routingKeys: ['o'],
          accept: ['didcomm/v2'],
          priority: 1,
        },
      ],
    })
    const document = toDidDocument(doc)
    assert.deepEqual(document.service, [
      { id: `${did}#one`, type: 'LinkedDomains', serviceEndpoint: 'https://a.example' },
      { id: `${did}#two`, type: 'X', serviceEndpoint: ['https://a.example', 'https://b.example'] },
      { id: `${did}#none`, type: 'X', serviceEndpoint: [] },
      {
        id: `${did}#full`,
        type: 'DIDCommMessaging',
        serviceEndpoint: 'https://c.example',
        recipientKeys: ['r'],
        routingKeys: ['o'],
        accept: ['didcomm/v2'],
        priority: 1,
      },
    ])
    assert.ok(document['@context']?.includes('https://identity.foundation/.well-known/did-configuration/v1'))
  })

  it('expands an embedded assertion method', () => {
    const jwk = { kty: 'OKP', crv: 'Bls12381G2', x: 'eA' }
    const embedded = { id: `${did}#key-1`, type: 'X', controller: did, publicKeyJwk: JSON.stringify(jwk) }
    const assertionMethod = [`${did}#key-1`, JSON.stringify(JSON.stringify(embedded))]
    assert.deepEqual(toDidDocument(didDoc(did, [key], { assertionMethod })).assertionMethod, [
      `${did}#key-1`,
      { ...embedded, publicKeyJwk: jwk },
    ])
  })

  it('shares nothing with its source document', () => {
    const doc: LedgerDidDoc = didDoc(did, [key])
    const before = structuredClone(doc)
    toDidDocument(doc)['@context'] = 'changed'
    assert.deepEqual(doc, before)
  })
})
