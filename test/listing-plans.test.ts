import assert from 'node:assert/strict'
import { Events } from '@vidimus/account-events'
import { Accounts, AuditLog, HoldingsPlugin, UnitOfWork } from '@vidimus/account-manager'
import { runInAccountScope, type Account, type HeldDidQuery, type HeldKeyQuery } from '@vidimus/core-types'
import { Database, sql, type Sql } from '@vidimus/database'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { EmbeddedLedger } from '@vidimus/ledger-local'
import { StatusListStore } from '@vidimus/status-list-store'
import { migratedDatabase, PLACES } from './support/fresh-database.js'
import { TABLES } from './support/recount.js'
import { rowsRead, scansOf, statementsOf } from './support/statement-plans.js'

/** What the account that is asked for has not, and its neighbour has, of everything. */
const MANY = 12_000
/** More than a page reads and is counted of the small account; what is looked through at once for a page of the large one. */
const MOST_READ = { small: 200, large: 2_200 }
const TYPE = 'BitstringStatusListCredential'

/** Each listing finds its page over an index, however many rows others have. */
for (const place of PLACES) {
  describe(`the statements of listings (${place})`, () => {
    let database: Database
    let accounts: Accounts
    let small: Account
    let large: Account

    before(async () => {
      database = new Database({ url: await migratedDatabase(place, TABLES), ...TABLES })
      await database.lifecycle.start()
      accounts = new Accounts(database)
      small = await accounts.create('small')
      large = await accounts.create('large')
      await fill(database, small.id, 20)
      await fill(database, large.id, MANY)
      if (place === 'PostgreSQL') await database.write((connection) => connection.run(sql`ANALYZE`))
    })
    after(() => database.lifecycle.stop())

    function listingsOf(account: Account): Record<string, () => Promise<unknown>> {
      const [of, collection] = [database, account.id]
      const envelope = new PrivateKeyEnvelope({ secret: 'ab'.repeat(32) })
      const { methods } = new HoldingsPlugin(new UnitOfWork(of))
      const dids = (query: HeldDidQuery) => methods.accountDidList(query)
      const keys = (query: HeldKeyQuery) => methods.accountKeyList(query)
      const events = new Events(of, envelope)
      const audit = new AuditLog(of)
      const ledger = new EmbeddedLedger({ network: 'testnet', database: of })
      const { payments } = new StatusListStore({ database: of, envelope })
      const limit = 5
      return {
        DIDs: () => dids({ limit }),
        'DIDs, a later page': async () => dids({ limit, after: (await dids({ limit })).next }),
        'DIDs with metadata': () => dids({ limit, metadata: true }),
        'DIDs of a network': () => dids({ limit, network: 'testnet' }),
        'DIDs of a provider': () => dids({ limit, provider: 'did:rare' }),
        'DIDs by alias': () => dids({ limit, alias: 'alias 100007' }),
        'DIDs by the beginning of an alias': () => dids({ limit, alias: 'alias 10000*' }),
        'DIDs by time': () => dids({ limit, createdAfter: '2026-01-01T00:00:00Z' }),
        'DIDs by time and provider': () =>
          dids({ limit, createdBefore: '2027-01-01T00:00:00Z', provider: 'did:rare' }),
        keys: () => keys({ limit }),
        'keys, a later page': async () => keys({ limit, after: (await keys({ limit })).next }),
        'keys of a KMS': () => keys({ limit, kms: 'hsm' }),
        'keys by alias': () => keys({ limit, alias: 'alias 100007' }),
        'keys by the beginning of an alias': () => keys({ limit, alias: 'alias 10000*' }),
        'keys by time': () => keys({ limit, createdAfter: '2026-01-01T00:00:00Z' }),
        'API keys': () => accounts.apiKeys.page(account, { limit }),
        events: () => events.list({ limit }),
        'events of a rare type': () => events.list({ limit, types: ['did.deactivated'] }),
        'events of two types, after one': () =>
          events.list({ limit, types: ['did.deactivated', 'did.created'], after: '0000000000100003' }),
        webhooks: () => events.webhooks.list({ limit }),
        'the audit trail': () => audit.list({ limit }),
        'the audit trail of an account': () => audit.list({ limit, account: account.name }),
        'the audit trail of a rare event': () => audit.list({ limit, event: 'did-deactivated' }),
        'the audit trail since a time': () => audit.list({ limit, since: '2026-12-01T00:00:00Z' }),
        payments: () => payments.list({ limit }),
        'resources of a DID': () => ledger.listResources(collection, { limit }),
        'newest resources of a DID': () => ledger.findResources(collection, { limit }),
        'status lists of a DID': () => ledger.findResources(collection, { limit, resourceType: TYPE }),
        'a status list by name': () =>
          ledger.findResources(collection, { limit, name: 'name 100007', resourceType: TYPE }),
        'how many lists a DID has': () => ledger.countResources(collection, [TYPE], 10_000),
        'versions of a list': () => ledger.listResourceVersions(collection, 'name 100007', TYPE, { limit }),
      }
    }

    for (const size of ['small', 'large'] as const) {
      it(`read a bounded number of rows of a ${size} account, whoever has more`, async () => {
        const account = size === 'small' ? small : large
        for (const [what, work] of Object.entries(listingsOf(account))) {
          const statements = await statementsOf(database, () => runInAccountScope(account, work))
          assert.ok(statements.length > 0, what)
          for (const statement of statements.filter((one) => isSelect(one, size))) {
            const text = `${what}: ${statement.fragments.join('?')}`
            if (place === 'SQLite') assert.deepEqual(await scansBeyond(database, statement, what), [], text)
            else assert.ok((await rowsRead(database, statement)) <= MOST_READ[size], text)
          }
        }
      })
    }

    it('find what is there', async () => {
      const found = async (what: string) =>
        JSON.stringify(await runInAccountScope(small, listingsOf(small)[what] ?? assert.fail(what)))
      for (const what of ['DIDs by alias', 'keys by alias', 'a status list by name', 'versions of a list']) {
        assert.match(await found(what), /100007/, what)
      }
      assert.match(await found('events of a rare type'), /did\.deactivated/)
      assert.match(await found('the audit trail of an account'), /"account":"small"/)
      assert.match(await found('webhooks'), /"total":20/)
      assert.match(await found('API keys'), /"total":20/)
      assert.match(await found('payments'), /"total":20/)
    })
  })
}

/** What is counted to 10,000 of all that an account has, may as well be read whole while there is hardly more. */
const isSelect = ({ fragments: [first = ''] }: Sql, size: 'small' | 'large') =>
  /^\s*(SELECT|WITH)/.test(first) && !(size === 'large' && /^\s*SELECT COUNT/.test(first))

/** Where SQLite goes from one end to the other by right: of what was cut to a page or a count already. */
const CUT_ALREADY = ['w', 'c', 'n']
/** Beside these, pages of events of each type, and the whole trail from its newest row on. */
const FROM_ITS_END = ['the audit trail', 'events of a rare type', 'events of two types, after one']

const scansBeyond = async (database: Database, statement: Sql, what: string): Promise<string[]> =>
  (await scansOf(database, statement)).filter(
    (scan) => !CUT_ALREADY.includes(scan) && !(scan === 'e' && FROM_ITS_END.includes(what)),
  )

/** Rows as requests leave them, so many that nobody waits for the requests. */
async function fill(database: Database, account: string, amount: number): Promise<void> {
  const numbers = sql`WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${amount})`
  const n = sql`CAST(100000 + n AS TEXT)`
  const time = sql`'2026-06-01T00:00:00.' || ${n} || 'Z'`
  const rare = (usual: string, unusual: string) => sql`CASE WHEN n = 7 THEN ${unusual} ELSE ${usual} END`
  const id = sql`${account} || ' ' || ${n}`
  const did = sql`'did:cheqd:testnet:' || ${account} || ${n}`
  const all = [
    sql`INSERT INTO identifier (did, provider, "saveDate", "updateDate")
      SELECT ${id}, ${rare('did:cheqd', 'did:rare')}, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP FROM s`,
    sql`INSERT INTO account_did (account_id, did, stored_did, alias, provider, version, pending, created_at)
      SELECT ${account}, ${did}, ${id}, 'alias ' || ${n}, ${rare('did:cheqd', 'did:rare')}, 1, 0, ${time} FROM s`,
    sql`INSERT INTO "key" (kid, kms, type, "publicKeyHex")
      SELECT ${id}, ${rare('local', 'hsm')}, 'Ed25519', ${n} FROM s`,
    sql`INSERT INTO account_key (account_id, kid, stored_kid, alias, kms, created_at)
      SELECT ${account}, ${n}, ${id}, 'alias ' || ${n}, ${rare('local', 'hsm')}, ${time} FROM s`,
    sql`INSERT INTO api_key (id, account_id, hash, prefix_shown, created_at)
      SELECT ${id}, ${account}, ${id}, 'x', ${time} FROM s`,
    sql`INSERT INTO account_event (position, account_id, time, type, subject)
      SELECT 100000 + n, ${account}, ${time}, ${rare('did.created', 'did.deactivated')}, ${n} FROM s`,
    sql`INSERT INTO webhook (id, account_id, url, sealed_secret, created_at, failures)
      SELECT ${id}, ${account}, 'https://a.example', 'x', ${time}, 0 FROM s`,
    sql`INSERT INTO audit_event (time, event, outcome, account_id, occurrences)
      SELECT ${time}, ${rare('did-created', 'did-deactivated')}, 'done', ${account}, 1 FROM s`,
    sql`INSERT INTO status_list_payment (id, account_id, network, did, list_name, resource_type, address, amount,
        state, holder, begun_at, tx_hash, paid_at)
      SELECT ${id}, ${account}, 'testnet', ${did}, 'x', ${TYPE}, ${id}, '1ncheq', 'settled', 'x', ${time}, ${n}, ${time}
      FROM s`,
    sql`INSERT INTO ledger_resource (network, collection_id, id, height, name, type, version, media_type, created,
        checksum, also_known_as, size, previous_version_id, next_version_id, account_id)
      SELECT 'testnet', ${account}, ${n}, n, 'name ' || ${n}, ${TYPE}, '', 'x', ${time}, ${n}, '[]', 1, '', '',
        ${account} FROM s`,
    sql`INSERT INTO ledger_resource_latest (network, collection_id, name, type, resource_id, versions)
      SELECT 'testnet', ${account}, 'name ' || ${n}, ${TYPE}, ${n}, 1 FROM s`,
  ]
  await database.write(async (connection) => {
    for (const insert of all) await connection.run(sql`${numbers} ${insert}`)
    await connection.run(
      sql`INSERT INTO account_tally (account_id, kind, n)
        VALUES (${account}, 'dids', ${amount}), (${account}, 'keys', ${amount})`,
    )
  })
}
