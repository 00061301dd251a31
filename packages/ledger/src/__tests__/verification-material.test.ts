import assert from 'node:assert/strict'
import { constants, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { jwkOf, outsideKey } from '../../../../test/support/outside-key.js'
import {
  encodeVerificationMaterial,
  publicKeyOf,
  verifySignature,
  VERIFICATION_METHOD_TYPES,
  type LedgerVerificationMethod,
} from '../index.js'
import { verificationMaterialProblem } from '../verification-material.js'
import { ed25519Key } from './signing.js'

const DATA = Buffer.from('the bytes of a payload')
const method = (verificationMethodType: string, verificationMaterial: string): LedgerVerificationMethod => ({
  id: 'did:cheqd:testnet:x#key-1',
  verificationMethodType,
  controller: 'did:cheqd:testnet:x',
  verificationMaterial,
})
/** A point of order 8. */
const LOW_ORDER_8 = 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'
const jwkMethod = (publicKey: KeyObject) => method('JsonWebKey2020', JSON.stringify(jwkOf(publicKey)))

describe('encodeVerificationMaterial', () => {
  it('writes Ed25519 keys for all three types in a form that can be read back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (seed) => {
        const publicKeyHex = Buffer.from(ed25519.getPublicKey(seed)).toString('hex')
        for (const type of VERIFICATION_METHOD_TYPES) {
          const material = encodeVerificationMaterial(type, { type: 'Ed25519', publicKeyHex })
          assert.equal(verificationMaterialProblem(type, material), undefined)
          assert.deepEqual(publicKeyOf(method(type, material)), { type: 'Ed25519', publicKeyHex })
        }
      }),
      { numRuns: 20 },
    )
  })

  it('writes the known forms of test vectors', () => {
    // The key pair of RFC 8032, section 7.1, test 1.
    const publicKeyHex = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
    const key = { type: 'Ed25519', publicKeyHex }
    assert.equal(
      encodeVerificationMaterial('Ed25519VerificationKey2020', key),
      'z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
    )
    assert.equal(
      encodeVerificationMaterial('Ed25519VerificationKey2018', key),
      base58.encode(Buffer.from(publicKeyHex, 'hex')),
    )
    assert.equal(
      encodeVerificationMaterial('JsonWebKey2020', key),
      '{"crv":"Ed25519","kty":"OKP","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}',
    )
  })

  it('writes P-256 keys, compressed or not, as JWK', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1 }), (scalar) => {
        const point = p256.Point.BASE.multiply(BigInt(scalar))
        const compressed = point.toHex(true)
        for (const publicKeyHex of [compressed, point.toHex(false)]) {
          const material = encodeVerificationMaterial('JsonWebKey2020', { type: 'Secp256r1', publicKeyHex })
          assert.deepEqual(Object.keys(JSON.parse(material) as object), ['crv', 'kty', 'x', 'y'])
          const read = publicKeyOf(method('JsonWebKey2020', material))
          assert.deepEqual(read, { type: 'Secp256r1', publicKeyHex: compressed })
        }
      }),
      { numRuns: 20 },
    )
  })

  for (const [why, type, key, message] of [
    [
      'P-256 as 2020',
      'Ed25519VerificationKey2020',
      { type: 'Secp256r1', publicKeyHex: `02${'11'.repeat(32)}` },
      /cannot hold/,
    ],
    [
      'secp256k1',
      'JsonWebKey2020',
      { type: 'Secp256k1', publicKeyHex: `02${'11'.repeat(32)}` },
      /cannot hold/,
    ],
    ['X25519', 'JsonWebKey2020', { type: 'X25519', publicKeyHex: '11'.repeat(32) }, /cannot hold/],
    [
      'a short Ed25519 key',
      'JsonWebKey2020',
      { type: 'Ed25519', publicKeyHex: '11'.repeat(31) },
      /length: 31/,
    ],
    [
      'an Ed25519 key off its curve',
      'JsonWebKey2020',
      { type: 'Ed25519', publicKeyHex: `02${'00'.repeat(31)}` },
      /point/,
    ],
    [
      'a point that is not on P-256',
      'JsonWebKey2020',
      { type: 'Secp256r1', publicKeyHex: `05${'11'.repeat(32)}` },
      /P-256/,
    ],
  ] as const) {
    it(`refuses ${why}`, () => {
      assert.throws(() => encodeVerificationMaterial(type, key), { code: 'invalid_input', message })
    })
  }
})

describe('verificationMaterialProblem', () => {
  const key = Buffer.from(ed25519Key().publicKeyHex, 'hex')
  const multibase = (prefix: number[], bytes: Uint8Array = key) =>
    `z${base58.encode(Buffer.from([...prefix, ...bytes]))}`
  const { jwk, privateKeyHex } = outsideKey('Secp256r1')
  const d = Buffer.from(privateKeyHex, 'hex').toString('base64url')
  const off = Buffer.alloc(32)
  off[0] = 2

  for (const [why, type, material, problem] of [
    [
      'a multibase of another base',
      'Ed25519VerificationKey2020',
      `u${key.toString('base64url')}`,
      /multibase base58btc/,
    ],
    ['a missing prefix', 'Ed25519VerificationKey2020', multibase([]), /0xed01/],
    ['a prefix with a wrong first byte', 'Ed25519VerificationKey2020', multibase([0xed, 0x02]), /0xed01/],
    ['a prefix with a wrong second byte', 'Ed25519VerificationKey2020', multibase([0xec, 0x01]), /0xed01/],
    ['a short key', 'Ed25519VerificationKey2020', multibase([0xed, 0x01], key.subarray(1)), /length: 31/],
    ['a point off the curve', 'Ed25519VerificationKey2020', multibase([0xed, 0x01], off), /point/],
    [
      'a non-canonical point',
      'Ed25519VerificationKey2018',
      base58.encode(Buffer.from('ff'.repeat(31) + '7f', 'hex')),
      /point/,
    ],
    ['multibase as 2018', 'Ed25519VerificationKey2018', multibase([0xed, 0x01]), /at most 47/],
    ['other characters', 'Ed25519VerificationKey2018', '0OIl', /base58btc/],
    ['a very long text', 'Ed25519VerificationKey2018', '2'.repeat(1_000_000), /at most/],
    ['malformed JSON', 'JsonWebKey2020', 'no', /not JSON/],
    ['a JSON list', 'JsonWebKey2020', '[]', /kty/],
    ['a private JWK', 'JsonWebKey2020', JSON.stringify({ ...jwk, d }), /public JWK/],
    ['a secret JWK', 'JsonWebKey2020', '{"kty":"oct","k":"AAAA"}', /public JWK/],
    ['oct without its secret', 'JsonWebKey2020', '{"kty":"oct"}', /unsupported/],
    ['X25519', 'JsonWebKey2020', JSON.stringify(outsideKey('X25519').jwk), /unsupported/],
    ['secp256k1', 'JsonWebKey2020', JSON.stringify({ ...jwk, crv: 'secp256k1' }), /unsupported/],
    ['an EC point off its curve', 'JsonWebKey2020', JSON.stringify({ ...jwk, x: jwk.y }), /public key/],
    [
      'an Ed25519 JWK off its curve',
      'JsonWebKey2020',
      `{"kty":"OKP","crv":"Ed25519","x":"${off.toString('base64url')}"}`,
      /point/,
    ],
    ['a number instead of text', 'JsonWebKey2020', '{"kty":"RSA","n":1,"e":"AQAB"}', /n is not a string/],
    ['RSA without a modulus', 'JsonWebKey2020', '{"kty":"RSA","e":"AQAB"}', /public key/],
  ] as const) {
    it(`finds ${why}`, () => assert.match(verificationMaterialProblem(type, material) ?? 'nothing', problem))
  }

  for (const [name, publicKey] of [
    ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey],
    ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey],
    ['P-521', generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey],
  ] as const) {
    it(`accepts ${name}, which Veramo does not support`, () => {
      const { verificationMaterial } = jwkMethod(publicKey)
      assert.equal(verificationMaterialProblem('JsonWebKey2020', verificationMaterial), undefined)
      assert.equal(publicKeyOf(jwkMethod(publicKey)), undefined)
    })
  }
})

describe('verifySignature', () => {
  const pairs = {
    Ed25519: generateKeyPairSync('ed25519'),
    RSA: generateKeyPairSync('rsa', { modulusLength: 2048 }),
    'P-256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    'P-384': generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    'P-521': generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  }
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING }
  const signatureOf = (name: string, key: KeyObject) => {
    if (name === 'Ed25519') return sign(null, DATA, key)
    return sign(
      'sha256',
      DATA,
      name === 'RSA' ? { key, ...pss, saltLength: 20 } : { key, dsaEncoding: 'der' },
    )
  }

  for (const [name, { privateKey, publicKey }] of Object.entries(pairs)) {
    it(`verifies ${name}, and nothing with a flipped bit`, () => {
      const signature = signatureOf(name, privateKey)
      const fits = (data: Uint8Array, of: Uint8Array) => verifySignature(jwkMethod(publicKey), data, of)
      assert.equal(fits(DATA, signature), true)
      assert.equal(fits(Buffer.concat([DATA, DATA]), signature), false)
      const wrong = Buffer.from(signature)
      wrong[wrong.length - 1] = (wrong.at(-1) ?? 0) ^ 1
      assert.equal(fits(DATA, wrong), false)
      assert.equal(fits(DATA, signature.subarray(1)), false)
      assert.equal(fits(DATA, Buffer.alloc(0)), false)
    })
  }

  it('accepts a salt of any length', () => {
    const { privateKey: key, publicKey } = pairs.RSA
    for (const saltLength of [0, 32, constants.RSA_PSS_SALTLEN_MAX_SIGN]) {
      const signature = sign('sha256', DATA, { key, ...pss, saltLength })
      assert.equal(verifySignature(jwkMethod(publicKey), DATA, signature), true)
    }
  })

  it('refuses PKCS#1 v1.5 and JOSE signatures', () => {
    assert.equal(
      verifySignature(jwkMethod(pairs.RSA.publicKey), DATA, sign('sha256', DATA, pairs.RSA.privateKey)),
      false,
    )
    const jose = sign('sha256', DATA, { key: pairs['P-256'].privateKey, dsaEncoding: 'ieee-p1363' })
    assert.equal(verifySignature(jwkMethod(pairs['P-256'].publicKey), DATA, jose), false)
  })

  it('verifies an Ed25519 signature of an independent library under every type', () => {
    const seed = ed25519.utils.randomSecretKey()
    const publicKeyHex = Buffer.from(ed25519.getPublicKey(seed)).toString('hex')
    for (const type of VERIFICATION_METHOD_TYPES) {
      const material = encodeVerificationMaterial(type, { type: 'Ed25519', publicKeyHex })
      assert.equal(verifySignature(method(type, material), DATA, ed25519.sign(DATA, seed)), true)
    }
  })

  it('never throws for malformed material or an unknown type', () => {
    const types = fc.constantFrom(...VERIFICATION_METHOD_TYPES, 'Multikey')
    const jwkText = fc.json().map(String)
    fc.assert(
      fc.property(
        types,
        fc.oneof(fc.string(), jwkText, fc.constant('{"kty":"EC","crv":"P-256"}')),
        (type, material) => {
          assert.equal(verifySignature(method(type, material), DATA, Buffer.alloc(64)), false)
          publicKeyOf(method(type, material))
        },
      ),
    )
  })

  it('rejects keys with low-order points, in new and in existing documents', () => {
    const canonical = ed25519.Point.fromHex(LOW_ORDER_8)
    const points = Array.from({ length: 8 }, (_, n) => canonical.multiplyUnsafe(BigInt(n)).toBytes())
    assert.equal(new Set(points.map((bytes) => Buffer.from(bytes).toString('hex'))).size, 8)
    const signature = Buffer.concat([Buffer.from([1]), Buffer.alloc(63)])
    for (const bytes of points) {
      const x = Buffer.from(bytes).toString('base64url')
      const multibase = `z${base58.encode(Buffer.concat([Buffer.from([0xed, 0x01]), bytes]))}`
      for (const [type, material] of [
        ['JsonWebKey2020', JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x })],
        ['Ed25519VerificationKey2020', multibase],
        ['Ed25519VerificationKey2018', base58.encode(bytes)],
      ] as const) {
        assert.match(verificationMaterialProblem(type, material) ?? 'nothing', /low order/)
        const texts = Array.from({ length: 50 }, (_, n) => Buffer.from(`text ${n}`))
        assert.ok(!texts.some((text) => verifySignature(method(type, material), text, signature)))
      }
      const publicKeyHex = Buffer.from(bytes).toString('hex')
      assert.throws(
        () => encodeVerificationMaterial('JsonWebKey2020', { type: 'Ed25519', publicKeyHex }),
        /low order/,
      )
    }
  })

  it('reads a JWK with its members in any order', () => {
    const { x = '', y = '' } = jwkOf(pairs['P-256'].publicKey)
    const material = JSON.stringify({ y, x, kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' })
    const signature = signatureOf('P-256', pairs['P-256'].privateKey)
    assert.equal(verifySignature(method('JsonWebKey2020', material), DATA, signature), true)
    assert.ok(createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }))
  })
})
