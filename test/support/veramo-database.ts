import { createAgent } from '@veramo/core'
import type { IDIDManager, IKeyManager, TAgent } from '@veramo/core-types'
import { DIDStore, Entities, KeyStore, migrations, PrivateKeyStore } from '@veramo/data-store'
import { DIDManager } from '@veramo/did-manager'
import { KeyDIDProvider } from '@veramo/did-provider-key'
import { WebDIDProvider } from '@veramo/did-provider-web'
import { KeyManager } from '@veramo/key-manager'
import { KeyManagementSystem, SecretBox } from '@veramo/kms-local'
import { DataSource } from 'typeorm'

export const SECRET_BOX_KEY = '29739248cad1bd1a0fc4d9b75cd4d2990de535baf5caadfdf8d8f86664aa830c'

/** What an agent with Veramo's own stores does to a database. @param url - of `freshDatabase` */
export async function onVeramoDatabase(
  url: string,
  work: (agent: TAgent<IKeyManager & IDIDManager>) => Promise<void>,
): Promise<void> {
  const place = url.startsWith('sqlite:')
    ? { type: 'sqlite' as const, database: url.slice('sqlite:'.length) }
    : { type: 'postgres' as const, url }
  const dataSource = new DataSource({ ...place, entities: Entities, migrations, migrationsRun: true })
  await dataSource.initialize()
  const secretBox = new SecretBox(SECRET_BOX_KEY)
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
  await work(agent)
  await dataSource.destroy()
}
