import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { bytesToBase58 } from 'did-jwt'
import type { VerificationMethod } from 'did-resolver'
import fc from 'fast-check'
import { outsideKey } from '../../../../test/support/outside-key.js'
import { publicKeysOfDocument, verificationMethodsOf } from '../public-keys-of-document.js'
import { createKey, KEY_TYPES, methodForms } from './created-keys.js'

describe('publicKeysOfDocument', () => {
  const id = 'did:example:1'
  const method = (type: string, fields: object) => ({ id: `${id}#k`, type, controller: id, ...fields })
  const multibase = (codec: string, key: string) => `z${bytesToBase58(Buffer.from(codec + key, 'hex'))}`

  it('reads a key in every encoding', () => {
    const { jwk, publicKeyHex: key } = outsideKey()
    for (const one of [
      method('Ed25519VerificationKey2020', { publicKeyMultibase: multibase('ed01', key) }),
      method('JsonWebKey2020', { publicKeyJwk: jwk }),
      method('Ed25519VerificationKey2018', { publicKeyBase58: bytesToBase58(Buffer.from(key, 'hex')) }),
      method('Ed25519VerificationKey2018', { publicKeyHex: key }),
    ]) {
      assert.deepEqual(publicKeysOfDocument({ id, verificationMethod: [one] as never }), [
        { type: 'Ed25519', publicKeyHex: key },
      ])
      assert.deepEqual(publicKeysOfDocument({ id, authentication: [one] as never }), [
        { type: 'Ed25519', publicKeyHex: key },
      ])
    }
  })

  it('writes points like a KMS', () => {
    for (const [type, keyType, curve, codec, form] of [
      ['EcdsaSecp256k1VerificationKey2019', 'Secp256k1', 'secp256k1', 'e701', 'uncompressed'],
      ['Multikey', 'Secp256r1', 'prime256v1', '8024', 'compressed'],
    ] as const) {
      const ecdh = createECDH(curve)
      ecdh.generateKeys()
      const one = method(type, {
        publicKeyMultibase: multibase(codec, ecdh.getPublicKey('hex', 'compressed')),
      })
      assert.deepEqual(publicKeysOfDocument({ id, verificationMethod: [one] }), [
        { type: keyType, publicKeyHex: ecdh.getPublicKey('hex', form) },
      ])
    }
  })

  it('omits what it cannot read', () => {
    const odd = [
      method('X', {}),
      method('X', { publicKeyMultibase: 'uAAAA' }),
      method('X', { publicKeyMultibase: 'z0OIl' }),
      method('JsonWebKey2020', { publicKeyJwk: { kty: 'RSA', n: 'x' } }),
      method('JsonWebKey2020', { publicKeyJwk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } }),
    ]
    assert.deepEqual(publicKeysOfDocument({ id, verificationMethod: odd, authentication: [`${id}#k`] }), [])
  })

  it('writes keys of every type and encoding like a KMS', () => {
    for (const type of KEY_TYPES) {
      const key = createKey(type)
      for (const form of methodForms(key)) {
        const one = method('', form)
        assert.deepEqual(
          publicKeysOfDocument({ id, verificationMethod: [one] }),
          [{ type, publicKeyHex: key.kid }],
          JSON.stringify(form),
        )
      }
    }
  })

  it('reads methods of every relationship in order, without duplicates', () => {
    const keys = KEY_TYPES.flatMap((type) => [createKey(type), createKey(type)])
    const [a, b, c, d, e, f] = keys.map((key) => method('JsonWebKey2020', { publicKeyJwk: key.jwk })) as [
      VerificationMethod,
      VerificationMethod,
      VerificationMethod,
      VerificationMethod,
      VerificationMethod,
      VerificationMethod,
    ]
    const document = {
      id,
      capabilityDelegation: [f, a],
      capabilityInvocation: [e],
      keyAgreement: [d, c],
      assertionMethod: [c, `${id}#k`],
      authentication: [`${id}#k`, b],
      verificationMethod: [a],
    }
    assert.deepEqual(
      publicKeysOfDocument(document).map(({ publicKeyHex }) => publicKeyHex),
      keys.slice(0, 6).map(({ kid }) => kid),
    )
    assert.deepEqual(verificationMethodsOf(document, ['keyAgreement', 'authentication']), [a, d, c, b])
    assert.deepEqual(publicKeysOfDocument({ id }), [])
  })

  it('omits keys of unknown type', () => {
    for (const type of KEY_TYPES) {
      const { bytes } = createKey(type)
      const raw = Buffer.from(bytes).toString('hex')
      for (const fields of [{ publicKeyHex: raw }, { publicKeyBase58: bytesToBase58(bytes) }]) {
        const verificationMethod = [method('OfTomorrow', fields)]
        assert.deepEqual(publicKeysOfDocument({ id, verificationMethod }), [])
      }
    }
  })

  it('does not decode texts longer than any key', () => {
    const endless = '2'.repeat(100_000)
    const odd = [
      method('Ed25519VerificationKey2018', { publicKeyBase58: endless }),
      method('Multikey', { publicKeyMultibase: `z${endless}` }),
    ]
    assert.deepEqual(publicKeysOfDocument({ id, verificationMethod: odd }), [])
  })

  it('survives methods with any content', () => {
    const content = fc.oneof(fc.string(), fc.base64String(), fc.integer(), fc.constant(null))
    const fields = [
      'type',
      'publicKeyHex',
      'publicKeyBase58',
      'publicKeyBase64',
      'publicKeyMultibase',
      'publicKeyJwk',
    ]
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(...fields),
          fc.oneof(content, fc.dictionary(fc.constantFrom('kty', 'crv', 'x', 'y'), content)),
        ),
        (one) => {
          const verificationMethod = [one as never]
          for (const { publicKeyHex } of publicKeysOfDocument({ id, verificationMethod }))
            assert.match(publicKeyHex, /^([0-9a-f]{2})+$/)
        },
      ),
    )
  })
})
