import { Agent } from '@veramo/core'
import { DIDManager, MemoryDIDStore } from '@veramo/did-manager'
import { getDidKeyResolver, KeyDIDProvider } from '@veramo/did-provider-key'
import { JwkDIDProvider } from '@veramo/did-provider-jwk'
import { WebDIDProvider } from '@veramo/did-provider-web'
import { DIDResolverPlugin } from '@veramo/did-resolver'
import { KeyManager, MemoryKeyStore, MemoryPrivateKeyStore } from '@veramo/key-manager'
import { KeyManagementSystem } from '@veramo/kms-local'
import type { IIdentifier } from '@veramo/core-types'
import { AbstractIdentifierProvider } from '@veramo/did-manager'
import type { AnyAgent, KeyFindArgs } from '@vidimus/core-types'
import { getJwkDidResolver } from '../../../../did-resolver-jwk/src/index.js'
import type { DIDDocument } from 'did-resolver'

/** Returns its arguments, so that a test sees what reaches a provider. */
class RecordingProvider extends AbstractIdentifierProvider {
  readonly asked: unknown[] = []

  createIdentifier({ options }: { options?: object }): Promise<Omit<IIdentifier, 'provider'>> {
    this.asked.push(options)
    return Promise.resolve({ did: `did:cheqd:testnet:${this.asked.length}`, keys: [], services: [] })
  }
  updateIdentifier = () => Promise.reject(new Error('not_supported: update'))
  deleteIdentifier = () => Promise.resolve(true)
  addKey = () => Promise.reject(new Error('not_supported: the ledger must not be touched'))
  removeKey = () => Promise.resolve(true)
  addService = () => Promise.resolve(true)
  removeService = () => Promise.resolve(true)
}

const unread = (message: string) => ({
  didDocument: null,
  didDocumentMetadata: {},
  didResolutionMetadata: { error: 'notFound', message },
})

async function keysOf(store: MemoryKeyStore, { publicKeys }: KeyFindArgs) {
  const keys = await store.listKeys({})
  return keys.filter((key) =>
    publicKeys.some(({ type, publicKeyHex }) => key.type === type && key.publicKeyHex === publicKeyHex),
  )
}

/** Veramo's own plugins in memory; `documents` contains the results for did:example. */
export function veramoAgent(documents: Record<string, DIDDocument> = {}) {
  const cheqd = new RecordingProvider()
  const store = new MemoryKeyStore()
  const agent = new Agent({
    plugins: [
      { methods: { keyManagerFind: (args: KeyFindArgs) => keysOf(store, args) } },
      new KeyManager({
        store,
        kms: { local: new KeyManagementSystem(new MemoryPrivateKeyStore()) },
      }),
      new DIDManager({
        store: new MemoryDIDStore(),
        defaultProvider: 'did:cheqd',
        providers: {
          'did:cheqd': cheqd,
          'did:key': new KeyDIDProvider({ defaultKms: 'local' }),
          'did:jwk': new JwkDIDProvider({ defaultKms: 'local' }),
          'did:web': new WebDIDProvider({ defaultKms: 'local' }),
          'did:example': cheqd,
        },
      }),
      new DIDResolverPlugin({
        ...getDidKeyResolver(),
        ...getJwkDidResolver(),
        // Resolvers of did:web say it of hosts that cannot be reached, too.
        web: () => Promise.resolve(unread('its host x:1 does not answer')),
        fetched: () => Promise.resolve(unread('resolver_error: ECONNREFUSED 127.0.0.1:1')),
        ledger: () => Promise.resolve(unread('the DID or version does not exist on the ledger')),
        example: (did) =>
          Promise.resolve({
            didDocument: documents[did] ?? null,
            didDocumentMetadata: did.endsWith('gone') ? { deactivated: true } : {},
            didResolutionMetadata: documents[did] || did.endsWith('gone') ? {} : { error: 'notFound' },
          }),
      }),
    ],
  }) as unknown as AnyAgent
  return { agent, asked: cheqd.asked }
}
