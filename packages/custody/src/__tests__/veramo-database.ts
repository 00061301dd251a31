import { join } from 'node:path'
import { createAgent } from '@veramo/core'
import type { IDIDManager, IKeyManager, TAgent } from '@veramo/core-types'
import { DIDStore, Entities, KeyStore, migrations, PrivateKeyStore } from '@veramo/data-store'
import { DIDManager } from '@veramo/did-manager'
import { KeyDIDProvider } from '@veramo/did-provider-key'
import { WebDIDProvider } from '@veramo/did-provider-web'
import { KeyManager } from '@veramo/key-manager'
import { KeyManagementSystem, type SecretBox } from '@veramo/kms-local'
import { DataSource } from 'typeorm'

export const LEGACY_KEY = '29739248cad1bd1a0fc4d9b75cd4d2990de535baf5caadfdf8d8f86664aa830c'

/** A database as an agent with Veramo's own stores leaves it. */
export async function makeVeramoDatabase(
  folder: string,
  secretBox: SecretBox,
  work: (agent: TAgent<IKeyManager & IDIDManager>, dataSource: DataSource) => Promise<void>,
): Promise<void> {
  const dataSource = new DataSource({
    type: 'sqlite',
    database: join(folder, 'agent.sqlite'),
    entities: Entities,
    migrations,
    migrationsRun: true,
    synchronize: false,
  })
  await dataSource.initialize()
  const agent = createAgent<IKeyManager & IDIDManager>({
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
          'did:web': new WebDIDProvider({ defaultKms: 'local' }),
        },
      }),
    ],
  })
  await work(agent, dataSource)
  await dataSource.destroy()
}
