import assert from 'node:assert/strict'
import type { IIdentifier, IKey, IService } from '@veramo/core-types'
import { WebDIDProvider } from '@veramo/did-provider-web'
import { Events } from '@vidimus/account-events'
import type { Account } from '@vidimus/core-types'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { PLACES } from '../../../../test/support/fresh-database.js'
import {
  accountNamed,
  as,
  emptyDatabase,
  hasCode,
  install,
  type Installation,
  removeFolder,
  SECRET,
  temporaryFolder,
} from './set-up.js'

/** Records its calls: what gets this far is on the ledger. */
class RecordingProvider extends WebDIDProvider {
  readonly published: unknown[] = []
  override addKey(args: { identifier: IIdentifier; key: IKey }) {
    this.published.push(args.key.publicKeyHex)
    return Promise.resolve(true)
  }
  override addService(args: { identifier: IIdentifier; service: IService }) {
    this.published.push(args.service.id)
    return Promise.resolve(true)
  }
}

for (const place of PLACES) {
  describe(`validation before external changes (${place})`, () => {
    let folder: string
    let here: Installation
    let one: Account
    let other: Account
    const provider = new RecordingProvider({ defaultKms: 'local' })
    before(async () => {
      folder = await temporaryFolder()
      here = await install(folder, { url: await emptyDatabase(place), providers: { 'did:web': provider } })
      one = await accountNamed(here, 'one')
      other = await accountNamed(here, 'other')
    })
    after(async () => {
      await here.stop()
      await removeFolder(folder)
    })

    let names = 0
    const newDid = () =>
      here.agent.didManagerCreate({
        provider: 'did:web',
        alias: `${++names}.example`,
        options: { keyType: 'Ed25519' },
      })
    const newKey = () => here.agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' })

    it('refuses to delete a key that a DID uses', async () => {
      await as(one)(async () => {
        const { kid } = await newKey()
        const { did: web } = await newDid()
        await here.agent.didManagerAddKey({ did: web, key: { kid } as IKey })
        const { did } = await here.agent.didManagerCreate({ provider: 'did:key', options: { keyRef: kid } })
        for (const attempt of [
          () => here.agent.keyManagerDelete({ kid }),
          () => here.keyStore.deleteKey({ kid }),
        ]) {
          await assert.rejects(attempt, hasCode('invalid_input'))
        }
        await here.agent.didManagerDelete({ did })
        assert.ok(await here.agent.keyManagerSign({ keyRef: kid, data: 'x' }))
        const { keys } = await here.agent.didManagerGet({ did: web })
        assert.ok(keys.some((key) => key.kid === kid))
        await assert.rejects(here.agent.keyManagerDelete({ kid }), hasCode('invalid_input'))
        await here.agent.didManagerDelete({ did: web })
        assert.equal(await here.agent.keyManagerDelete({ kid }), true)
        await assert.rejects(here.agent.keyManagerGet({ kid }), hasCode('key_not_found'))
      })
    })

    it('accepts only keys of the account with their own public key for a DID', async () => {
      const theirs = await as(other)(newKey)
      await as(one)(async () => {
        const { did } = await newDid()
        const own = await newKey()
        provider.published.length = 0
        const { publicKeyHex } = theirs
        const wrong: Partial<IKey>[] = [
          { kid: 'unknown', type: 'Ed25519', publicKeyHex, kms: 'local' },
          { kid: theirs.kid, type: 'Ed25519', publicKeyHex, kms: 'local' },
          { kid: own.kid, type: 'Ed25519', publicKeyHex, kms: 'local' },
          { kid: own.kid, type: 'X25519' },
          {},
        ]
        for (const key of [...wrong, null, 'x']) {
          const added = here.agent.didManagerAddKey({ did, key: key as IKey })
          await assert.rejects(added, hasCode('key_not_found', 'invalid_input'), JSON.stringify(key))
        }
        assert.deepEqual(provider.published, [])
        await here.agent.didManagerAddKey({ did, key: { kid: own.kid } as IKey })
        assert.deepEqual(provider.published, [own.publicKeyHex])
      })
    })

    it('accepts only services that can be stored', async () => {
      await as(one)(async () => {
        const { did } = await newDid()
        const good = { id: '#svc', type: 'LinkedDomains', serviceEndpoint: 'https://a.example' }
        await here.agent.didManagerAddService({ did, service: good })
        provider.published.length = 0
        const wrong = [
          { ...good, id: `#${'x'.repeat(4000)}` },
          good,
          { ...good, id: '#b', type: '' },
          { ...good, id: '#b', description: 5 },
          { ...good, id: '#b', serviceEndpoint: '' },
          null,
        ]
        for (const service of wrong) {
          const added = here.agent.didManagerAddService({ did, service: service as IService })
          await assert.rejects(added, hasCode('invalid_input'), JSON.stringify(service))
        }
        assert.deepEqual(provider.published, [])
        await here.agent.didManagerAddService({ did, service: { ...good, id: `#${'x'.repeat(1000)}` } })
      })
    })

    it('refuses names too long for an index', async () => {
      await as(one)(async () => {
        const { did } = await newDid()
        const alias = 'a'.repeat(3000)
        for (const attempt of [
          () => here.agent.didManagerSetAlias({ did, alias }),
          () => here.agent.didManagerCreate({ provider: 'did:web', alias }),
          () => here.agent.keyManagerCreate({ kms: 'local', type: 'Ed25519', meta: { alias } }),
        ] as (() => Promise<unknown>)[]) {
          await assert.rejects(attempt, hasCode('invalid_input'))
        }
      })
    })

    it('emits events of document changes to every account that holds the DID, and no other events', async () => {
      const envelope = new PrivateKeyEnvelope({ secret: SECRET })
      const events = new Events(here.database, envelope)
      await events.lifecycle.start()
      const { did, kid } = await as(one)(async () => {
        const made = await newDid()
        return { did: made.did, kid: (await newKey()).kid }
      })
      await as(other)(() => here.agent.didManagerImport({ did, provider: 'did:web', keys: [], services: [] }))
      await as(one)(async () => {
        await here.agent.didManagerSetAlias({ did, alias: 'mine alone' })
        await here.agent.didManagerAddKey({ did, key: { kid } as IKey, options: { localOnly: true } })
        await here.agent.didManagerRemoveKey({ did, kid })
      })
      const told = await as(other)(() => events.list({ types: ['did.updated', 'did.deactivated'] }))
      assert.deepEqual(
        told.events.map(({ type, subject }) => [type, subject]),
        [['did.updated', did]],
      )
    })
  })
}
