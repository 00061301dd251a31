import assert from 'node:assert/strict'
import type { IIdentifier, IKey } from '@veramo/core-types'
import { runInAccountScope, type Account } from '@vidimus/core-types'
import { newKeyPair } from '@vidimus/verification-methods'
import { PLACES, type Place } from '../../../../test/support/fresh-database.js'
import { Quotas } from '@vidimus/accounts'
import { UnitOfWork } from '../index.js'
import {
  emptyDatabase,
  hasCode,
  install,
  type Installation,
  removeFolder,
  temporaryFolder,
} from './set-up.js'

const forbidden = hasCode('forbidden')

for (const place of PLACES) describe(`an API key for one network (${place})`, () => oneNetwork(place))

function oneNetwork(place: Place): void {
  let folder: string
  let url: string
  let installation: Installation
  let account: Account
  const dids = { test: 'did:cheqd:testnet:1', main: 'did:cheqd:mainnet:1', free: 'did:key:z6Mk' }
  const kids: Record<string, string> = {}
  const identifier = (did: string, kid: string): IIdentifier =>
    ({ did, provider: 'did:key', alias: `alias ${did}`, keys: [{ kid }], services: [] }) as never

  before(async () => {
    folder = await temporaryFolder()
    url = await emptyDatabase(place)
    installation = await install(folder, { url })
    account = await installation.accounts.create('acme')
    await runInAccountScope(account, async () => {
      for (const [name, did] of Object.entries(dids)) {
        const key = await installation.agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' })
        kids[name] = key.kid
        await installation.didStore.importDID(identifier(did, key.kid))
      }
    })
  })
  after(async () => {
    await installation.stop()
    await removeFolder(folder)
  })

  const limited = <T>(work: () => Promise<T>) =>
    runInAccountScope({ ...account, grant: { id: 'k', networks: ['testnet'] } }, work)

  it('acts as DIDs on that network and as DIDs without one', async () => {
    const { agent } = installation
    for (const name of ['test', 'free'] as const) {
      assert.equal((await limited(() => agent.didManagerGet({ did: dids[name] }))).did, dids[name])
      await limited(() => agent.keyManagerSign({ keyRef: kids[name] ?? '', data: 'x' }))
    }
  })

  it('cannot read, change, store or delete a DID on another network, held or not', async () => {
    const { agent, didStore } = installation
    const attempts = [
      () => agent.didManagerGet({ did: dids.main }),
      () => agent.didManagerGetByAlias({ alias: `alias ${dids.main}`, provider: 'did:key' }),
      () => agent.didManagerSetAlias({ did: dids.main, alias: 'mine' }),
      () => agent.didManagerDelete({ did: dids.main }),
      () => agent.didManagerGet({ did: 'did:cheqd:mainnet:unknown' }),
      () => didStore.importDID(identifier('did:cheqd:mainnet:2', kids.test ?? '')),
      () => didStore.deleteDID({ did: dids.main }),
    ]
    for (const attempt of attempts)
      await assert.rejects(limited<unknown>(attempt), forbidden, attempt.toString())
    assert.ok(await runInAccountScope(account, () => agent.didManagerGet({ did: dids.main })))
  })

  it('does not get a new DID in place of a forbidden one', async () => {
    const { agent } = installation
    await assert.rejects(
      limited(() => agent.didManagerGetOrCreate({ alias: `alias ${dids.main}`, provider: 'did:key' })),
      forbidden,
    )
  })

  it('cannot sign with a key pair that controls a DID on another network', async () => {
    const { agent } = installation
    await assert.rejects(
      limited(() => agent.keyManagerSign({ keyRef: kids.main ?? '', data: 'x' })),
      forbidden,
    )
    await assert.rejects(
      limited(() => agent.keyManagerDelete({ kid: kids.main ?? '' })),
      forbidden,
    )
  })

  it('still lists all DIDs', async () => {
    assert.equal((await limited(() => installation.agent.didManagerFind())).length, 3)
  })

  describe('cannot use a key pair that ever controlled a DID on another network', () => {
    const full = <T>(work: () => Promise<T>) => runInAccountScope(account, work)
    const main = 'did:cheqd:mainnet:former'
    let kid: string
    beforeEach(async () => {
      const privateKeyHex = newKeyPair('Ed25519').privateKeyHex
      const key = { kms: 'local', type: 'Ed25519' as const, privateKeyHex }
      await full(async () => {
        kid = (await installation.agent.keyManagerImport(key)).kid
        await installation.didStore.importDID(identifier(main, kid))
      })
      again = async () => {
        await full(() => installation.agent.keyManagerDelete({ kid }))
        await full(() => installation.agent.keyManagerImport(key as never))
      }
    })
    let again: () => Promise<void>
    const sign = () => installation.agent.keyManagerSign({ keyRef: kid, data: 'x' })
    const unusable = async () => {
      assert.ok(await full(sign))
      await assert.rejects(limited(sign), forbidden)
      const { agent, didStore } = installation
      await assert.rejects(
        limited(() => agent.didManagerAddKey({ did: dids.test, key: { kid } as IKey })),
        forbidden,
      )
      const linked = await full(() => didStore.getDID({ did: dids.test }))
      assert.deepEqual(
        linked.keys.map((key) => key.kid),
        [kids.test],
      )
    }

    it('after the DID and the key were deleted and imported again', async () => {
      await full(() => installation.didStore.deleteDID({ did: main }))
      await unusable()
      await again()
      await unusable()
    })

    it('after the key was removed from the DID', async () => {
      const { kid: other } = await full(() =>
        installation.agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' }),
      )
      await full(() => installation.didStore.importDID(identifier(main, other)))
      await unusable()
    })
  })
}

describe('an account', () => {
  it('cannot exceed its quota of DIDs and key pairs', async () => {
    const folder = await temporaryFolder()
    const installation = await install(folder, { quotas: { dids: 3, keys: 4 } })
    const { agent } = installation
    const [acme, other] = [
      await installation.accounts.create('acme'),
      await installation.accounts.create('other'),
    ]
    const create = (account: Account) =>
      runInAccountScope(account, () => agent.didManagerCreate({ provider: 'did:key' }))
    const first = await Promise.allSettled(Array.from({ length: 6 }, () => create(acme)))
    assert.equal(first.filter(({ status }) => status === 'fulfilled').length, 3)
    await assert.rejects(create(acme), hasCode('quota_exceeded'))
    await create(other)
    const key = () => runInAccountScope(acme, () => agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' }))
    const { kid } = await key()
    await assert.rejects(key(), hasCode('quota_exceeded'))
    await runInAccountScope(acme, () => agent.keyManagerDelete({ kid }))
    await key()
    await installation.stop()
    await removeFolder(folder)
  })

  it('must have valid quotas', () => {
    const database = { query: () => undefined, write: () => undefined }
    assert.throws(() => new Quotas(database as never, { dids: -1 }), hasCode('invalid_configuration'))
    assert.throws(
      () => new UnitOfWork(database as never, { quotas: {} as never }),
      hasCode('invalid_configuration'),
    )
  })
})
