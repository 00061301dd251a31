import assert from 'node:assert/strict'
import { isSamePublicKey, publicKeyHexOf, publicKeyOfBytes, publicKeyOfJwk } from '../public-key.js'
import { createKey, KEY_TYPES } from './created-keys.js'

describe('public keys', () => {
  for (const type of KEY_TYPES) {
    it(`recognises a ${type} key, compressed or not, and writes it like a KMS`, () => {
      const key = createKey(type)
      const ofJwk = publicKeyOfJwk(key.jwk)
      const other = publicKeyOfBytes(type, createKey(type).bytes)
      assert.ok(ofJwk && other && !isSamePublicKey(other, ofJwk))
      for (const bytes of [key.bytes, key.uncompressed]) {
        const ofBytes = publicKeyOfBytes(type, bytes)
        assert.ok(ofBytes && isSamePublicKey(ofBytes, ofJwk))
        assert.equal(publicKeyHexOf(ofBytes), key.kid)
      }
    })
  }

  it('distinguishes curves with equal coordinates', () => {
    const key = publicKeyOfJwk(createKey('Secp256r1').jwk)
    assert.ok(key && !isSamePublicKey(key, { ...key, type: 'Secp256k1' }))
    const raw = publicKeyOfBytes('Ed25519', createKey('Ed25519').bytes)
    assert.ok(raw && !isSamePublicKey(raw, { ...raw, type: 'X25519' }))
  })

  it('restores stripped leading zeros of a coordinate', () => {
    for (;;) {
      const { jwk, kid } = createKey('Secp256r1')
      const x = Buffer.from(jwk.x ?? '', 'base64url')
      if (x[0] !== 0) continue
      const short = publicKeyOfJwk({ ...jwk, x: x.subarray(1).toString('base64url') })
      assert.equal(short && publicKeyHexOf(short), kid)
      break
    }
    const { jwk } = createKey('Ed25519')
    const cut = Buffer.from(jwk.x ?? '', 'base64url')
      .subarray(1)
      .toString('base64url')
    assert.equal(publicKeyOfJwk({ ...jwk, x: cut }), undefined)
    assert.equal(publicKeyOfJwk({ ...createKey('Secp256r1').jwk, x: '' }), undefined)
  })

  it('refuses bytes that are not a key of the type', () => {
    const { bytes } = createKey('Ed25519')
    for (const [type, wrong] of [
      ['Ed25519', bytes.subarray(1)],
      ['X25519', Buffer.concat([bytes, bytes])],
      ['Secp256k1', Uint8Array.of(2)],
      ['Secp256r1', new Uint8Array()],
      ['Bls12381G1', bytes],
      ['toString', bytes],
    ] as const) {
      assert.equal(publicKeyOfBytes(type, wrong), undefined, type)
    }
  })

  it('writes no hex for coordinates that are not on the curve', () => {
    const { jwk } = createKey('Secp256r1')
    const broken = publicKeyOfJwk({ ...jwk, y: jwk.x })
    assert.ok(broken)
    assert.equal(publicKeyHexOf(broken), undefined)
  })
})
