import assert from 'node:assert/strict'
import { createAgent } from '@veramo/core'
import type { IDIDManager, IIdentifier, IKeyManager, IResolver } from '@veramo/core-types'
import { DIDManager, MemoryDIDStore } from '@veramo/did-manager'
import { getDidKeyResolver } from '@veramo/did-provider-key'
import { DIDResolverPlugin } from '@veramo/did-resolver'
import { KeyManager, MemoryKeyStore, MemoryPrivateKeyStore } from '@veramo/key-manager'
import { KeyManagementSystem } from '@veramo/kms-local'
import type { AgentError } from '@vidimus/core-types'
import { compactVerify, importJWK } from 'jose'
import { JwkDIDProvider, KeyDIDProvider, WebDIDProvider } from '../index.js'

const PROVIDERS = {
  'did:key': new KeyDIDProvider({ defaultKms: 'local' }),
  'did:jwk': new JwkDIDProvider({ defaultKms: 'local' }),
  'did:web': new WebDIDProvider({ defaultKms: 'local' }),
}
type Name = keyof typeof PROVIDERS
const NAMES = Object.keys(PROVIDERS) as Name[]
const TYPES = ['Ed25519', 'Secp256k1', 'Secp256r1', 'X25519'] as const

interface Multikey {
  export(form: object): Promise<{ publicKey: Uint8Array }>
}

const HEX = '0b'.repeat(32)

describe('providers of DIDs made of a key', () => {
  const store = new MemoryKeyStore()
  const agent = createAgent<IDIDManager & IKeyManager & IResolver>({
    plugins: [
      new KeyManager({
        store,
        kms: {
          local: new KeyManagementSystem(new MemoryPrivateKeyStore()),
          other: new KeyManagementSystem(new MemoryPrivateKeyStore()),
        },
      }),
      new DIDManager({ store: new MemoryDIDStore(), defaultProvider: 'did:key', providers: PROVIDERS }),
      new DIDResolverPlugin({ ...getDidKeyResolver() }),
    ],
  })
  let hosts = 0
  const create = (provider: Name, options?: unknown, kms?: string): Promise<IIdentifier> =>
    agent.didManagerCreate({
      provider,
      ...(provider === 'did:web' && { alias: `host-${hosts++}.example` }),
      ...(kms && { kms }),
      options: options as object,
    })
  const problems = async (provider: Name, options: unknown): Promise<string[]> => {
    const { length } = await store.listKeys({})
    const error = await create(provider, options).then(
      ({ did }) => assert.fail(`created ${did}`),
      (reason: unknown) => reason as AgentError,
    )
    assert.equal(error.code, 'invalid_input', String(error))
    assert.equal((await store.listKeys({})).length, length, 'a refused creation leaves no key')
    return (error.details ?? []).map(({ path, message }) => `${path}: ${message}`)
  }
  const typeOf = ({ keys }: IIdentifier) => keys.map(({ type }) => type)

  it('creates a DID of the key type that was asked for, in either spelling', async () => {
    for (const name of NAMES)
      for (const type of TYPES) {
        assert.deepEqual(typeOf(await create(name, { keyType: type })), [type], `${name} ${type}`)
        assert.deepEqual(typeOf(await create(name, { key: { type } })), [type], `${name} ${type}`)
      }
  })

  it("keeps Veramo's default key types", async () => {
    for (const [name, type] of [
      ['did:key', 'Ed25519'],
      ['did:jwk', 'Secp256k1'],
      ['did:web', 'Secp256k1'],
    ] as const)
      for (const options of [undefined, {}, { key: {} }])
        assert.deepEqual(typeOf(await create(name, options)), [type], name)
  })

  it('creates a did:key of a P-256 key as other libraries write and read it', async () => {
    const { did, keys } = await create('did:key', { keyType: 'Secp256r1' }, 'other')
    const [key] = keys
    assert.ok(key)
    assert.equal(key.kms, 'other')
    assert.match(did, /^did:key:zDn/)
    const library = '@digitalbazaar/ecdsa-multikey'
    const multikeys = (await import(library)) as { from(key: object): Promise<Multikey> }
    const multikey = await multikeys.from({
      type: 'Multikey',
      id: did,
      controller: did,
      publicKeyMultibase: did.slice('did:key:'.length),
    })
    const exported = await multikey.export({ publicKey: true, raw: true })
    assert.equal(Buffer.from(exported.publicKey).toString('hex'), key.publicKeyHex)
    const { didDocument } = await agent.resolveDid({ didUrl: did })
    const jwk = didDocument?.verificationMethod?.[0]?.publicKeyJwk
    const input = `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}`
    const signature = await agent.keyManagerSign({ keyRef: key.kid, algorithm: 'ES256', data: input })
    await compactVerify(`${input}.${signature}`, await importJWK(jwk as object, 'ES256'))
  })

  it('creates a did:key of a P-256 key that is held already, or imported', async () => {
    const { kid } = await agent.keyManagerCreate({ kms: 'local', type: 'Secp256r1' })
    const held = await create('did:key', { keyRef: kid })
    assert.deepEqual([held.controllerKeyId, held.did.slice(0, 11)], [kid, 'did:key:zDn'])
    const imported = await create('did:key', { keyType: 'Secp256r1', privateKeyHex: HEX })
    const again = await create('did:key', { key: { type: 'Secp256r1', privateKeyHex: HEX } })
    assert.equal(imported.did, again.did)
  })

  it('imports a private key in either spelling', async () => {
    for (const name of NAMES) {
      const one = await create(name, { keyType: 'Ed25519', privateKeyHex: HEX })
      const other = await create(name, { key: { type: 'Ed25519', privateKeyHex: HEX } })
      assert.equal(one.controllerKeyId, other.controllerKeyId, name)
    }
  })

  it('refuses a key type that is not supported', async () => {
    for (const name of NAMES)
      for (const type of ['P-256', 'secp256r1', 'Secp384r1', 'RSA', 'Bls12381G2', '', null, 1, ['Ed25519']]) {
        assert.match((await problems(name, { keyType: type })).join(), /^options\.keyType: /, name)
        assert.match((await problems(name, { key: { type } })).join(), /^options\.key\.type: /, name)
      }
  })

  it('refuses unknown members, and says which one was probably meant', async () => {
    for (const name of NAMES) {
      assert.deepEqual(await problems(name, { keytype: 'Ed25519' }), [
        'options: "keytype" is not known here: did you mean "keyType"?',
      ])
      assert.match(
        (await problems(name, { key: { curve: 'P-256' } })).join(),
        /^options\.key: "curve" is not/,
      )
    }
    assert.match((await problems('did:key', { keyUse: 'sig' })).join(), /"keyUse" is not known/)
    assert.match((await create('did:jwk', { keyUse: 'sig' })).did, /^did:jwk:/)
  })

  it('refuses options that contradict each other', async () => {
    const { kid } = await agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' })
    for (const name of NAMES) {
      assert.deepEqual(await problems(name, { keyRef: kid, keyType: 'Ed25519', key: {} }), [
        'options.key: cannot be combined with keyRef',
        'options.keyType: cannot be combined with keyRef',
      ])
      assert.deepEqual(await problems(name, { keyType: 'Ed25519', key: { type: 'Secp256r1' } }), [
        'options.key.type: differs from keyType',
      ])
      const hexes = { privateKeyHex: HEX, key: { privateKeyHex: 'ab'.repeat(32) } }
      assert.deepEqual(await problems(name, hexes), ['options.key.privateKeyHex: differs from privateKeyHex'])
    }
  })

  it('refuses a held key of another type', async () => {
    const context = {
      agent: { keyManagerGet: () => Promise.resolve({ kid: 'bls', type: 'Bls12381G1' }) },
    } as never
    await assert.rejects(
      PROVIDERS['did:web'].createIdentifier({ alias: 'x.example', options: { keyRef: 'bls' } }, context),
      /options\.keyRef: is a key of type Bls12381G1; did:web takes Ed25519, /,
    )
  })

  it('refuses options that are no object', async () => {
    for (const name of NAMES)
      for (const options of ['x', 1, ['Ed25519'], true])
        assert.throws(() => PROVIDERS[name].checkCreateOptions(options), /options/, name)
  })
})
