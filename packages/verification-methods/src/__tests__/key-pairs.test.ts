import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import { ed25519, x25519 } from '@noble/curves/ed25519'
import { p256 } from '@noble/curves/p256'
import { secp256k1 } from '@noble/curves/secp256k1'
import { newKeyPair, privateKeyObject, publicKeysOfPrivateKey } from '../key-pairs.js'
import { publicKeyOfBytes, type KeyType } from '../public-key.js'
import { KEY_TYPES } from './created-keys.js'

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex')

/** The result of an independent library. */
const ORACLES: Record<KeyType, (privateKey: Uint8Array) => string[]> = {
  Ed25519: (key) => [hex(ed25519.getPublicKey(key))],
  X25519: (key) => [hex(x25519.getPublicKey(key))],
  Secp256r1: (key) => [true, false].map((compressed) => hex(p256.getPublicKey(key, compressed))),
  Secp256k1: (key) => [false, true].map((compressed) => hex(secp256k1.getPublicKey(key, compressed))),
}

describe('key pairs', () => {
  for (const type of KEY_TYPES) {
    it(`of ${type} match an independent library, and differ every time`, () => {
      const made = Array.from({ length: 100 }, () => newKeyPair(type))
      for (const { privateKeyHex, publicKeyHex } of made) {
        assert.equal(privateKeyHex.length, 64)
        const privateKey = bytes(privateKeyHex)
        const publicKeys = publicKeysOfPrivateKey(type, privateKey)
        assert.equal(publicKeys[0], publicKeyHex)
        assert.deepEqual(publicKeys, ORACLES[type](privateKey))
      }
      assert.equal(new Set(made.map(({ privateKeyHex }) => privateKeyHex)).size, made.length)
    })
  }

  it('of 32 bytes are read as OpenSSL reads them in DER (RFC 8410), by each release of Node.js', () => {
    for (const [type, oid] of [
      ['Ed25519', '70'],
      ['X25519', '6e'],
    ] as const) {
      const { privateKeyHex } = newKeyPair(type)
      const der = Buffer.from(`302e020100300506032b65${oid}04220420${privateKeyHex}`, 'hex')
      const expected = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
      const key = privateKeyObject(type, bytes(privateKeyHex))
      assert.ok(key.equals(expected))
      const inDer = (of: KeyObject) => of.export({ format: 'der', type: 'pkcs8' }).toString('hex')
      assert.equal(inDer(key), inDer(expected))
    }
  })

  it('sign what the public half verifies', () => {
    for (const type of ['Ed25519', 'Secp256r1', 'Secp256k1'] as const) {
      const { privateKeyHex, publicKeyHex } = newKeyPair(type)
      const digest = type === 'Ed25519' ? null : 'sha256'
      const signature = sign(digest, Buffer.from('data'), privateKeyObject(type, bytes(privateKeyHex)))
      const jwk = publicKeyOfBytes(type, bytes(publicKeyHex))?.jwk
      assert.ok(
        verify(digest, Buffer.from('data'), createPublicKey({ key: { ...jwk }, format: 'jwk' }), signature),
      )
    }
  })

  it('cannot be created from an invalid scalar', () => {
    for (const type of ['Secp256r1', 'Secp256k1'] as const) {
      for (const scalar of ['00', 'ff']) {
        assert.throws(() => publicKeysOfPrivateKey(type, bytes(scalar.repeat(32))))
      }
    }
  })
})
