import assert from 'node:assert/strict'
import { ed25519, x25519 } from '@noble/curves/ed25519'
import { p256 } from '@noble/curves/p256'
import { secp256k1 } from '@noble/curves/secp256k1'
import type { ManagedKeyInfo } from '@veramo/core-types'
import { MemoryPrivateKeyStore, type ManagedPrivateKey } from '@veramo/key-manager'
import { KeyManagementSystem } from '@veramo/kms-local'
import { type Account, AgentError, CACHES, runInAccountScope } from '@vidimus/core-types'
import { createJWT, verifyJWT } from 'did-jwt'
import fc from 'fast-check'
import { compactVerify, importJWK } from 'jose'
import { NodeKeyManagementSystem } from '../index.js'

const TYPES = ['Ed25519', 'Secp256r1', 'Secp256k1', 'X25519'] as const
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const base64url = (value: Uint8Array) => Buffer.from(value).toString('base64url')
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex')
const data = Buffer.from('what is signed')

/** Counts the calls of the KMS. */
class CountingStore extends MemoryPrivateKeyStore {
  reads = 0
  failure: Error | undefined

  override async getKey(args: { alias: string }): Promise<ManagedPrivateKey> {
    this.reads += 1
    if (this.failure) throw this.failure
    return super.getKey(args)
  }
}

const account = (id: string): Account => ({ id, name: id, createdAt: '2026-01-01T00:00:00.000Z' })

describe('NodeKeyManagementSystem', () => {
  let store: CountingStore
  let kms: NodeKeyManagementSystem
  let local: KeyManagementSystem

  beforeEach(() => {
    store = new CountingStore()
    kms = new NodeKeyManagementSystem(store)
    local = new KeyManagementSystem(store)
  })

  const verify = (key: ManagedKeyInfo, signature: string): boolean => {
    const raw = Uint8Array.from(Buffer.from(signature, 'base64url'))
    const point = bytes(key.publicKeyHex)
    if (key.type === 'Ed25519') return ed25519.verify(raw, data, point)
    if (key.type === 'Secp256r1') return p256.verify(raw, data, point, { prehash: true })
    return secp256k1.verify(raw, data, point, { prehash: true, lowS: true })
  }

  for (const type of TYPES) {
    it(`creates ${type} keys that kms-local reads like its own`, async () => {
      const made = await kms.createKey({ type })
      assert.deepEqual(withoutMeta(await local.listKeys()), withoutMeta([made]))
      assert.deepEqual(await kms.listKeys(), [made])
      const stored = await store.getKey({ alias: made.kid })
      assert.equal(made.kid, made.publicKeyHex)
      assert.equal(stored.privateKeyHex.length, type === 'Ed25519' ? 128 : 64)
    })

    it(`imports any ${type} key as kms-local does`, async () => {
      const privateKeys = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter(isScalarOfBothCurves)
      await fc.assert(
        fc.asyncProperty(privateKeys, async (privateKey) => {
          const key = { type, privateKeyHex: hex(privateKey) }
          const expected = await new KeyManagementSystem(new MemoryPrivateKeyStore()).importKey(key)
          const upperCase = { ...key, privateKeyHex: key.privateKeyHex.toUpperCase() }
          const imported = [await kms.importKey(key), await kms.importKey(upperCase)]
          assert.deepEqual(withoutMeta(imported), withoutMeta([expected, expected]))
        }),
        { numRuns: 40 },
      )
    })
  }

  for (const [type, algorithms] of [
    ['Ed25519', [undefined, 'EdDSA', 'Ed25519']],
    ['Secp256r1', [undefined, 'ES256']],
    ['Secp256k1', [undefined, 'ES256K']],
  ] as const) {
    it(`creates ${type} signatures that noble verifies`, async () => {
      const key = await kms.createKey({ type })
      for (const algorithm of algorithms) {
        const signature = await kms.sign({ keyRef: key, data, ...(algorithm && { algorithm }) })
        assert.match(signature, /^[\w-]{86}$/)
        assert.ok(verify(key, signature), `${type} ${algorithm}`)
      }
    })
  }

  it('signs JWTs with every key type that did-jwt verifies', async () => {
    for (const [type, alg, vmType] of [
      ['Ed25519', 'EdDSA', 'Ed25519VerificationKey2018'],
      ['Secp256r1', 'ES256', 'EcdsaSecp256r1VerificationKey2019'],
      ['Secp256k1', 'ES256K', 'EcdsaSecp256k1VerificationKey2019'],
    ] as const) {
      const key = await kms.createKey({ type })
      const did = 'did:example:issuer'
      const signer = (input: string | Uint8Array) =>
        kms.sign({ keyRef: key, algorithm: alg, data: Buffer.from(input) })
      const jwt = await createJWT({ claim: 1 }, { issuer: did, signer, alg })
      const method = { id: `${did}#key`, type: vmType, controller: did, publicKeyHex: key.publicKeyHex }
      const didDocument = { id: did, verificationMethod: [method], authentication: [method.id] }
      const resolver = {
        resolve: async () => ({ didDocument, didResolutionMetadata: {}, didDocumentMetadata: {} }),
      }
      const { verified } = await verifyJWT(jwt, { resolver })
      assert.equal(verified, true, alg)
    }
  })

  it('signs JWS that jose verifies', async () => {
    const okp = await kms.createKey({ type: 'Ed25519' })
    const jwks = [
      [
        okp,
        { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(okp.publicKeyHex, 'hex').toString('base64url') },
        'EdDSA',
      ],
      await p256Jwk(),
    ] as const
    for (const [key, jwk, alg] of jwks) {
      const input = [{ alg }, { claim: 1 }].map((part) =>
        Buffer.from(JSON.stringify(part)).toString('base64url'),
      )
      const signature = await kms.sign({ keyRef: key, data: Buffer.from(input.join('.')) })
      await compactVerify([...input, signature].join('.'), await importJWK(jwk, alg))
    }

    async function p256Jwk() {
      const key = await kms.createKey({ type: 'Secp256r1' })
      const point = p256.Point.fromHex(key.publicKeyHex).toBytes(false)
      const [x, y] = [base64url(point.subarray(1, 33)), base64url(point.subarray(33))] as const
      return [key, { kty: 'EC', crv: 'P-256', x, y }, 'ES256'] as const
    }
  })

  it('produces only low s values for secp256k1', async () => {
    const key = await kms.createKey({ type: 'Secp256k1' })
    for (let n = 0; n < 200; n += 1) {
      const signature = Buffer.from(
        await kms.sign({ keyRef: key, data: Buffer.from(`message ${n}`) }),
        'base64url',
      )
      assert.equal(signature.length, 64)
      assert.equal(secp256k1.Signature.fromBytes(Uint8Array.from(signature), 'compact').hasHighS(), false)
      assert.ok(
        secp256k1.verify(Uint8Array.from(signature), Buffer.from(`message ${n}`), bytes(key.publicKeyHex), {
          prehash: true,
        }),
      )
    }
  })

  it('leaves key agreement to kms-local', async () => {
    const mine = await kms.createKey({ type: 'X25519' })
    const theirs = x25519.utils.randomPrivateKey()
    const shared = await kms.sharedSecret({
      myKeyRef: mine,
      theirKey: { type: 'X25519', publicKeyHex: hex(x25519.getPublicKey(theirs)) },
    })
    assert.equal(shared, hex(x25519.getSharedSecret(theirs, bytes(mine.publicKeyHex))))
    for (const type of ['X25519', 'Ed25519'] as const) {
      const theirKey = { type, publicKeyHex: `01${'00'.repeat(31)}` }
      await assert.rejects(kms.sharedSecret({ myKeyRef: mine, theirKey }), {
        code: 'invalid_input',
        message: /^theirKey.publicKeyHex: is a point of low order/,
      })
    }
  })

  it('signs only with the algorithm of the key', async () => {
    const refused = (path: string) => (error: unknown) => {
      assert.ok(error instanceof AgentError)
      assert.deepEqual([error.code, error.details[0]?.path], ['invalid_input', path])
      return true
    }
    const keyRef = await kms.createKey({ type: 'Secp256k1' })
    for (const algorithm of [
      'EdDSA',
      'ES256K-R',
      'eth_signTypedData',
      'EthereumEip712Signature2021',
      '',
      null,
    ]) {
      await assert.rejects(kms.sign({ keyRef, algorithm: algorithm as never, data }), refused('algorithm'))
    }
    for (const { algorithms } of (await kms.listKeys()).map(({ meta }) => meta ?? {})) {
      assert.deepEqual(algorithms, ['ES256K'])
    }
    const agreeing = await kms.createKey({ type: 'X25519' })
    await assert.rejects(kms.sign({ keyRef: agreeing, data }), refused('keyRef'))
  })

  describe('refuses on import', () => {
    const seed = 'a1'.repeat(32)
    const other = hex(ed25519.getPublicKey(bytes('b2'.repeat(32))))
    for (const [name, input, code, path] of [
      ['a missing private key', { type: 'Ed25519', privateKeyHex: '' }, 'invalid_input', 'privateKeyHex'],
      ['a 0x prefix', { type: 'Ed25519', privateKeyHex: `0x${seed}` }, 'invalid_input', 'privateKeyHex'],
      [
        'a key that is not hex',
        { type: 'Ed25519', privateKeyHex: 'z'.repeat(64) },
        'invalid_input',
        'privateKeyHex',
      ],
      ['half a byte', { type: 'Ed25519', privateKeyHex: `${seed}f` }, 'invalid_input', 'privateKeyHex'],
      ['40 bytes', { type: 'Ed25519', privateKeyHex: 'a1'.repeat(40) }, 'invalid_input', 'privateKeyHex'],
      [
        '64 bytes for P-256',
        { type: 'Secp256r1', privateKeyHex: seed + seed },
        'invalid_input',
        'privateKeyHex',
      ],
      [
        'the scalar 0',
        { type: 'Secp256k1', privateKeyHex: '00'.repeat(32) },
        'invalid_input',
        'privateKeyHex',
      ],
      [
        'a scalar past the order',
        { type: 'Secp256k1', privateKeyHex: 'ff'.repeat(32) },
        'invalid_input',
        'privateKeyHex',
      ],
      [
        'a scalar past the order of P-256',
        { type: 'Secp256r1', privateKeyHex: 'ff'.repeat(32) },
        'invalid_input',
        'privateKeyHex',
      ],
      [
        'halves that disagree',
        { type: 'Ed25519', privateKeyHex: seed + other },
        'key_mismatch',
        'privateKeyHex',
      ],
      [
        'another public key',
        { type: 'Ed25519', privateKeyHex: seed, publicKeyHex: other },
        'key_mismatch',
        'publicKeyHex',
      ],
      ['an unknown type', { type: 'Bls12381G1', privateKeyHex: seed }, 'invalid_input', 'type'],
    ] as const) {
      it(name, async () => {
        await assert.rejects(kms.importKey(input), (error: unknown) => {
          assert.ok(error instanceof AgentError)
          assert.deepEqual([error.code, error.details[0]?.path], [code, path])
          assert.ok(!JSON.stringify([error.message, error.details]).includes(seed.slice(0, 16)))
          return true
        })
        assert.deepEqual(await store.listKeys(), [])
      })
    }

    it('nothing that is consistent', async () => {
      const publicKeyHex = hex(ed25519.getPublicKey(bytes(seed)))
      const seedAndPublic = { type: 'Ed25519', privateKeyHex: seed + publicKeyHex, publicKeyHex }
      assert.equal((await kms.importKey(seedAndPublic)).publicKeyHex, publicKeyHex)
      const compressed = hex(secp256k1.getPublicKey(bytes(seed), true))
      const { publicKeyHex: canonical } = await kms.importKey({
        type: 'Secp256k1',
        privateKeyHex: seed,
        publicKeyHex: compressed,
      })
      assert.equal(canonical, hex(secp256k1.getPublicKey(bytes(seed), false)))
    })
  })

  describe('key cache', () => {
    it('reads the store once', async () => {
      const key = await kms.createKey({ type: 'Ed25519' })
      const later = new NodeKeyManagementSystem(store)
      for (let n = 0; n < 3; n += 1) await later.sign({ keyRef: key, data })
      assert.equal(store.reads, 1)
    })

    it('has new keys without reading the store', async () => {
      const key = await kms.createKey({ type: 'Ed25519' })
      const signature = await kms.sign({ keyRef: key, data })
      assert.equal(store.reads, 0)
      assert.equal(await new NodeKeyManagementSystem(store).sign({ keyRef: key, data }), signature)
    })

    it('is not used if the key is not identified exactly', async () => {
      const key = await kms.createKey({ type: 'Ed25519' })
      for (let n = 0; n < 3; n += 1) await kms.sign({ keyRef: { kid: key.kid }, data })
      assert.equal(store.reads, 3)
    })

    it('forgets deleted keys', async () => {
      const key = await kms.createKey({ type: 'Ed25519' })
      await kms.sign({ keyRef: key, data })
      await kms.deleteKey(key)
      await assert.rejects(kms.sign({ keyRef: key, data }), { code: 'key_not_found' })
    })

    it('never returns another key with the same kid', async () => {
      const first = await kms.createKey({ type: 'Ed25519', kid: 'mine' })
      await kms.sign({ keyRef: first, data })
      await store.deleteKey({ alias: 'mine' })
      const second = await local.createKey({ type: 'Ed25519', kid: 'mine' })
      assert.ok(verify(second, await kms.sign({ keyRef: second, data })))
    })

    it('separates accounts', async () => {
      const key = await kms.createKey({ type: 'Ed25519' })
      await runInAccountScope(account('a'), () => kms.sign({ keyRef: key, data }))
      await store.deleteKey({ alias: key.kid })
      await assert.rejects(
        runInAccountScope(account('b'), () => kms.sign({ keyRef: key, data })),
        { code: 'key_not_found' },
      )
    })

    it('is bounded by the budget of all caches', async () => {
      const keys = [await kms.createKey({ type: 'Ed25519' }), await kms.createKey({ type: 'Ed25519' })]
      const { bytes } = CACHES
      CACHES.bytes = 8192
      for (const keyRef of [...keys, ...keys]) await kms.sign({ keyRef, data })
      assert.equal(store.reads, 4)
      assert.ok((CACHES.takenBy.get('key') ?? 0) > 5120, 'the memory of OpenSSL is counted')
      CACHES.bytes = bytes
    })
  })

  it('distinguishes a failing store from a missing key', async () => {
    const key = await kms.createKey({ type: 'X25519' })
    const signing = await kms.createKey({ type: 'Ed25519' })
    const later = new NodeKeyManagementSystem(store)
    store.failure = new Error('the disk is gone')
    await assert.rejects(later.sign({ keyRef: signing, data }), store.failure)
    await assert.rejects(kms.sharedSecret({ myKeyRef: key, theirKey: key }), store.failure)
    store.failure = new AgentError('wrong_secret', 'encrypted with another secret')
    await assert.rejects(later.sign({ keyRef: signing, data }), store.failure)
  })

  it('refuses unknown options', () => {
    const misspelt = { size: 1 } as object
    assert.throws(() => new NodeKeyManagementSystem(store, misspelt), { code: 'invalid_configuration' })
  })
})

/** All but the algorithms, of which there are less here. */
const withoutMeta = (keys: ManagedKeyInfo[]) => keys.map(({ meta: _, ...key }) => key)

/** Not 0 and less than the smaller of the two orders. */
function isScalarOfBothCurves(value: Uint8Array): boolean {
  const scalar = BigInt(`0x${hex(value)}`)
  return scalar > 0n && scalar < p256.Point.Fn.ORDER
}
