import assert from 'node:assert/strict'
import type { IIdentifier } from '@veramo/core-types'
import { runInAccountScope, type Account } from '@vidimus/core-types'
import { Quotas, UnitOfWork } from '../index.js'
import { hasCode, install, removeFolder, temporaryFolder, type Installation } from './set-up.js'

const forbidden = hasCode('forbidden')

describe('an API key for one network', () => {
  let folder: string
  let installation: Installation
  let account: Account
  const dids = { test: 'did:cheqd:testnet:1', main: 'did:cheqd:mainnet:1', free: 'did:key:z6Mk' }
  const kids: Record<string, string> = {}
  const identifier = (did: string, kid: string): IIdentifier =>
    ({ did, provider: 'did:key', alias: `alias ${did}`, keys: [{ kid }], services: [] }) as never

  before(async () => {
    folder = await temporaryFolder()
    installation = await install(folder)
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

  it('acts as DIDs on it, and as those without a network', async () => {
    const { agent } = installation
    for (const name of ['test', 'free'] as const) {
      assert.equal((await limited(() => agent.didManagerGet({ did: dids[name] }))).did, dids[name])
      await limited(() => agent.keyManagerSign({ keyRef: kids[name] ?? '', data: 'x' }))
    }
  })

  it('cannot read, change, store or delete a DID on another, held or not', async () => {
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

  it('does not get a new DID in place of one that it may not use', async () => {
    const { agent } = installation
    await assert.rejects(
      limited(() => agent.didManagerGetOrCreate({ alias: `alias ${dids.main}`, provider: 'did:key' })),
      forbidden,
    )
  })

  it('cannot sign with a key pair that controls a DID on another', async () => {
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

  it('still sees the list', async () => {
    assert.equal((await limited(() => installation.agent.didManagerFind())).length, 3)
  })
})

describe('an account', () => {
  it('holds no more DIDs and key pairs than it may', async () => {
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
    await assert.rejects(create(acme), hasCode('invalid_input'))
    await create(other)
    const key = () => runInAccountScope(acme, () => agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' }))
    const { kid } = await key()
    await assert.rejects(key(), hasCode('invalid_input'))
    await runInAccountScope(acme, () => agent.keyManagerDelete({ kid }))
    await key()
    await installation.stop()
    await removeFolder(folder)
  })

  it('may hold a number that makes sense', () => {
    const database = { query: () => undefined, write: () => undefined }
    assert.throws(() => new Quotas(database as never, { dids: -1 }), hasCode('invalid_configuration'))
    assert.throws(
      () => new UnitOfWork(database as never, { quotas: {} as never }),
      hasCode('invalid_configuration'),
    )
  })
})
