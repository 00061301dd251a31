import assert from 'node:assert/strict'
import { queueName, type Account } from '@vidimus/core-types'
import { DatabaseError, sql, type Database } from '@vidimus/database'
import { UnitOfWork } from '../index.js'
import {
  accountNamed,
  as,
  count,
  countAll,
  hasCode,
  install,
  removeFolder,
  temporaryFolder,
  type Installation,
} from './set-up.js'

describe('UnitOfWork', () => {
  let folder: string
  let here: Installation
  let account: Account
  const key = (kid: string) => ({ kid, kms: 'local', type: 'Ed25519', publicKeyHex: kid })
  const importKey = (kid: string) => here.keyStore.importKey(key(kid))
  const kids = async () => (await here.keyStore.listKeys()).map(({ kid }) => kid)
  const inUnit = <T>(work: () => Promise<T>) => as(account)(() => here.unit.run(work))
  const stored = () => here.unit.outside(() => count(here, 'account_key'))

  beforeEach(async () => {
    folder = await temporaryFolder()
    here = await install(folder)
    account = await accountNamed(here, 'one')
  })
  afterEach(async () => {
    await here.stop()
    await removeFolder(folder)
  })

  it('writes nothing before its end, and sees its own changes', async () => {
    await inUnit(async () => {
      await importKey('a')
      assert.deepEqual(await here.keyStore.getKey({ kid: 'a' }), key('a'))
      assert.deepEqual(await kids(), ['a'])
      assert.equal(await stored(), 0)
      await here.unit.outside(() =>
        assert.rejects(here.keyStore.getKey({ kid: 'a' }), hasCode('key_not_found')),
      )
    })
    assert.equal(await stored(), 1)
  })

  it('sees its deletions and changes of existing data', async () => {
    await as(account)(() => importKey('a'))
    await inUnit(async () => {
      await here.keyStore.deleteKey({ kid: 'a' })
      await assert.rejects(here.keyStore.getKey({ kid: 'a' }), hasCode('key_not_found'))
      assert.deepEqual(await kids(), [])
      await importKey('b')
      const did = { did: 'did:web:a', provider: 'did:web', alias: 'x', keys: [key('b')], services: [] }
      await here.didStore.importDID(did)
      assert.deepEqual(await here.didStore.getDID({ alias: 'x' }), did)
      await here.didStore.importDID({ ...did, alias: 'y' })
      await assert.rejects(here.didStore.getDID({ alias: 'x' }), hasCode('did_not_found'))
      assert.deepEqual(await here.didStore.listDIDs({ alias: 'y' }), [{ ...did, alias: 'y' }])
      await here.didStore.deleteDID(did)
      assert.deepEqual(await here.didStore.listDIDs(), [])
    })
    assert.deepEqual(await as(account)(kids), ['b'])
  })

  it('is not affected by changes to returned objects', async () => {
    await inUnit(async () => {
      await here.didStore.importDID({ did: 'did:web:a', provider: 'did:web', keys: [], services: [] })
      const { services } = await here.didStore.getDID({ did: 'did:web:a' })
      services.push({ id: '#a', type: 'x', serviceEndpoint: 'x' })
      assert.deepEqual((await here.didStore.getDID({ did: 'did:web:a' })).services, [])
    })
  })

  it('writes all or nothing', async () => {
    await assert.rejects(
      inUnit(async () => {
        await importKey('a')
        throw new Error('no')
      }),
      /^Error: no$/,
    )
    await as(account)(() => here.keyStore.importKey({ ...key('b'), meta: { alias: 'taken' } }))
    await assert.rejects(
      inUnit(async () => {
        await importKey('a')
        await here.keyStore.importKey({ ...key('c'), meta: { alias: 'taken' } })
      }),
      hasCode('alias_taken'),
    )
    assert.deepEqual(await as(account)(kids), ['b'])
  })

  it('discards what a failed nested unit has staged', async () => {
    await inUnit(async () => {
      await importKey('a')
      await assert.rejects(
        here.unit.run(async () => {
          assert.deepEqual(await kids(), ['a'])
          await importKey('b')
          throw new Error('no')
        }),
      )
      assert.deepEqual(await kids(), ['a'])
      await here.unit.run(() => importKey('c'))
    })
    assert.deepEqual((await as(account)(kids)).sort(), ['a', 'c'])
  })

  it('commits staged changes when flushed', async () => {
    await assert.rejects(
      inUnit(async () => {
        await importKey('a')
        await here.unit.run(async () => {
          await importKey('b')
          await here.unit.flush()
        })
        assert.equal(await stored(), 2)
        await importKey('c')
        throw new Error('no')
      }),
    )
    assert.equal(await stored(), 2)
  })

  it('cannot succeed after a failed flush or read, even if its work continues', async () => {
    await as(account)(() => here.keyStore.importKey({ ...key('b'), meta: { alias: 'taken' } }))
    await assert.rejects(
      inUnit(async () => {
        await here.keyStore.importKey({ ...key('c'), meta: { alias: 'taken' } })
        await here.unit.flush().catch(() => undefined)
        await importKey('d')
      }),
      hasCode('alias_taken'),
    )
    await assert.rejects(
      inUnit(async () => {
        await here.unit.query(sql`SELECT nothing FROM nowhere`).catch(() => undefined)
        await importKey('d')
      }),
      DatabaseError,
    )
    assert.deepEqual(await as(account)(kids), ['b'])
  })

  it('reports a database error that the DID manager would take for "not found"', async () => {
    const failing = {
      query: () => Promise.reject(new Error('disk')),
      write: here.database.write.bind(here.database),
    }
    const unit = new UnitOfWork(failing as unknown as Database)
    const { AccountDIDStore, inOneUnit } = await import('../index.js')
    const { DIDManager } = await import('@veramo/did-manager')
    const { KeyDIDProvider } = await import('@veramo/did-provider-key')
    const plugin = inOneUnit(
      unit,
      new DIDManager({
        store: new AccountDIDStore(unit),
        defaultProvider: 'did:key',
        providers: { 'did:key': new KeyDIDProvider({ defaultKms: 'local' }) },
      }),
    )
    const create = plugin.methods?.didManagerCreate
    assert.ok(create)
    const context = {
      agent: { keyManagerCreate: () => here.agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' }) },
    }
    await assert.rejects(
      as(account)(() => create({ alias: 'mine' }, context)),
      /^Error: disk$/,
    )
    assert.equal(await count(here, 'account_did'), 0)
  })

  it('refuses to overwrite what another call has changed in the meantime', async () => {
    const did = { did: 'did:web:a', provider: 'did:web', keys: [], services: [] }
    const service = { id: '#a', type: 'x', serviceEndpoint: 'x' }
    await as(account)(() => here.didStore.importDID(did))
    const change = (meanwhile: () => Promise<unknown>) =>
      inUnit(async () => {
        const read = await here.didStore.getDID({ did: did.did })
        await here.unit.outside(meanwhile)
        await here.didStore.importDID({ ...read, alias: 'late' })
      })
    await assert.rejects(
      change(() => here.didStore.importDID({ ...did, services: [service] })),
      hasCode('version_conflict'),
    )
    assert.deepEqual((await as(account)(() => here.didStore.getDID(did))).services, [service])
    await assert.rejects(
      change(() => here.didStore.deleteDID(did)),
      hasCode('version_conflict'),
    )
    assert.deepEqual(await countAll(here), {})
  })

  it('lets one unit change a DID several times', async () => {
    const did = { did: 'did:web:a', provider: 'did:web', keys: [], services: [] }
    await as(account)(() => here.didStore.importDID(did))
    await inUnit(async () => {
      const read = await here.didStore.getDID(did)
      await here.didStore.importDID({ ...read, alias: 'a' })
      await here.unit.flush()
      await here.didStore.importDID({ ...read, alias: 'b' })
      await here.didStore.importDID({ ...read, alias: 'c' })
    })
    assert.equal((await as(account)(() => here.didStore.getDID(did))).alias, 'c')
  })

  it('does not lose changes staged after its end', async () => {
    let release: () => void = () => undefined
    const waiting = new Promise<void>((resolve) => (release = resolve))
    let late: Promise<unknown> = Promise.resolve()
    await inUnit(async () => {
      late = waiting.then(() => importKey('late'))
    })
    release()
    await late
    assert.deepEqual(await as(account)(kids), ['late'])
  })

  it('keeps the keys of accounts apart', async () => {
    const two = await accountNamed(here, 'two')
    await inUnit(async () => {
      await importKey('a')
      await as(two)(async () => {
        await assert.rejects(here.keyStore.getKey({ kid: 'a' }), hasCode('key_not_found'))
        assert.deepEqual(await kids(), [])
      })
    })
  })

  it('runs calls under one name in sequence, whatever their outcome', async () => {
    const order: string[] = []
    const turn = (name: string, fails = false) =>
      here.unit.serialized(queueName('x'), async () => {
        order.push(`${name} begins`)
        await Promise.resolve()
        order.push(`${name} ends`)
        if (fails) throw new Error(name)
      })
    await Promise.allSettled([turn('a'), turn('b', true), turn('c')])
    assert.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  it('writes a key or a DID in one transaction', async () => {
    let transactions = 0
    const write = here.database.write.bind(here.database)
    here.database.write = (work) => {
      transactions += 1
      return write(work)
    }
    await as(account)(() => here.agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' }))
    assert.equal(transactions, 1)
    await as(account)(() => here.agent.didManagerCreate({ alias: 'mine' }))
    assert.equal(transactions, 2)
  })

  it('requires a database', () => {
    assert.throws(() => new UnitOfWork({} as Database), { code: 'invalid_configuration' })
  })
})
