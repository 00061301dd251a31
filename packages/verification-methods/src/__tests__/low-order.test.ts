import assert from 'node:assert/strict'
import { createPublicKey, diffieHellman, generateKeyPairSync, randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519'
import { isOfLowOrder, LOW_ORDER } from '../low-order.js'
import { publicKeyOfMethod } from '../public-key-of-method.js'
import { publicKeyOfBytes, publicKeyOfJwk } from '../public-key.js'
import { createKey } from './created-keys.js'

type Curve = 'Ed25519' | 'X25519'

/** Every encoding, with the sign and without. */
const encodings = (type: Curve): Buffer[] =>
  LOW_ORDER[type].flatMap((hex) => {
    const signed = Buffer.from(hex, 'hex')
    signed.writeUInt8(signed.readUInt8(31) | 0x80, 31)
    return [Buffer.from(hex, 'hex'), signed]
  })

const jwkOf = (crv: Curve, bytes: Buffer) => ({ kty: 'OKP', crv, x: bytes.toString('base64url') })

describe('low-order points', () => {
  for (const type of ['Ed25519', 'X25519'] as const) {
    it(`are rejected as ${type} keys, in any encoding and document member`, () => {
      for (const bytes of encodings(type)) {
        const hex = bytes.toString('hex')
        assert.equal(publicKeyOfBytes(type, bytes), undefined, hex)
        assert.equal(publicKeyOfJwk(jwkOf(type, bytes)), undefined, hex)
        const method = { id: '#a', type: 'JsonWebKey2020', controller: 'did:a:b' }
        assert.equal(publicKeyOfMethod({ ...method, publicKeyJwk: jwkOf(type, bytes) }), undefined, hex)
      }
      assert.equal(isOfLowOrder(type, createKey(type).bytes), false)
    })
  }

  it('would accept signatures that nobody made', () => {
    // R is the neutral element, S is 0: verifiers that multiply by the cofactor accept that for any text. OpenSSL accepted some.
    const signature = Buffer.concat([Buffer.from([1]), Buffer.alloc(63)])
    for (const bytes of encodings('Ed25519'))
      assert.ok(ed25519.verify(signature, randomBytes(8), bytes, { zip215: true }), bytes.toString('hex'))
  })

  it('would yield no shared secret, which OpenSSL treats as an error', () => {
    const { privateKey } = generateKeyPairSync('x25519')
    for (const bytes of encodings('X25519')) {
      const publicKey = createPublicKey({ key: jwkOf('X25519', bytes), format: 'jwk' })
      assert.throws(() => diffieHellman({ privateKey, publicKey }))
    }
  })
})
