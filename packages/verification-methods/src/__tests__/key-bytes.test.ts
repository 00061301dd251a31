import assert from 'node:assert/strict'
import { bytesToBase58 } from 'did-jwt'
import fc from 'fast-check'
import { compressedHex, encodedKeyBytes, keyHexOfMethod } from '../key-bytes.js'
import { createKey, KEY_TYPES, methodForms } from './created-keys.js'

const ID = { id: 'did:test:a#key-1', controller: 'did:test:a', type: 'OfTomorrow' }

describe('key bytes of a verification method', () => {
  it('are read from base58 as written by an independent library', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), (bytes) => {
        const found = encodedKeyBytes({ ...ID, publicKeyBase58: bytesToBase58(bytes) })
        assert.deepEqual(found && Buffer.from(found.bytes), Buffer.from(bytes))
      }),
    )
  })

  it('are the same in every form, whatever the method type', () => {
    for (const type of KEY_TYPES) {
      const key = createKey(type)
      for (const form of methodForms(key)) {
        const known = Buffer.from(key.bytes).toString('hex')
        assert.equal(keyHexOfMethod({ ...form, ...ID }), known, JSON.stringify(form))
        assert.equal(compressedHex(key.kid.toUpperCase()), known)
      }
    }
  })

  it('are read from JWKs of any curve', () => {
    const { jwk, bytes } = createKey('Secp256k1')
    const compressed = Buffer.from(bytes).toString('hex')
    assert.equal(keyHexOfMethod({ ...ID, publicKeyJwk: { ...jwk, crv: 'x' } }), compressed)
    assert.equal(keyHexOfMethod({ ...ID, publicKeyJwk: { kty: 'x' }, publicKeyHex: 'AB' }), 'ab')
  })

  it('are undefined if nothing can be read', () => {
    for (const odd of [
      {},
      { publicKeyHex: 'no hex' },
      { publicKeyBase58: '0' },
      { publicKeyBase58: '2'.repeat(100_000) },
      { publicKeyMultibase: 'm' },
      { publicKeyJwk: { kty: 'OKP' } },
    ]) {
      assert.equal(keyHexOfMethod({ ...ID, ...odd }), undefined)
    }
  })
})
