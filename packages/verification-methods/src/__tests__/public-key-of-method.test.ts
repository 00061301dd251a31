import assert from 'node:assert/strict'
import { extractPublicKeyBytes } from 'did-jwt'
import { publicKeyOfMethod } from '../public-key-of-method.js'
import { createKey, KEY_TYPES, methodForms } from './created-keys.js'

const ID = { id: 'did:test:a#key-1', controller: 'did:test:a' }

describe('publicKeyOfMethod', () => {
  for (const type of KEY_TYPES) {
    it(`reads a ${type} key from every form of a verification method`, () => {
      const key = createKey(type)
      for (const form of methodForms(key)) {
        const found = publicKeyOfMethod({ type: '', ...form, ...ID })
        assert.deepEqual(found, { type, jwk: { ...key.jwk } }, JSON.stringify(form))
      }
    })

    it(`reads the same ${type} bytes as did-jwt does`, () => {
      const key = createKey(type)
      for (const form of methodForms(key)) {
        const { keyBytes } = extractPublicKeyBytes({ type: '', ...form, ...ID })
        const known = [key.bytes, key.uncompressed].map((bytes) => Buffer.from(bytes).toString('hex'))
        assert.ok(known.includes(Buffer.from(keyBytes).toString('hex')), JSON.stringify(form))
      }
    })
  }

  it('reads the same text as the type of its method says, whichever was read before', () => {
    const { bytes } = createKey('X25519')
    const publicKeyHex = Buffer.from(bytes).toString('hex')
    const typeOf = (type: string) => publicKeyOfMethod({ type, publicKeyHex, ...ID })?.type
    for (let n = 0; n < 2; n++) {
      assert.equal(typeOf('X25519KeyAgreementKey2019'), 'X25519')
      assert.equal(typeOf('Ed25519VerificationKey2018'), 'Ed25519')
    }
  })

  it('skips methods without a readable key', () => {
    const { jwk, kid } = createKey('Secp256r1')
    const ed = createKey('Ed25519')
    const methods = [
      {},
      {
        type: 'EcdsaSecp256k1RecoveryMethod2020',
        blockchainAccountId: 'eip155:1:0x89a932207c485f85226d86f7cd486a89a24fcc12',
      },
      { type: 'JsonWebKey2020', publicKeyJwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' } },
      { type: 'JsonWebKey2020', publicKeyJwk: { ...jwk, kty: 'OKP' } },
      { type: 'JsonWebKey2020', publicKeyJwk: { kty: 'EC', crv: 'P-256', x: jwk.x } },
      { type: 'JsonWebKey2020', publicKeyJwk: { ...ed.jwk, x: ed.jwk.x.slice(2) } },
      { type: 'JsonWebKey2020', publicKeyJwk: { kty: 'OKP', crv: 'Ed448', x: ed.jwk.x } },
      { type: 'JsonWebKey2020', publicKeyJwk: { kty: 'RSA' }, publicKeyHex: ed.kid },
      { type: 'Ed25519VerificationKey2020', publicKeyMultibase: 'z' },
      { type: 'Ed25519VerificationKey2020', publicKeyMultibase: '!not multibase' },
      { type: 'Ed25519VerificationKey2018', publicKeyBase58: '0OIl' },
      { type: 'Ed25519VerificationKey2018', publicKeyHex: kid },
      { type: 'EcdsaSecp256r1VerificationKey2019', publicKeyHex: `02${'ff'.repeat(32)}` },
      { type: 'OfTomorrow', publicKeyHex: ed.kid },
    ]
    for (const method of methods) {
      assert.equal(publicKeyOfMethod({ type: '', ...method, ...ID }), undefined, JSON.stringify(method))
    }
  })
})
