import assert from 'node:assert/strict'
import { runInAccountScope, type Account } from '@vidimus/core-types'
import { Database, homeOf, homeOfDid, Sql, sql } from '@vidimus/database'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { newKeyPair } from '@vidimus/verification-methods'
import { freshDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { entities, migrations } from '../index.js'
import { hasCode, install, removeFolder, SECRET, temporaryFolder, type Installation } from './set-up.js'

const ACCOUNT: Account = {
  id: 'b0a7e1c4-6f5a-4d21-8d4a-2b6f9b0c7d11',
  name: 'acme',
  createdAt: '2026-01-01T00:00:00.000Z',
}
const scoped = (name: string) => `${ACCOUNT.id}:${name}`
const MADE = 'did:web:made.example'
const ADOPTED = 'did:web:adopted.example'
const PENDING = 'did:cheqd:testnet:4a0ba1c4-6f5a-4d21-8d4a-2b6f9b0c7d11'
const LOST = 'did:cheqd:testnet:1f0ba1c4-6f5a-4d21-8d4a-2b6f9b0c7d11'
const TIME = ACCOUNT.createdAt
const KEYS = ['linked', 'adopted', 'lone'].map((kid) => ({ kid, ...newKeyPair('Ed25519') }))

/** As the version before has left them. */
function rowsBefore(): Sql[] {
  const envelope = new PrivateKeyEnvelope({ secret: SECRET })
  const sealed = (alias: string, hex: string) => envelope.seal(hex, [ACCOUNT.id, alias, 'Ed25519'])
  const stored = (name: string) => (name === 'adopted' ? name : scoped(name))
  const keys = KEYS.flatMap(({ kid, publicKeyHex, privateKeyHex }) => [
    sql`INSERT INTO account_key (account_id, kid, stored_kid, alias, created_at, kms)
      VALUES (${ACCOUNT.id}, ${kid}, ${stored(kid)}, ${`label of ${kid}`}, ${TIME}, 'local')`,
    sql`INSERT INTO "key" (kid, kms, type, "publicKeyHex")
      VALUES (${stored(kid)}, 'local', 'Ed25519', ${publicKeyHex})`,
    sql`INSERT INTO account_private_key (account_id, alias, stored_alias) VALUES (${ACCOUNT.id}, ${kid}, ${stored(kid)})`,
    sql`INSERT INTO "private-key" (alias, type, "privateKeyHex")
      VALUES (${stored(kid)}, 'Ed25519', ${sealed(kid, privateKeyHex)})`,
  ])
  const dids = [
    [MADE, scoped(MADE), 'linked', 'one'],
    [ADOPTED, ADOPTED, 'adopted', null],
  ] as const
  const held = dids.flatMap(([did, name, kid, alias], n) => [
    sql`INSERT INTO account_did (account_id, did, stored_did, alias, provider, version, pending, created_at)
      VALUES (${ACCOUNT.id}, ${did}, ${name}, ${alias}, 'did:web', 3, 0, ${`${TIME}${n}`})`,
    sql`INSERT INTO identifier (did, provider, "saveDate", "updateDate", "controllerKeyId")
      VALUES (${name}, 'did:web', '2026-01-01', '2026-01-01', ${kid})`,
    sql`INSERT INTO account_did_key (account_id, did, kid, position) VALUES (${ACCOUNT.id}, ${did}, ${kid}, 0)`,
    sql`INSERT INTO service (id, type, "serviceEndpoint") VALUES (${`service of ${did}`}, 'Hub', 'https://hub.example')`,
    sql`INSERT INTO account_service (account_id, did, id, stored_id, position)
      VALUES (${ACCOUNT.id}, ${did}, '#hub', ${`service of ${did}`}, 0)`,
    sql`INSERT INTO account_key_network (account_id, public_key, network) VALUES (${ACCOUNT.id}, ${kid}, 'testnet')`,
    sql`INSERT INTO web_did (did, account_id) VALUES (${did}, ${ACCOUNT.id})`,
  ])
  return [
    sql`INSERT INTO account (id, name, created_at) VALUES (${ACCOUNT.id}, ${ACCOUNT.name}, ${TIME})`,
    ...keys,
    ...held,
    sql`INSERT INTO account_did (account_id, did, stored_did, alias, version, pending, created_at)
      VALUES (${ACCOUNT.id}, ${PENDING}, ${scoped(PENDING)}, 'two', 0, 1, ${TIME})`,
    sql`INSERT INTO did_creation (account_id, did, identifier, made, owner, created_at)
      VALUES (${ACCOUNT.id}, ${PENDING}, ${JSON.stringify({ did: PENDING, keys: [], services: [] })},
        '{"keys":[],"privateKeys":[]}', '{"creation":"c"}', ${TIME})`,
    sql`INSERT INTO undone_did_creation (creation, account_id, did, identifier, keys, undone_at, next_look_at)
      VALUES ('undone', ${ACCOUNT.id}, ${LOST}, '{}', '[]', ${TIME}, '9')`,
    sql`INSERT INTO undone_private_key (stored_alias, creation, account_id, alias)
      VALUES ('hidden', 'undone', ${ACCOUNT.id}, 'gone')`,
    sql`INSERT INTO "private-key" (alias, type, "privateKeyHex") VALUES ('hidden', 'Ed25519', ${sealed('gone', 'ab')})`,
    sql`INSERT INTO idempotency_record (id, account_id, key_digest, content_digest, beats, expires_at)
      VALUES ('record', ${ACCOUNT.id}, 'k', 'c', 0, '9')`,
    sql`INSERT INTO idempotent_creation (mark, record_id, account_id, did)
      VALUES ('record/0', 'record', ${ACCOUNT.id}, ${MADE})`,
    sql`INSERT INTO idempotent_creation (mark, record_id, account_id, kid)
      VALUES ('record/1', 'record', ${ACCOUNT.id}, 'lone')`,
    sql`INSERT INTO "key" (kid, kms, type, "publicKeyHex") VALUES ('of nobody', 'local', 'Ed25519', '00')`,
  ]
}

const OF_ACCOUNT = [
  ...['account_key', 'account_did_key', 'account_private_key', 'account_key_network', 'account_did_alias'],
  ...['undone_did_creation', 'undone_private_key', 'idempotent_creation', 'private-key'],
]
const OF_DID = ['account_did', 'account_service', 'did_creation', 'web_did']

for (const place of PLACES) {
  describe(`homes of what accounts hold (${place})`, () => {
    let url: string
    let folder: string
    let here: Installation
    before(async () => {
      url = await freshDatabase(place)
      folder = await temporaryFolder()
      const former = migrations.slice(
        0,
        migrations.findIndex(({ name }) => name.startsWith('AddHomesToHoldings')),
      )
      const old = new Database({ url, migrations: [former], entities: [entities] })
      await old.lifecycle.start()
      await old.write(async (connection) => {
        for (const statement of rowsBefore()) await connection.run(statement)
      })
      await old.lifecycle.stop()
      here = await install(folder, { url })
    })
    after(async () => {
      await here.stop()
      await removeFolder(folder)
    })
    const inScope = <T>(work: () => Promise<T>) => runInAccountScope(ACCOUNT, work)
    const rowsOf = <Row>(table: string, columns: string) =>
      here.database.query<Row>(new Sql([`SELECT ${columns} FROM "${table}"`], []))

    it('are those of the account or of the DID, in every row', async () => {
      for (const table of OF_ACCOUNT) {
        const homes = (await rowsOf<{ home: number }>(table, 'home')).map(({ home }) => home)
        assert.deepEqual([table, [...new Set(homes)]], [table, [homeOf(ACCOUNT.id)]])
      }
      for (const table of OF_DID) {
        const rows = await rowsOf<{ home: number; did: string }>(table, 'home, did')
        assert.ok(rows.length > 0, table)
        for (const { home, did } of rows) assert.equal(home, homeOfDid(did), `${table} ${did}`)
      }
      const keys = await rowsOf<{ home: number; kid: string }>('key', 'home, kid')
      assert.equal(keys.length, 4)
      for (const { home, kid } of keys)
        assert.equal(home, kid === 'of nobody' ? homeOfDid(kid) : homeOf(ACCOUNT.id))
      const services = await rowsOf<{ home: number }>('service', 'home')
      assert.deepEqual(services.map(({ home }) => home).sort(), [MADE, ADOPTED].map(homeOfDid).sort())
      const identifiers = await rowsOf<{ did: string }>('identifier', 'did')
      assert.deepEqual(identifiers, [{ did: ADOPTED }])
    })

    it('let everything be found, signed with and changed as before', async () => {
      await inScope(async () => {
        const { agent } = here
        for (const [did, kid] of [
          [MADE, 'linked'],
          [ADOPTED, 'adopted'],
        ] as const) {
          const found = await agent.didManagerGet({ did })
          assert.deepEqual(
            [found.provider, found.controllerKeyId, found.keys.map((key) => key.kid)],
            ['did:web', kid, [kid]],
          )
          assert.deepEqual(found.services, [
            { id: '#hub', type: 'Hub', serviceEndpoint: 'https://hub.example' },
          ])
        }
        for (const { kid } of KEYS) assert.ok(await agent.keyManagerSign({ keyRef: kid, data: 'x' }))
        assert.equal((await agent.didManagerGetByAlias({ alias: 'one' })).did, MADE)
        await agent.didManagerSetAlias({ did: ADOPTED, alias: 'three' })
        assert.equal((await agent.didManagerGetByAlias({ alias: 'three' })).did, ADOPTED)
      })
    })

    it('keep aliases of DIDs unique, those of creations under way as well', async () => {
      await inScope(async () => {
        for (const alias of ['one', 'two']) {
          const taken = here.didStore.importDID({
            did: ADOPTED,
            provider: 'did:web',
            alias,
            keys: [],
            services: [],
          })
          await assert.rejects(taken, hasCode('alias_taken'))
        }
      })
    })

    it('refuse rows whose references have another home', async () => {
      const other = (homeOf(ACCOUNT.id) + 1) % 1024
      for (const stray of [
        sql`INSERT INTO account_did_key (home, account_id, did, kid, position)
          VALUES (${other}, ${ACCOUNT.id}, ${MADE}, 'lone', 1)`,
        sql`INSERT INTO did_creation (home, account_id, did, identifier, made, owner, created_at)
          VALUES (${(homeOfDid(MADE) + 1) % 1024}, ${ACCOUNT.id}, ${MADE}, '', '', '', '')`,
        sql`INSERT INTO undone_private_key (home, stored_alias, creation, account_id, alias)
          VALUES (${other}, 'x', 'undone', ${ACCOUNT.id}, 'x')`,
      ]) {
        const refused = here.database.write((connection) => connection.run(stray))
        await assert.rejects(refused, /FOREIGN KEY|foreign key/)
      }
    })

    it('leave nothing behind of what is deleted', async () => {
      await inScope(async () => {
        for (const did of [MADE, ADOPTED]) await here.didStore.deleteDID({ did })
        for (const { kid } of KEYS) await here.agent.keyManagerDelete({ kid })
      })
      const left = [
        'account_did_key',
        'account_service',
        'service',
        'idempotent_creation',
        'account_private_key',
      ]
      for (const table of left) assert.deepEqual([table, await rowsOf(table, 'home')], [table, []])
      assert.deepEqual(await rowsOf('account_did_alias', 'alias'), [{ alias: 'two' }])
      assert.deepEqual(await rowsOf('identifier', 'did'), [])
    })
  })
}
