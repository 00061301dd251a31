import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { isSamePublicKey } from '@vidimus/verification-methods'
import fc from 'fast-check'
import { signingAlgorithmOf } from '@vidimus/core-types'
import {
  signingKeyOfManagedKey,
  signingKeyOfMethod,
  type SigningKey,
  type SigningKeyType,
} from '@vidimus/verification-methods'
import { fitsAlgorithm, verifySignature } from '@vidimus/verification-methods'
import { createForeignKey, methodForms, signWith } from './foreign-signer.js'

const TYPES: SigningKeyType[] = ['Ed25519', 'Secp256r1', 'Secp256k1']
const ID = { id: 'did:test:a#key-1', controller: 'did:test:a' }

describe('public keys', () => {
  for (const type of TYPES) {
    it(`reads a ${type} key from every form of a verification method`, () => {
      const key = createForeignKey(type)
      for (const form of methodForms(key)) {
        const found = signingKeyOfMethod({ type: '', ...form, ...ID })
        assert.deepEqual(found, { type, jwk: { ...key.jwk } }, JSON.stringify(form))
      }
    })

    it(`recognises a ${type} key in custody, compressed or uncompressed`, () => {
      const key = createForeignKey(type)
      const inDocument = signingKeyOfMethod({ ...ID, type: 'JsonWebKey2020', publicKeyJwk: key.jwk })
      for (const bytes of [key.bytes, key.uncompressed]) {
        const held = signingKeyOfManagedKey({ type, publicKeyHex: Buffer.from(bytes).toString('hex') })
        assert.ok(held && inDocument && isSamePublicKey(held, inDocument))
      }
      const other = signingKeyOfManagedKey({
        type,
        publicKeyHex: Buffer.from(createForeignKey(type).bytes).toString('hex'),
      })
      assert.ok(other && inDocument && !isSamePublicKey(other, inDocument))
    })

    it(`verifies ${type} signatures and nothing else`, () => {
      const key = createForeignKey(type)
      const publicKey: SigningKey = { type, jwk: { ...key.jwk, kty: type === 'Ed25519' ? 'OKP' : 'EC' } }
      fc.assert(
        fc.property(fc.string(), fc.nat(511), (text, bit) => {
          const signature = Buffer.from(signWith(key, text).slice(text.length + 1), 'base64url')
          assert.ok(verifySignature(publicKey, text, signature))
          assert.ok(!verifySignature(publicKey, `${text}.`, signature))
          const flipped = Buffer.from(signature)
          flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
          assert.ok(!verifySignature(publicKey, text, flipped))
          assert.ok(!verifySignature(publicKey, text, signature.subarray(1)))
        }),
        { numRuns: 30 },
      )
    })
  }

  it('skips methods without a readable signing key', () => {
    const { jwk } = createForeignKey('Secp256r1')
    const ed = createForeignKey('Ed25519')
    const methods = [
      {},
      {
        type: 'EcdsaSecp256k1RecoveryMethod2020',
        blockchainAccountId: 'eip155:1:0x89a932207c485f85226d86f7cd486a89a24fcc12',
      },
      { type: 'JsonWebKey2020', publicKeyJwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' } },
      { type: 'JsonWebKey2020', publicKeyJwk: { ...ed.jwk, crv: 'X25519' } },
      { type: 'JsonWebKey2020', publicKeyJwk: { ...jwk, kty: 'OKP' } },
      { type: 'JsonWebKey2020', publicKeyJwk: { ...jwk, use: 'enc' } },
      { type: 'JsonWebKey2020', publicKeyJwk: { kty: 'EC', crv: 'P-256', x: jwk.x } },
      { type: 'JsonWebKey2020', publicKeyJwk: { ...ed.jwk, x: ed.jwk.x.slice(2) } },
      {
        type: 'X25519KeyAgreementKey2020',
        publicKeyMultibase: 'z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc',
      },
      { type: 'Ed25519VerificationKey2020', publicKeyMultibase: 'z' },
      { type: 'Ed25519VerificationKey2020', publicKeyMultibase: '!not multibase' },
      { type: 'Ed25519VerificationKey2018', publicKeyBase58: '0OIl' },
      { type: 'EcdsaSecp256r1VerificationKey2019', publicKeyHex: `02${'ff'.repeat(32)}` },
    ]
    for (const method of methods) {
      assert.equal(signingKeyOfMethod({ type: '', ...method, ...ID }), undefined, JSON.stringify(method))
    }
    assert.equal(signingKeyOfManagedKey({ type: 'X25519', publicKeyHex: '00'.repeat(32) }), undefined)
    assert.equal(signingKeyOfManagedKey({ type: 'Secp256k1', publicKeyHex: '02' }), undefined)
  })

  it('verifies nothing with coordinates that are not on the curve', () => {
    const { jwk } = createForeignKey('Secp256r1')
    const broken = { kty: 'EC', crv: 'P-256', x: jwk.x, y: jwk.x } as const
    assert.throws(() => createPublicKey({ key: { ...broken }, format: 'jwk' }))
    assert.equal(verifySignature({ type: 'Secp256r1', jwk: broken }, 'text', new Uint8Array(64)), false)
  })

  it('ignores low-order points, for which one signature fits many texts', () => {
    const neutral = Buffer.alloc(32)
    neutral.writeUInt8(1, 0)
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: neutral.toString('base64url') } as const
    // node:crypto verifies with it, or no longer does, depending on the OpenSSL of the Node.js.
    assert.equal(signingKeyOfMethod({ ...ID, type: 'JsonWebKey2020', publicKeyJwk: jwk }), undefined)
    assert.equal(
      signingKeyOfManagedKey({ type: 'Ed25519', publicKeyHex: neutral.toString('hex') }),
      undefined,
    )
  })

  it('knows the alg of each key', () => {
    const algorithms = TYPES.map((type) => {
      const publicKey = { type, jwk: { kty: 'EC', crv: '', x: '' } } as const
      assert.ok(fitsAlgorithm(publicKey, signingAlgorithmOf(publicKey.type)))
      assert.ok(!fitsAlgorithm(publicKey, 'none'))
      return signingAlgorithmOf(publicKey.type)
    })
    assert.deepEqual(algorithms, ['EdDSA', 'ES256', 'ES256K'])
  })
})
