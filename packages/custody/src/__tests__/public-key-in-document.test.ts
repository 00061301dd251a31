import assert from 'node:assert/strict'
import { ed25519 } from '@noble/curves/ed25519'
import { p256 } from '@noble/curves/p256'
import { secp256k1 } from '@noble/curves/secp256k1'
import type { DIDDocument } from '@veramo/core-types'
import { bytesToBase58, bytesToHex, bytesToMultibase } from '@veramo/utils'
import fc from 'fast-check'
import { namesOneOf } from '../public-key-in-document.js'

const scalars = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter(([first]) => first !== 0 && first !== 255)
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const withMethod = (method: Record<string, unknown>): DIDDocument => ({
  id: 'did:x:1',
  verificationMethod: [{ id: '#1', type: 'x', controller: 'did:x:1', ...method }],
})

describe('namesOneOf', () => {
  it('finds an Ed25519 key in every encoding and no other key', () => {
    fc.assert(
      fc.property(scalars, scalars, (one, other) => {
        const key = ed25519.getPublicKey(one)
        const held = [{ publicKeyHex: bytesToHex(key) }]
        const strange = [{ publicKeyHex: bytesToHex(ed25519.getPublicKey(other)) }]
        for (const method of [
          { publicKeyHex: bytesToHex(key).toUpperCase() },
          { publicKeyBase58: bytesToBase58(key) },
          { publicKeyMultibase: bytesToMultibase(key, 'base58btc', 'ed25519-pub') },
          { publicKeyMultibase: bytesToMultibase(key, 'base58btc') },
          { publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x: base64url(key) } },
        ]) {
          assert.ok(namesOneOf(withMethod(method), held), JSON.stringify(method))
          assert.equal(namesOneOf(withMethod(method), strange), Buffer.from(one).equals(Buffer.from(other)))
        }
      }),
    )
  })

  it('finds a point of a curve in every encoding', () => {
    fc.assert(
      fc.property(scalars, (scalar) => {
        for (const [curve, codec] of [
          [p256, 'p256-pub'],
          [secp256k1, 'secp256k1-pub'],
        ] as const) {
          const [short, long] = [curve.getPublicKey(scalar, true), curve.getPublicKey(scalar, false)]
          for (const publicKeyHex of [bytesToHex(short), bytesToHex(long)]) {
            for (const method of [
              { publicKeyHex: bytesToHex(long) },
              { publicKeyHex: bytesToHex(short) },
              { publicKeyMultibase: bytesToMultibase(short, 'base58btc', codec) },
              {
                publicKeyJwk: {
                  kty: 'EC',
                  crv: 'x',
                  x: base64url(long.slice(1, 33)),
                  y: base64url(long.slice(33)),
                },
              },
            ]) {
              assert.ok(namesOneOf(withMethod(method), [{ publicKeyHex }]), JSON.stringify(method))
            }
          }
        }
      }),
    )
  })

  it('searches relationships and ignores what it cannot read', () => {
    const key = bytesToHex(ed25519.getPublicKey(new Uint8Array(32).fill(7)))
    const method = { id: '#1', type: 'x', controller: 'did:x:1', publicKeyHex: key }
    assert.ok(namesOneOf({ id: 'did:x:1', authentication: ['#0', method] }, [{ publicKeyHex: key }]))
    for (const odd of [
      {},
      { publicKeyMultibase: 'zO0' },
      { publicKeyMultibase: 'm1' },
      { publicKeyBase58: '' },
      { publicKeyJwk: {} },
    ]) {
      assert.equal(namesOneOf(withMethod(odd), [{ publicKeyHex: key }]), false)
    }
  })
})
