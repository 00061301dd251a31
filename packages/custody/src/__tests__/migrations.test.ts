import assert from 'node:assert/strict'
import type { IIdentifier } from '@veramo/core-types'
import { WebDIDProvider } from '@veramo/did-provider-web'
import { SecretBox } from '@veramo/kms-local'
import { Database, sql } from '@vidimus/database'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { Accounts } from '@vidimus/accounts'
import { AccountPrivateKeyStore, entities, migrations, UnitOfWork } from '../index.js'
import {
  as,
  count,
  hasCode,
  install,
  removeFolder,
  SECRET,
  temporaryFolder,
  type Installation,
} from './set-up.js'
import { veramoMigrations } from '../migrations/veramo-migrations.js'
import { LEGACY_KEY, makeVeramoDatabase } from './veramo-database.js'

describe('migrations', () => {
  let folder: string
  beforeEach(async () => {
    folder = await temporaryFolder()
  })
  afterEach(() => removeFolder(folder))

  const openDatabase = async () => {
    const database = new Database({
      url: null,
      dataDirectory: folder,
      migrations: [migrations],
      entities: [entities],
    })
    await database.lifecycle.start()
    return database
  }

  it('leave an empty database without accounts', async () => {
    const database = await openDatabase()
    assert.deepEqual(await new Accounts(database).list(), [])
    await database.lifecycle.stop()
  })

  it('add what a stock Veramo database lacks', async () => {
    const database = await openDatabase()
    const indices = await database.query<{ name: string }>(
      sql`SELECT name FROM sqlite_master WHERE type = 'index' AND name IN ('key_identifier', 'service_identifier')`,
    )
    assert.equal(indices.length, 2)
    await database.lifecycle.stop()
  })

  it('can be reverted', async () => {
    const database = await openDatabase()
    await database.lifecycle.stop()
    const { DataSource } = await import('typeorm')
    const dataSource = new DataSource({
      type: 'sqlite',
      database: database.location,
      migrations,
      entities: await entities.load(),
    })
    await dataSource.initialize()
    // That of every database is not of these.
    await dataSource.query(`DELETE FROM migrations WHERE name LIKE '%HomeVersions%'`)
    const own = migrations.filter((migration) => !veramoMigrations.includes(migration))
    for (let left = own.length; left > 0; left -= 1) await dataSource.undoLastMigration()
    const tables: { name: string }[] = await dataSource.query(
      `SELECT name FROM sqlite_master WHERE name LIKE 'account%' OR name LIKE 'audit%' OR name LIKE 'idempoten%' OR name LIKE '%_identifier' OR name LIKE '%did_creation' OR name LIKE 'undone%'`,
    )
    assert.deepEqual(
      tables.map(({ name }) => name),
      ['presentation_verifier_identifier'],
    )
    await dataSource.destroy()
  })

  describe("of a database of Veramo's own stores", () => {
    const service = (id: string) => ({
      id,
      type: 'LinkedDomains',
      serviceEndpoint: { uri: 'https://a.example' },
    })
    let made: { key: IIdentifier; web: IIdentifier; kid: string }

    const fill = (secretBox: SecretBox) =>
      makeVeramoDatabase(folder, secretBox, async (agent, dataSource) => {
        const { did } = await agent.didManagerCreate({ alias: 'mine' })
        // Veramo's alias is unique for each provider only.
        const web = await agent.didManagerCreate({ provider: 'did:web', alias: 'web.example' })
        await agent.didManagerAddService({
          did: web.did,
          service: service('#svc'),
          options: { localOnly: true },
        })
        await dataSource.query(`UPDATE identifier SET alias = 'mine' WHERE did = ?`, [web.did])
        const { kid } = await agent.keyManagerCreate({ kms: 'local', type: 'Secp256k1' })
        await dataSource.query(
          `INSERT INTO identifier (did, "saveDate", "updateDate") VALUES ('did:web:stranger', '2026-01-01', '2026-01-01')`,
        )
        await dataSource.query(
          `INSERT INTO credential (hash, raw, "issuanceDate", context, type, "issuerDid", "subjectDid")
            VALUES ('h', '{}', '2026-01-01', '[]', '[]', 'did:web:stranger', ?)`,
          [did],
        )
        made = {
          key: await agent.didManagerGet({ did }),
          web: await agent.didManagerGet({ did: web.did }),
          kid,
        }
      })
    const startKeyStore = async (database: Database, legacySecretBox?: SecretBox) => {
      const envelope = new PrivateKeyEnvelope({ secret: SECRET })
      const store = new AccountPrivateKeyStore(new UnitOfWork(database), envelope, {
        ...(legacySecretBox && { legacySecretBox }),
      })
      await store.lifecycle.start()
    }
    const upgrade = async () => {
      const database = await openDatabase()
      await startKeyStore(database, new SecretBox(LEGACY_KEY))
      await database.lifecycle.stop()
    }
    const inDefault = async <T>(here: Installation, work: () => Promise<T>) =>
      as(await here.accounts.get('default'))(work)

    it('assign everything to the account "default", unchanged', async () => {
      await fill(new SecretBox(LEGACY_KEY))
      await upgrade()
      const here = await install(folder)
      assert.deepEqual(
        (await here.accounts.list()).map(({ name }) => name),
        ['default'],
      )
      await inDefault(here, async () => {
        const { did } = made.key
        assert.deepEqual(await here.agent.didManagerGet({ did }), made.key)
        const { description: _, ...endpoint } = made.web.services[0]!
        assert.deepEqual(await here.agent.didManagerGet({ did: made.web.did }), {
          ...made.web,
          alias: 'mine (did:web)',
          services: [endpoint],
        })
        assert.deepEqual((await here.agent.didManagerFind()).length, 2)
        for (const kid of [made.kid, made.key.controllerKeyId!, made.web.controllerKeyId!]) {
          await here.agent.keyManagerSign({ keyRef: kid, data: 'x' })
        }
      })
      await here.stop()
    })

    it('let the adopted DIDs be changed and deleted', async () => {
      await fill(new SecretBox(LEGACY_KEY))
      await upgrade()
      const here = await install(folder, {
        providers: { 'did:web': new WebDIDProvider({ defaultKms: 'local' }) },
      })
      await inDefault(here, async () => {
        const { did } = made.web
        await here.agent.didManagerAddService({ did, service: service('#2'), options: { localOnly: true } })
        await here.agent.didManagerSetAlias({ did, alias: 'web' })
        const { services, alias } = await here.agent.didManagerGet({ did })
        assert.deepEqual([services.map(({ id }) => id), alias], [['#svc', '#2'], 'web'])
        await here.agent.didManagerDelete({ did })
        await here.agent.didManagerDelete({ did: made.key.did })
        assert.deepEqual(await here.agent.didManagerFind(), [])
      })
      assert.equal(await count(here, 'service'), 0)
      // A credential about the DID stays, one that it issued would not.
      assert.deepEqual(await here.database.query(sql`SELECT hash, "subjectDid" FROM credential`), [
        { hash: 'h', subjectDid: null },
      ])
      await here.stop()
    })

    it('give the account its first API key', async () => {
      await fill(new SecretBox(LEGACY_KEY))
      await upgrade()
      const here = await install(folder)
      const first = await here.accounts.firstStart()
      assert.equal((await here.accounts.authenticate(first?.apiKey ?? ''))?.name, 'default')
      await here.stop()
    })

    it('allow another account to hold the same key and DID', async () => {
      await fill(new SecretBox(LEGACY_KEY))
      await upgrade()
      const here = await install(folder)
      const other = await here.accounts.create('other')
      const { did, provider, controllerKeyId } = made.key
      const privateKeyHex = await inDefault(here, async () => {
        const key = await here.privateKeyStore.getKey({ alias: controllerKeyId ?? '' })
        return key.privateKeyHex
      })
      await as(other)(() =>
        here.agent.didManagerImport({
          did,
          provider,
          keys: [{ kms: 'local', type: 'Ed25519', privateKeyHex }],
        }),
      )
      await inDefault(here, () => here.agent.didManagerDelete({ did }))
      await as(other)(() => here.agent.keyManagerSign({ keyRef: controllerKeyId ?? '', data: 'x' }))
      await here.stop()
    })

    it('require the SecretBox that encrypted the private keys, but only once', async () => {
      await fill(new SecretBox(LEGACY_KEY))
      const database = await openDatabase()
      await assert.rejects(startKeyStore(database), hasCode('wrong_secret'))
      await assert.rejects(startKeyStore(database), /legacySecretBox/)
      await assert.rejects(startKeyStore(database, new SecretBox('ab'.repeat(32))), hasCode('wrong_secret'))
      const before = await database.query(sql`SELECT * FROM "private-key" ORDER BY alias`)
      await startKeyStore(database, new SecretBox(LEGACY_KEY))
      const after = await database.query<{ privateKeyHex: string }>(
        sql`SELECT * FROM "private-key" ORDER BY alias`,
      )
      assert.equal(after.length, before.length)
      assert.ok(after.every(({ privateKeyHex }) => privateKeyHex.startsWith('v1.')))
      await startKeyStore(database)
      await database.lifecycle.stop()
    })

    it('encrypt plaintext private keys', async () => {
      const clear = new (class extends SecretBox {
        override encrypt = async (message: string) => message
        override decrypt = async (message: string) => message
      })(LEGACY_KEY)
      await fill(clear)
      const here = await install(folder)
      const rows = await here.database.query<{ privateKeyHex: string }>(
        sql`SELECT "privateKeyHex" FROM "private-key"`,
      )
      assert.ok(rows.length === 3 && rows.every(({ privateKeyHex }) => privateKeyHex.startsWith('v1.')))
      await inDefault(here, () => here.agent.keyManagerSign({ keyRef: made.kid, data: 'x' }))
      await here.stop()
    })
  })
})
