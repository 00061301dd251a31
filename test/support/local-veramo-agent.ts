import { createAgent } from '@veramo/core'
import { CredentialProviderJWT } from '@veramo/credential-jwt'
import { CredentialPlugin } from '@veramo/credential-w3c'
import { DIDStore, Entities, KeyStore, migrations, PrivateKeyStore } from '@veramo/data-store'
import { DIDManager } from '@veramo/did-manager'
import { getDidJwkResolver, JwkDIDProvider } from '@veramo/did-provider-jwk'
import { getDidKeyResolver, KeyDIDProvider } from '@veramo/did-provider-key'
import { WebDIDProvider } from '@veramo/did-provider-web'
import { DIDResolverPlugin } from '@veramo/did-resolver'
import { KeyManager } from '@veramo/key-manager'
import { KeyManagementSystem, SecretBox } from '@veramo/kms-local'
import { DataSource } from 'typeorm'

/** An agent of Veramo's own plugins over Veramo's own stores, in memory: what remote agents take this service for. */
export async function localVeramoAgent() {
  const dataSource = await new DataSource({
    type: 'sqlite',
    database: ':memory:',
    entities: Entities,
    migrations,
    migrationsRun: true,
  }).initialize()
  const secretBox = new SecretBox('c0'.repeat(32))
  const agent = createAgent({
    plugins: [
      new KeyManager({
        store: new KeyStore(dataSource),
        kms: { local: new KeyManagementSystem(new PrivateKeyStore(dataSource, secretBox)) },
      }),
      new DIDManager({
        store: new DIDStore(dataSource),
        defaultProvider: 'did:key',
        providers: {
          'did:key': new KeyDIDProvider({ defaultKms: 'local' }),
          'did:jwk': new JwkDIDProvider({ defaultKms: 'local' }),
          'did:web': new WebDIDProvider({ defaultKms: 'local' }),
        },
      }),
      new DIDResolverPlugin({ ...getDidKeyResolver(), ...getDidJwkResolver() }),
      new CredentialPlugin([new CredentialProviderJWT()]),
    ],
  })
  return { agent, stop: () => dataSource.destroy() }
}
