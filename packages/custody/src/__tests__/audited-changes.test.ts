import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { AgentError, runInAccountScope, type Account, type ILedgerChanges } from '@vidimus/core-types'
import { AuditLog } from '@vidimus/accounts'
import { sql } from '@vidimus/database'
import { Ledger, LedgerLikeProvider } from './ledger-like-provider.js'
import { hasCode, install, removeFolder, temporaryFolder, type Installation } from './set-up.js'

describe('audit trail of keys and DIDs', () => {
  let folder: string
  let installation: Installation
  let audit: AuditLog
  let account: Account
  beforeEach(async () => {
    folder = await temporaryFolder()
    installation = await install(folder)
    audit = new AuditLog(installation.database)
    account = await installation.accounts.create('acme')
  })
  afterEach(async () => {
    await installation.stop()
    await removeFolder(folder)
  })

  const acting = <T>(work: () => Promise<T>) =>
    runInAccountScope({ ...account, grant: { id: 'k1' } }, work, { requestId: 'r1' })
  /** Everything since the account was created. */
  const events = async () => (await audit.list()).slice(1).map(({ event, subject }) => [event, subject])

  it('records created, imported and deleted keys once each', async () => {
    const { agent } = installation
    const { kid } = await acting(() => agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' }))
    const imported = { kms: 'local', type: 'Ed25519' as const, privateKeyHex: '11'.repeat(32) }
    const other = await acting(() => agent.keyManagerImport(imported))
    await acting(() => agent.keyManagerImport(imported))
    await acting(() => agent.keyManagerDelete({ kid }))
    assert.deepEqual(await events(), [
      ['key-created', kid],
      ['key-imported', other.kid],
      ['key-deleted', kid],
    ])
    const [, first] = await audit.list()
    assert.deepEqual([first?.accountId, first?.apiKeyId, first?.requestId], [account.id, 'k1', 'r1'])
    const stored = JSON.stringify(await audit.list())
    assert.ok(!stored.includes('11'.repeat(32)))
  })

  it('records created, changed, imported and deleted DIDs', async () => {
    const { agent } = installation
    const { did, services } = await acting(() => agent.didManagerCreate({ provider: 'did:key' }))
    await acting(() => agent.didManagerSetAlias({ did, alias: 'a' }))
    await acting(() => agent.didManagerSetAlias({ did, alias: 'a' }))
    await acting(() => agent.didManagerDelete({ did }))
    const identifier = { did, provider: 'did:key', keys: [], services, alias: 'a' }
    await acting(() => agent.didManagerImport(identifier))
    await acting(() => agent.didManagerImport(identifier))
    assert.deepEqual(await events(), [
      ['did-created', did],
      ['did-updated', did],
      ['did-deleted', did],
      ['did-imported', did],
    ])
  })

  it('has no row for failed operations', async () => {
    const { agent } = installation
    await assert.rejects(acting(() => agent.keyManagerDelete({ kid: 'nothing' })))
    await assert.rejects(
      acting(() => agent.keyManagerImport({ kms: 'local', type: 'Ed25519', privateKeyHex: 'xx' })),
    )
    await acting(() =>
      agent.didManagerImport({
        did: 'did:x:1',
        provider: 'did:key',
        keys: [{ kid: 'nothing' }],
        services: [],
      } as never),
    ).catch(() => undefined)
    await acting(() => installation.didStore.deleteDID({ did: 'did:x:2' }))
    await acting(() =>
      installation.unit.run(async () => {
        await agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' })
        throw new Error('changed my mind')
      }),
    ).catch(() => undefined)
    assert.deepEqual(await events(), [])
  })
})

describe('a change that two runs of a request ask a ledger for', () => {
  it('is told once it has happened, though the run that was slower was refused', async () => {
    const folder = await temporaryFolder()
    const installation = await install(folder)
    const audit = new AuditLog(installation.database)
    const account = await installation.accounts.create('acme')
    const agent = installation.agent as unknown as ILedgerChanges
    const change = { kind: 'deactivation', did: 'did:test:1', versionId: randomUUID() } as const
    await runInAccountScope(account, async () => {
      const first = await agent.ledgerChangeRecord(change)
      await setTimeout(2)
      const second = await agent.ledgerChangeRecord(change)
      await agent.ledgerChangeEnd({ id: first.id, outcome: 'did not happen' })
      await agent.ledgerChangeEnd({ id: second.id, outcome: 'happened' })
    })
    const told = (await audit.list()).slice(1).map(({ event, subject }) => [event, subject])
    assert.deepEqual(told, [['did-deactivated', change.did]])
    assert.deepEqual(await installation.database.query(sql`SELECT key FROM work_item`), [])
    await installation.stop()
    await removeFolder(folder)
  })
})

describe('a ledger that refuses a DID', () => {
  it('leaves no row, and one that accepts it leaves one', async () => {
    const folder = await temporaryFolder()
    const ledger = new Ledger()
    let refusing = true
    const provider = new LedgerLikeProvider(ledger, async (did, publicKeyHex) => {
      if (refusing) throw new AgentError('ledger_rule', 'no')
      ledger.dids.set(did, publicKeyHex)
    })
    const installation = await install(folder, {
      providers: { 'did:test': provider },
      resolvers: ledger.resolver,
    })
    const audit = new AuditLog(installation.database)
    const account = await installation.accounts.create('acme')
    const create = () =>
      runInAccountScope(account, () => installation.agent.didManagerCreate({ provider: 'did:test' }))
    await assert.rejects(create(), hasCode('ledger_rule'))
    assert.equal((await audit.list()).length, 1)
    refusing = false
    const { did } = await create()
    assert.deepEqual(
      (await audit.list()).slice(1).map(({ event, subject }) => [event, subject]),
      [['did-created', did]],
    )
    await installation.stop()
    await removeFolder(folder)
  })
})
