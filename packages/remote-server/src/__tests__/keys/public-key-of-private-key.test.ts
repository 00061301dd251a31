import assert from 'node:assert/strict'
import { createECDH, generateKeyPairSync } from 'node:crypto'
import { isAgentError } from '@vidimus/core-types'
import { publicKeyOfPrivateKey } from '../../keys/public-key-of-private-key.js'

const hexOf = (der: Buffer) => der.subarray(-32).toString('hex')

const refusedAs = (code: string) => (error: unknown) => {
  assert.ok(isAgentError(error))
  assert.equal(error.code, code)
  assert.equal(error.details[0]?.path, 'privateKeyHex')
  return true
}

describe('publicKeyOfPrivateKey', () => {
  it('derives the public key of the RFC 8032 test vector', () => {
    assert.equal(
      publicKeyOfPrivateKey(
        'Ed25519',
        '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
        '',
      ),
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    )
  })

  it('agrees with generated keys of every type', () => {
    for (const type of ['ed25519', 'x25519'] as const) {
      const { publicKey, privateKey } = generateKeyPairSync(type as 'ed25519')
      const name = type === 'ed25519' ? 'Ed25519' : 'X25519'
      const privateKeyHex = hexOf(privateKey.export({ type: 'pkcs8', format: 'der' }))
      const publicKeyHex = hexOf(publicKey.export({ type: 'spki', format: 'der' }))
      assert.equal(publicKeyOfPrivateKey(name, privateKeyHex, ''), publicKeyHex)
    }
    for (const [type, curve, form] of [
      ['Secp256k1', 'secp256k1', 'uncompressed'],
      ['Secp256r1', 'prime256v1', 'compressed'],
    ] as const) {
      const ecdh = createECDH(curve)
      ecdh.generateKeys()
      const privateKeyHex = ecdh.getPrivateKey('hex').padStart(64, '0')
      assert.equal(publicKeyOfPrivateKey(type, privateKeyHex, ''), ecdh.getPublicKey('hex', form))
    }
  })

  it('checks that the halves of a 64-byte key match', () => {
    const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
    const publicKey = publicKeyOfPrivateKey('Ed25519', seed, '')
    assert.equal(publicKeyOfPrivateKey('Ed25519', seed + publicKey, ''), publicKey)
    const wrong = seed + publicKey.replace(/..$/, 'ff')
    assert.throws(() => publicKeyOfPrivateKey('Ed25519', wrong, 'privateKeyHex'), refusedAs('key_mismatch'))
  })

  it('refuses wrong lengths and invalid scalars without repeating them', () => {
    for (const [type, key] of [
      ['Ed25519', 'ab'],
      ['Secp256k1', 'ab'.repeat(64)],
      ['Secp256k1', '00'.repeat(32)],
      ['Secp256r1', 'ff'.repeat(32)],
    ] as const) {
      assert.throws(
        () => publicKeyOfPrivateKey(type, key, 'privateKeyHex'),
        (error) => {
          assert.ok(!String((error as Error).stack).includes(key.repeat(2)))
          assert.ok(isAgentError(error) && error.cause === undefined)
          return refusedAs('invalid_input')(error)
        },
      )
    }
  })
})
