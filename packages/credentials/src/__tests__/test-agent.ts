import { createAgent } from '@veramo/core'
import type {
  IAgentPlugin,
  ICredentialPlugin,
  IDIDManager,
  IIdentifier,
  IKeyManager,
  IResolver,
  VerifiableCredential,
} from '@veramo/core-types'
import { CredentialProviderJWT } from '@veramo/credential-jwt'
import { CredentialPlugin } from '@veramo/credential-w3c'
import { DIDManager, MemoryDIDStore } from '@veramo/did-manager'
import { JwkDIDProvider } from '@veramo/did-provider-jwk'
import { KeyDIDProvider } from '@veramo/did-provider-key'
import { DIDResolverPlugin } from '@veramo/did-resolver'
import { KeyManager, MemoryKeyStore, MemoryPrivateKeyStore } from '@veramo/key-manager'
import { KeyManagementSystem } from '@veramo/kms-local'
import type { ICredentials, IDIDHolding, IDIDJwt, IPresentation } from '@vidimus/core-types'
import { didHolding } from '../../../custody/src/did-holding.js'
import { getKeyDidResolver } from '../../../did-methods/src/index.js'
import { getJwkDidResolver } from '../../../did-resolver-jwk/src/index.js'
import { Resolver, type DIDDocument, type DIDResolutionResult } from 'did-resolver'
import { DIDJwtPlugin } from '../did-jwt-plugin.js'
import {
  PresentationPlugin,
  type PresentationPluginOptions,
} from '../../../presentation/src/presentation-plugin.js'
import { CredentialsPlugin } from '../credentials-plugin.js'

/** DID documents of the method `did:test`, by DID, with their resolution metadata. */
export type TestDocuments = Map<string, { document: DIDDocument; deactivated?: boolean }>

export interface TestSetup {
  options?: PresentationPluginOptions
  documents?: TestDocuments
  plugins?: IAgentPlugin[]
  schemaValidation?: boolean
}

/** A real agent with a fresh memory store: one account. */
export function createTestAgent({
  options,
  documents = new Map(),
  plugins = [],
  schemaValidation = false,
}: TestSetup = {}) {
  const resolver = new Resolver({
    ...getKeyDidResolver(),
    ...getJwkDidResolver(),
    test: (did) => Promise.resolve(resolveTestDocument(did, documents)),
    throwing: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432')),
  })
  const agent = createAgent<
    IDIDJwt &
      IDIDHolding &
      ICredentials &
      IPresentation &
      IDIDManager &
      IKeyManager &
      IResolver &
      ICredentialPlugin
  >({
    schemaValidation,
    plugins: [
      new KeyManager({
        store: new MemoryKeyStore(),
        kms: { local: new KeyManagementSystem(new MemoryPrivateKeyStore()) },
      }),
      new DIDManager({
        store: new MemoryDIDStore(),
        defaultProvider: 'did:key',
        providers: {
          'did:key': new KeyDIDProvider({ defaultKms: 'local' }),
          'did:jwk': new JwkDIDProvider({ defaultKms: 'local' }),
        },
      }),
      new DIDResolverPlugin({ resolver }),
      new CredentialPlugin([new CredentialProviderJWT()]),
      didHolding(),
      new DIDJwtPlugin(),
      new CredentialsPlugin(credentialsOptions(options)),
      new PresentationPlugin(options),
      ...plugins,
    ],
  })
  return { agent, resolver, documents }
}

const credentialsOptions = ({ maxCredentials: _, ...options }: PresentationPluginOptions = {}) => options

function resolveTestDocument(did: string, documents: TestDocuments): DIDResolutionResult {
  const found = documents.get(did)
  if (!found) {
    return { didDocument: null, didDocumentMetadata: {}, didResolutionMetadata: { error: 'notFound' } }
  }
  return {
    didDocument: found.document,
    didDocumentMetadata: found.deactivated ? { deactivated: true } : {},
    didResolutionMetadata: {},
  }
}

export type KeyKind = 'Ed25519' | 'Secp256r1' | 'Secp256k1'

export const createKeyDid = (
  agent: ReturnType<typeof createTestAgent>['agent'],
  keyType: KeyKind = 'Ed25519',
  provider: 'did:key' | 'did:jwk' = 'did:key',
): Promise<IIdentifier> => agent.didManagerCreate({ provider, options: { keyType } })

/** The agent methods that are called from now on, nested ones included. */
export function recordCalls(agent: ReturnType<typeof createTestAgent>['agent']): string[] {
  const calls: string[] = []
  const execute = agent.execute.bind(agent)
  agent.execute = (method, args) => {
    calls.push(method)
    return execute(method, args)
  }
  return calls
}

/** A status plugin whose answers the test decides, by the `id` of the credential's status. */
export const statusPlugin = (answer: (id: string) => unknown): IAgentPlugin => ({
  methods: {
    checkCredentialStatus: ({ credential }: { credential: VerifiableCredential }) =>
      Promise.resolve(answer(String(credential.credentialStatus?.id))),
  },
})
