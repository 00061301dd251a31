import { randomUUID } from 'node:crypto'
import { createAgent } from '@veramo/core'
import type { IAgentPlugin, IDIDManager, IKeyManager, IResolver, TAgent } from '@veramo/core-types'
import { DIDManager, MemoryDIDStore } from '@veramo/did-manager'
import { KeyDIDProvider } from '@veramo/did-provider-key'
import { DIDResolverPlugin } from '@veramo/did-resolver'
import { KeyManager, MemoryKeyStore, MemoryPrivateKeyStore } from '@veramo/key-manager'
import { KeyManagementSystem } from '@veramo/kms-local'
import {
  runInAccountScope,
  type Account,
  type IDIDJwt,
  type ILinkedResource,
  type IStatusList,
} from '@vidimus/core-types'
import { DIDJwtPlugin } from '@vidimus/credentials'
import { didHolding } from '../../../custody/src/did-holding.js'
import { outsideKey } from '../../../../test/support/outside-key.js'
import { BitstringStatusList } from '../types/bitstring-status-list.js'
import type { StatusListPluginOptions } from '../plugin-options.js'
import { StatusList2021 } from '../types/status-list-2021.js'
import type { ICredentialStatusCheck } from '../checks/credential-status-check.js'
import { StatusListPlugin } from '../status-list-plugin.js'
import { TokenStatusList } from '../types/token-status-list.js'
import { TestLedger } from './test-ledger.js'

type Methods = IStatusList &
  ICredentialStatusCheck &
  IDIDManager &
  IKeyManager &
  IResolver &
  IDIDJwt &
  ILinkedResource

/** An Ed25519 key of a DID, private half included. */
export interface DidKey {
  did: string
  fragment: string
  publicKeyHex: string
  privateKeyHex: string
}

export interface TestAgent {
  agent: TAgent<Methods>
  plugin: StatusListPlugin
  ledger: TestLedger
  account: Account
  /** runs in the scope of the account */
  scoped: <T>(work: (agent: TAgent<Methods>) => Promise<T>) => Promise<T>
  createDid: () => Promise<DidKey>
  importDid: (key: DidKey) => Promise<void>
}

/** A real agent of one account, with keys in memory, on a ledger that it may share with others. */
export function createTestAgent({
  ledger = new TestLedger(),
  options = {},
  clock,
  plugins = [],
}: {
  ledger?: TestLedger
  options?: Partial<StatusListPluginOptions>
  clock?: () => Date
  plugins?: IAgentPlugin[]
} = {}): TestAgent {
  const plugin = new StatusListPlugin(
    { types: [StatusList2021, BitstringStatusList, TokenStatusList], ...options },
    clock,
  )
  const agent = createAgent<Methods>({
    schemaValidation: false,
    plugins: [
      new KeyManager({
        store: new MemoryKeyStore(),
        kms: { local: new KeyManagementSystem(new MemoryPrivateKeyStore()) },
      }),
      new DIDManager({
        store: new MemoryDIDStore(),
        defaultProvider: 'did:key',
        providers: { 'did:key': new KeyDIDProvider({ defaultKms: 'local' }) },
      }),
      new DIDResolverPlugin({ cheqd: (did: string) => ledger.resolve(did) }),
      didHolding(),
      new DIDJwtPlugin(),
      ledger.plugin(),
      plugin,
      ...plugins,
    ],
  })
  const account: Account = { id: randomUUID(), name: 'test', createdAt: '2026-01-01T00:00:00Z' }
  const importDid = async ({ did, publicKeyHex, privateKeyHex }: DidKey): Promise<void> => {
    const key = { kid: `${did}-${publicKeyHex}`, kms: 'local', type: 'Ed25519' as const, privateKeyHex }
    await agent.didManagerImport({ did, provider: 'did:key', keys: [key] })
  }
  return {
    agent,
    plugin,
    ledger,
    account,
    scoped: (work) => runInAccountScope(account, () => work(agent)),
    importDid,
    createDid: async () => {
      const key = newKey(`did:cheqd:testnet:${randomUUID()}`, 'key-1')
      setKey(ledger, key)
      await importDid(key)
      return key
    },
  }
}

export function newKey(did: string, fragment: string): DidKey {
  const { publicKeyHex, privateKeyHex } = outsideKey()
  return { did, fragment, publicKeyHex, privateKeyHex: privateKeyHex + publicKeyHex }
}

/** Makes a key the only one of its DID. */
export function setKey(ledger: TestLedger, { did, fragment, publicKeyHex }: DidKey): void {
  const id = `${did}#${fragment}`
  const publicKeyJwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    x: Buffer.from(publicKeyHex, 'hex').toString('base64url'),
  }
  ledger.documents.set(did, {
    id: did,
    verificationMethod: [{ id, type: 'JsonWebKey2020', controller: did, publicKeyJwk }],
    authentication: [id],
    assertionMethod: [id],
  })
}
