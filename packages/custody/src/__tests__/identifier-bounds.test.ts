import assert from 'node:assert/strict'
import type { IIdentifier, IKey, IService, MinimalImportableIdentifier } from '@veramo/core-types'
import { WebDIDProvider } from '@veramo/did-provider-web'
import { AgentError, BOUNDS, type Account } from '@vidimus/core-types'
import { homeOfDid, sql, type Connection, type Sql } from '@vidimus/database'
import { watchedConnection } from '../../../../test/support/watched-connection.js'
import {
  accountNamed,
  as,
  count,
  hasCode,
  install,
  removeFolder,
  temporaryFolder,
  type Installation,
} from './set-up.js'

const PRIVATE_KEY = 'a7'.repeat(32)
const MOST = BOUNDS.documentEntries

const service = (n: number, more: Partial<IService> = {}): IService => ({
  id: `#s${String(n).padStart(4, '0')}`,
  type: 'LinkedDomains',
  serviceEndpoint: `https://${n}.example`,
  ...more,
})
const services = (length: number) => Array.from({ length }, (_, n) => service(n))

/** A ledger that accepts everything and records its calls. */
class LenientProvider extends WebDIDProvider {
  readonly asked: unknown[] = []
  override async createIdentifier(
    args: { alias?: string; options: object },
    context: Parameters<WebDIDProvider['createIdentifier']>[1],
  ): Promise<Omit<IIdentifier, 'provider'>> {
    const { agent } = context as unknown as Pick<Installation, 'agent'>
    const key: IKey = await agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' })
    const did = `did:web:${args.alias}`
    const { services } = args.options as { services?: IService[] }
    const identifier = { did, keys: [key], services: services ?? [] }
    await agent.didCreationRecord({ identifier })
    this.asked.push('create')
    return identifier
  }
  override async updateIdentifier(args: { did: string; document: object }): Promise<IIdentifier> {
    this.asked.push('update')
    const { service: given = [] } = args.document as { service?: IService[] }
    return { did: args.did, provider: 'did:web', keys: [], services: given }
  }
  override addService() {
    this.asked.push('addService')
    return Promise.resolve(true)
  }
  override addKey() {
    this.asked.push('addKey')
    return Promise.resolve(true)
  }
}

describe('size limits of a DID', () => {
  let folder: string
  let here: Installation
  let one: Account
  const provider = new LenientProvider({ defaultKms: 'local' })
  const did = 'did:web:a.example'
  const local = { localOnly: true }

  beforeEach(async () => {
    folder = await temporaryFolder()
    here = await install(folder, { providers: { 'did:web': provider } })
    one = await accountNamed(here, 'one')
    provider.asked.length = 0
  })
  afterEach(async () => {
    await here.stop()
    await removeFolder(folder)
  })

  const mine = <T>(work: () => Promise<T>) => as(one)(work)
  const importDid = (more: Partial<MinimalImportableIdentifier> = {}) =>
    mine(() =>
      here.agent.didManagerImport({
        did,
        provider: 'did:web',
        keys: [{ kid: 'k', kms: 'local', type: 'Ed25519', privateKeyHex: PRIVATE_KEY }],
        services: [],
        ...more,
      }),
    )
  const held = () => mine(() => here.agent.didManagerGet({ did }))
  const newKey = () => mine(() => here.agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' }))
  const addService = (added: IService, options: object = local) =>
    mine(() => here.agent.didManagerAddService({ did, service: added, options }))
  const idsOf = ({ services: those }: IIdentifier) => those.map(({ id }) => id)
  const refusedAt =
    (...paths: string[]) =>
    (error: unknown) => {
      assert.ok(error instanceof AgentError, String(error))
      assert.equal(error.code, 'invalid_input')
      assert.deepEqual(
        error.details.map(({ path }) => path),
        paths,
      )
      return true
    }

  /** Rows that are written to the database meanwhile, by table. */
  async function written(work: () => Promise<unknown>): Promise<Record<string, number>> {
    const rows: Record<string, number> = {}
    const { database } = here
    const write = database.write.bind(database)
    const counting = (connection: Connection): Connection => ({
      ...watchedConnection(connection, () => undefined),
      run: async (statement) => note(statement, await connection.run(statement)),
      // one row each, except for events, which nobody stores here
      send: (statement, refused) => {
        note(statement, statement.text('sqlite').includes('INTO account_event') ? 0 : 1)
        connection.send(statement, refused)
      },
    })
    const note = (statement: Sql, changed: number) => {
      const [, table = ''] = /(?:INTO|UPDATE|FROM)\s+"?([\w-]+)/.exec(statement.text('sqlite')) ?? []
      if (changed > 0) rows[table] = (rows[table] ?? 0) + changed
      return changed
    }
    database.write = (step, options) => write((connection) => step(counting(connection)), options)
    try {
      await work()
    } finally {
      database.write = write
    }
    return rows
  }

  /** As an earlier version has left them. */
  const storeAsBefore = (those: readonly IService[]) =>
    here.database.write(async (connection) => {
      for (const [n, { id, type, serviceEndpoint }] of those.entries()) {
        await connection.run(sql`INSERT INTO service (home, id, type, "serviceEndpoint")
          VALUES (${homeOfDid(did)}, ${`before ${n}`}, ${type}, ${serviceEndpoint as string})`)
        await connection.run(sql`INSERT INTO account_service (home, account_id, did, id, stored_id, position)
          VALUES (${homeOfDid(did)}, ${one.id}, ${did}, ${id}, ${`before ${n}`}, ${n})`)
      }
    })

  describe('writes per change', () => {
    const row = { account_did: 1, audit_event: 1 }

    it('new alias: two rows, however many services exist', async () => {
      await importDid({ services: services(MOST) })
      assert.deepEqual(await written(() => mine(() => here.agent.didManagerSetAlias({ did, alias: 'a' }))), {
        ...row,
        account_did_alias: 1,
      })
      assert.deepEqual(idsOf(await held()), idsOf({ services: services(MOST) } as IIdentifier))
    })

    it('added or removed service: its own rows', async () => {
      await importDid({ services: services(50) })
      const own = { ...row, service: 1, account_service: 1 }
      assert.deepEqual(await written(() => addService(service(60))), own)
      const remove = (id: string) =>
        mine(() => here.agent.didManagerRemoveService({ did, id, options: local }))
      for (const n of [0, 25, 60]) assert.deepEqual(await written(() => remove(service(n).id)), own)
      assert.deepEqual(await written(() => addService(service(0))), own)
      const left = services(50).filter(({ id }) => id !== service(0).id && id !== service(25).id)
      assert.deepEqual(idsOf(await held()), [...left.map(({ id }) => id), service(0).id])
    })

    it('added or removed key: its link', async () => {
      await importDid({ services: services(3) })
      const key = await newKey()
      const own = { ...row, account_did_key: 1 }
      const add = () => mine(() => here.agent.didManagerAddKey({ did, key, options: local }))
      const remove = () => mine(() => here.agent.didManagerRemoveKey({ did, kid: key.kid, options: local }))
      assert.deepEqual(await written(add), own)
      assert.deepEqual(await written(remove), own)
    })

    it('changed service: only that one', async () => {
      await importDid({ services: services(5) })
      const changed = { ...service(2), serviceEndpoint: { uri: 'https://other.example' } }
      const next = services(5).map((each, n) => (n === 2 ? changed : each))
      const identifier = await held()
      const rows = await written(() => mine(() => here.didStore.importDID({ ...identifier, services: next })))
      assert.deepEqual(rows, { ...row, service: 1 })
      assert.deepEqual((await held()).services, next)
    })

    it('no change: no service, no link and no event', async () => {
      await importDid({ services: services(5) })
      const identifier = await held()
      const rows = await written(() => mine(() => here.didStore.importDID(identifier)))
      assert.deepEqual(rows, { account_did: 1 })
    })

    it('new order: only the order', async () => {
      await importDid({ services: services(4) })
      const identifier = await held()
      const next = [3, 1, 0, 2].map((n) => service(n))
      await mine(() => here.didStore.importDID({ ...identifier, services: next }))
      assert.deepEqual((await held()).services, next)
      assert.equal(await count(here, 'service'), 4)
    })
  })

  describe('enforcement', () => {
    it('of imports', async () => {
      await assert.rejects(importDid({ services: services(MOST + 1) }), refusedAt('services'))
      const long = 'x'.repeat(BOUNDS.indexedText + 1)
      const bad = [
        service(0, { id: `#${long}` }),
        service(1, { type: 'x'.repeat(BOUNDS.serviceTypeBytes + 1) }),
        service(2, { serviceEndpoint: { uri: 'x'.repeat(BOUNDS.documentBytes) } }),
      ]
      await assert.rejects(
        importDid({ services: bad, alias: long, controllerKeyId: long }),
        refusedAt('alias', 'controllerKeyId', 'services[0].id', 'services[1].type', 'services'),
      )
      await assert.rejects(importDid({ provider: 'x'.repeat(BOUNDS.name + 1) }), refusedAt('provider'))
      await assert.rejects(importDid({ did: `did:web:${long}` }), refusedAt('did'))
      const keys = Array.from({ length: MOST + 1 }, () => ({ kid: 'k' }) as IKey)
      await assert.rejects(
        mine(() => here.didStore.importDID({ did, provider: 'did:web', keys, services: [] })),
        refusedAt('keys'),
      )
      assert.equal(await count(here, 'account_did'), 0)
      await importDid({ services: services(MOST) })
    })

    it('of creation, before the ledger is called', async () => {
      const create = (options: object) =>
        mine(() => here.agent.didManagerCreate({ provider: 'did:web', alias: 'b.example', options }))
      await assert.rejects(create({ services: services(MOST + 1) }), refusedAt('services'))
      const many = services(MOST + 1)
      await assert.rejects(create({ service: many }), refusedAt('service'))
      await assert.rejects(create({ didDocument: { service: many } }), refusedAt('didDocument.service'))
      assert.deepEqual(provider.asked, [])
      assert.equal(await count(here, 'key'), 0)
      await create({ services: services(MOST) })
    })

    it('of additions and replacements, before the ledger is called', async () => {
      await importDid({ services: services(MOST) })
      await assert.rejects(addService(service(MOST), {}), refusedAt('services'))
      const document = { service: services(MOST + 1) as never }
      await assert.rejects(
        mine(() => here.agent.didManagerUpdate({ did, document })),
        refusedAt('document.service'),
      )
      assert.deepEqual(provider.asked, [])
      assert.equal((await held()).services.length, MOST)
    })

    it('of keys and their metadata', async () => {
      const big = { note: 'x'.repeat(BOUNDS.keyMetaBytes) }
      await assert.rejects(
        mine(() => here.agent.keyManagerCreate({ kms: 'local', type: 'Ed25519', meta: big })),
        refusedAt('meta'),
      )
      const key = { kms: 'local', type: 'Ed25519', privateKeyHex: PRIVATE_KEY } as const
      await assert.rejects(
        mine(() => here.agent.keyManagerImport({ ...key, meta: big })),
        refusedAt('meta'),
      )
      const alias = 'x'.repeat(BOUNDS.name + 1)
      await assert.rejects(
        mine(() => here.privateKeyStore.importKey({ ...key, alias })),
        refusedAt('kid'),
      )
      assert.equal(await count(here, 'private-key'), 0)
    })
  })

  it('can be lowered in the configuration', async () => {
    const { database } = here
    const { UnitOfWork, AccountDIDStore } = await import('../index.js')
    const store = new AccountDIDStore(new UnitOfWork(database, { maxServicesPerDid: 2 }))
    const wanted = { did, provider: 'did:web', keys: [], services: services(3) }
    await assert.rejects(
      mine(() => store.importDID(wanted)),
      refusedAt('services'),
    )
    await mine(() => store.importDID({ ...wanted, services: services(2) }))
    for (const maxServicesPerDid of [0, MOST + 1])
      assert.throws(() => new UnitOfWork(database, { maxServicesPerDid }), hasCode('invalid_configuration'))
  })

  it('leave oversized DIDs readable, deletable and changeable as long as they do not grow', async () => {
    await importDid()
    const before = [
      ...services(MOST + 20),
      service(5000, { id: `#${'x'.repeat(2000)}`, type: 'x'.repeat(300) }),
    ]
    await storeAsBefore(before)
    assert.deepEqual(idsOf(await held()).length, before.length)
    await mine(() => here.agent.didManagerSetAlias({ did, alias: 'still' }))
    await mine(async () => here.didStore.importDID(await here.agent.didManagerGet({ did })))
    await assert.rejects(addService(service(6000)), refusedAt('services'))
    const remove = (id: string) => mine(() => here.agent.didManagerRemoveService({ did, id, options: local }))
    for (const n of [0, 1]) await remove(service(n).id)
    await assert.rejects(addService(service(6000)), refusedAt('services'))
    const key = await newKey()
    await mine(() => here.agent.didManagerAddKey({ did, key, options: local }))
    assert.deepEqual(
      idsOf(await held()),
      before.slice(2).map(({ id }) => id),
    )
    await mine(() => here.agent.didManagerDelete({ did }))
    assert.deepEqual([await count(here, 'service'), await count(here, 'account_did')], [0, 0])
  })
})
