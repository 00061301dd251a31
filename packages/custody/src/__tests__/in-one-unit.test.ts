import assert from 'node:assert/strict'
import { DIDManager, type AbstractIdentifierProvider } from '@veramo/did-manager'
import { KeyDIDProvider } from '@veramo/did-provider-key'
import { JwkDIDProvider } from '@veramo/did-provider-jwk'
import { KeyManagementSystem } from '@veramo/kms-local'
import { KeyManager } from '@veramo/key-manager'
import type { AgentError, ErrorCode } from '@vidimus/core-types'
import { inOneUnit } from '../index.js'
import {
  accountNamed,
  as,
  countAll,
  hasCode,
  install,
  removeFolder,
  temporaryFolder,
  type Installation,
} from './set-up.js'

describe('key manager in a unit of work', () => {
  let folder: string
  let installation: Installation
  before(async () => {
    folder = await temporaryFolder()
    installation = await install(folder)
  })
  after(async () => {
    await installation.stop()
    await removeFolder(folder)
  })

  it('reports which providers can update documents and check their options', async () => {
    const { unit, didStore } = installation
    const key = new KeyDIDProvider({ defaultKms: 'local' })
    const fixed: AbstractIdentifierProvider = Object.assign(Object.create(key) as KeyDIDProvider, {
      updateIdentifier: undefined,
      checkCreateOptions: () => undefined,
    })
    const manager = new DIDManager({
      store: didStore,
      defaultProvider: 'did:key',
      providers: { 'did:key': key, 'did:fixed': fixed },
    })
    const { methods = {} } = inOneUnit(unit, manager)
    assert.deepEqual(await methods.didManagerListProviders?.({}, {}), [
      { name: 'did:key', canUpdate: true, checksOptions: false },
      { name: 'did:fixed', canUpdate: false, checksOptions: true },
    ])
  })

  it('passes only supported algorithms to any KMS', async () => {
    const { unit, keyStore, privateKeyStore } = installation
    const kms = { local: new KeyManagementSystem(privateKeyStore) }
    const { methods = {} } = inOneUnit(unit, new KeyManager({ store: keyStore, kms }))
    const sign = (args: object) => methods.keyManagerSign?.({ keyRef: 'any', data: 'x', ...args }, {})
    for (const algorithm of [
      'eth_signTypedData',
      'EthereumEip712Signature2021',
      'signTx',
      'ES256K-R',
      '',
      null,
    ]) {
      await assert.rejects(async () => sign({ algorithm }), hasCode('invalid_input'), String(algorithm))
    }
    const transaction = { to: null, value: 1 }
    await assert.rejects(
      async () => methods.keyManagerSignEthTX?.({ kid: 'any', transaction }, {}),
      hasCode('invalid_input'),
    )
    // The others reach the store.
    for (const algorithm of [undefined, 'EdDSA', 'Ed25519', 'ES256', 'ES256K']) {
      await assert.rejects(async () => sign({ algorithm }), hasCode('no_account_scope'), String(algorithm))
    }
  })

  it('signs the bytes that Veramo reads in a text, and refuses what Veramo refuses', async () => {
    const { unit, keyStore, privateKeyStore, agent } = installation
    const account = await accountNamed(installation, 'signing')
    const { kid } = await as(account)(() => agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' }))
    const sign = ({ data }: { data: Uint8Array }) => Promise.resolve(Buffer.from(data).toString('hex'))
    const local = Object.assign(new KeyManagementSystem(privateKeyStore), { sign })
    const bare = new KeyManager({ store: keyStore, kms: { local } })
    const { methods = {} } = inOneUnit(unit, bare)
    for (const [data, encoding] of [
      ['+/8=', 'base64'],
      ['+/8', 'base64'],
      ['+/9=', 'base64'],
      ['-_8', 'base64'],
      ['*', 'base64'],
      ['', 'base64'],
      ['00ff', 'hex'],
      ['00FF', 'hex'],
      ['0x00ff', 'hex'],
      ['00f', 'hex'],
      ['xy', 'hex'],
      ['é', 'utf-8'],
      ['é', undefined],
    ] as const) {
      const args = { keyRef: kid, data, algorithm: 'EdDSA', ...(encoding && { encoding }) }
      const outcome = (signing: (args: object) => Promise<unknown>) =>
        as(account)(() => signing(args)).catch(() => 'refused')
      const ours = await outcome(async (given) => methods.keyManagerSign?.(given, {}) as Promise<unknown>)
      assert.equal(
        ours,
        await outcome((given) => bare.keyManagerSign(given as never)),
        `${data} in ${encoding}`,
      )
    }
  })
})

/** Private keys sent by callers, which no KMS must see. */
const UNFIT_PRIVATE_KEYS: readonly (readonly [title: string, privateKeyHex: unknown, code: ErrorCode])[] = [
  ['no hex', 'z'.repeat(64), 'invalid_input'],
  ['0x in front', `0x${'a1'.repeat(32)}`, 'invalid_input'],
  ['half a byte', 'a'.repeat(63), 'invalid_input'],
  ['too short', 'a1', 'invalid_input'],
  ['too long', 'a1'.repeat(33), 'invalid_input'],
  ['a number', 5, 'invalid_input'],
  ['an object', {}, 'invalid_input'],
]

for (const kms of ['kms-local', 'kms-node'] as const) {
  describe(`private keys sent with a creation (${kms})`, () => {
    let folder: string
    let installation: Installation
    before(async () => {
      folder = await temporaryFolder()
      const providers = { 'did:jwk': new JwkDIDProvider({ defaultKms: 'local' }) }
      installation = await install(folder, { kms, providers })
    })
    after(async () => {
      await installation.stop()
      await removeFolder(folder)
    })

    const create = async (provider: string, keyType: string, privateKeyHex: unknown) =>
      as(await accountNamed(installation, 'one'))(() =>
        installation.agent.didManagerCreate({
          provider,
          alias: `${provider.replaceAll(':', '-')}.example`,
          options: { keyType, privateKeyHex },
        }),
      )

    for (const [provider, keyTypes] of [
      ['did:jwk', ['Ed25519', 'X25519', 'Secp256k1', 'Secp256r1']],
      ['did:key', ['Ed25519', 'X25519', 'Secp256k1']],
    ] as const) {
      for (const keyType of keyTypes) {
        it(`are refused if invalid for ${provider} and ${keyType}, without creating anything`, async () => {
          const none = keyType.startsWith('Secp') ? [['zero', '00'.repeat(32), 'invalid_input'] as const] : []
          for (const [title, privateKeyHex, code] of [...UNFIT_PRIVATE_KEYS, ...none]) {
            await assert.rejects(create(provider, keyType, privateKeyHex), (error) => {
              assert.ok(hasCode(code)(error), `${title}: ${String(error)}`)
              assert.equal((error as AgentError).details[0]?.path, 'privateKeyHex')
              return true
            })
          }
          assert.deepEqual(await countAll(installation), {})
        })
      }
    }

    it('are accepted if valid', async () => {
      const seed = 'a1'.repeat(32)
      assert.match((await create('did:jwk', 'Secp256k1', seed)).did, /^did:jwk:/)
    })
  })
}
