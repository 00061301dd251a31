import assert from 'node:assert/strict'
import { Events } from '@vidimus/account-events'
import { Accounts, AuditLog } from '@vidimus/accounts'
import { HoldingsPlugin, UnitOfWork } from '@vidimus/custody'
import {
  placeText,
  runInAccountScope,
  type Account,
  type HeldDidQuery,
  type HeldKeyQuery,
} from '@vidimus/core-types'
import { Database, homeOf, homeOfDid, sql, type Sql } from '@vidimus/database'
import { CheqdLedgerPlugin } from '@vidimus/did-provider-cheqd'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { EmbeddedLedger } from '@vidimus/ledger-local'
import { StatusListStore } from '@vidimus/status-list-store'
import { accountStatusLists } from '../packages/remote-server/src/operations/account-status-lists.js'
import type { ServiceAgent } from '../packages/remote-server/src/service-agent.js'
import { migratedDatabase, PLACES } from './support/fresh-database.js'
import { TABLES } from './support/recount.js'
import { rowsRead, scansOf, searchesOf, statementsOf } from './support/statement-plans.js'

/** Objects of every kind that the small account lacks and its neighbour has. */
const MANY = 12_000
/** More than one page reads and counts of the small account; the batch size for a page of the large one. */
const MOST_READ = { small: 200, large: 2_200 }
/** For a page of the lists of an account, which asks for those of a hundred DIDs. */
const MOST_STATEMENTS = 210
const TYPE = 'BitstringStatusListCredential'
const NETWORK = 'did:cheqd:testnet:'

/** Each listing finds its page over an index, however many rows others have. */
for (const place of PLACES) {
  describe(`statements of listings (${place})`, () => {
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
      const { methods: ofLedger } = new CheqdLedgerPlugin({ ledgers: [ledger] })
      const agent = { ...methods, ...ofLedger } as unknown as ServiceAgent
      const listsFrom = (did: string, within = '') =>
        accountStatusLists(agent, [TYPE], { limit, after: placeText([did, within]) })
      const limit = 5
      const n = late(account.name)
      const [did, time, id] = [didOf(account, n), timeOf(n), `${account.id} ${n}`]
      const after = (...place: string[]) => ({ limit, after: placeText(place) })
      return {
        DIDs: () => dids({ limit }),
        'DIDs, a later page': async () => dids({ limit, after: (await dids({ limit })).next }),
        'DIDs, a late page': () => dids(after(did)),
        'DIDs with metadata': () => dids({ limit, metadata: true }),
        'DIDs of a network': () => dids({ limit, network: 'testnet' }),
        'DIDs of a network, a late page': () => dids({ ...after(did), network: 'testnet' }),
        'DIDs of a provider': () => dids({ limit, provider: 'did:rare' }),
        'DIDs of a provider, a late page': () => dids({ ...after(did), provider: 'did:cheqd' }),
        'DIDs of a key': () => dids({ limit, key: '100007' }),
        'DIDs by alias': () => dids({ limit, alias: 'alias 100007' }),
        'DIDs by the beginning of an alias': () => dids({ limit, alias: 'alias 10000*' }),
        'DIDs by the beginning of an alias, a late page': () =>
          dids({ ...after(`alias ${n}`), alias: 'alias*' }),
        'DIDs by time': () => dids({ limit, createdAfter: '2026-01-01T00:00:00Z' }),
        'DIDs by time, a late page': () =>
          dids({ ...after(time, did), createdAfter: '2026-01-01T00:00:00Z' }),
        'DIDs by time, from a later time': () =>
          dids({ ...after(timeOf('100001'), did), createdAfter: '2026-06-01T00:00:00.1119Z' }),
        'DIDs by time and provider': () =>
          dids({ limit, createdBefore: '2027-01-01T00:00:00Z', provider: 'did:rare' }),
        keys: () => keys({ limit }),
        'keys, a later page': async () => keys({ limit, after: (await keys({ limit })).next }),
        'keys, a late page': () => keys(after(n)),
        'keys of a KMS': () => keys({ limit, kms: 'hsm' }),
        'keys of a KMS, a late page': () => keys({ ...after(n), kms: 'local' }),
        'keys by alias': () => keys({ limit, alias: 'alias 100007' }),
        'keys by the beginning of an alias': () => keys({ limit, alias: 'alias 10000*' }),
        'keys by the beginning of an alias, a late page': () =>
          keys({ ...after(`alias ${n}`), alias: 'alias*' }),
        'keys by time': () => keys({ limit, createdAfter: '2026-01-01T00:00:00Z' }),
        'keys by time, a late page': () => keys({ ...after(time, n), createdBefore: '2027-01-01T00:00:00Z' }),
        'API keys': () => accounts.apiKeys.page(account, { limit }),
        'API keys, a late page': () => accounts.apiKeys.page(account, after(timeOf('100006'), id)),
        events: () => events.list({ limit }),
        'events of a rare type': () => events.list({ limit, types: ['did.deactivated'] }),
        'events of two types, after one': () =>
          events.list({ limit, types: ['did.deactivated', 'did.created'], after: '0000000000100003' }),
        webhooks: () => events.webhooks.list({ limit }),
        'webhooks, a late page': () => events.webhooks.list(after(timeOf('100006'), id)),
        'the audit trail': () => audit.list({ limit }),
        'the audit trail of an account': () => audit.list({ limit, account: account.name }),
        'the audit trail of a rare event': () => audit.list({ limit, event: 'did-deactivated' }),
        'the audit trail since a time': () => audit.list({ limit, since: '2026-12-01T00:00:00Z' }),
        'the own audit trail': () => audit.page(account, { limit }),
        'the own audit trail, deep inside': () =>
          audit.page(account, after(String(account.name === 'large' ? MANY : 12))),
        'the own audit trail of an event': () => audit.page(account, { limit, event: 'did-deactivated' }),
        payments: () => payments.list({ limit }),
        'payments, a late page': () => payments.list(after(timeOf('100006'), id)),
        'resources of a DID': () => ledger.listResources(collection, { limit }),
        'resources of a DID, a late page': () => ledger.listResources(collection, { limit, after: n }),
        'newest resources of a DID': () => ledger.findResources(collection, { limit }),
        'newest resources of a DID, a late page': () =>
          ledger.findResources(collection, { limit, after: { name: `name ${n}`, resourceType: TYPE } }),
        'status lists of a DID': () => ledger.findResources(collection, { limit, resourceType: TYPE }),
        'a status list by name': () =>
          ledger.findResources(collection, { limit, name: 'name 100007', resourceType: TYPE }),
        'how many lists a DID has': () => ledger.countResources(collection, [TYPE], 10_000),
        'status lists of the account': () => accountStatusLists(agent, [TYPE], { limit }),
        'status lists of the account, from a late DID': () => listsFrom(did),
        'status lists of the account, a late page of a DID': () =>
          listsFrom(publisherOf(account), placeText([`name ${n}`, TYPE])),
        'versions of a list': () => ledger.listResourceVersions(collection, 'name 100007', TYPE, { limit }),
      }
    }

    for (const size of ['small', 'large'] as const) {
      it(`read a bounded number of rows for a ${size} account, whatever others have`, async () => {
        const account = size === 'small' ? small : large
        for (const [what, work] of Object.entries(listingsOf(account))) {
          const statements = await statementsOf(database, () => runInAccountScope(account, work))
          assert.ok(statements.length > 0 && statements.length <= MOST_STATEMENTS, what)
          for (const statement of differing(statements).filter((one) => isSelect(one, size))) {
            const text = `${what}: ${statement.fragments.join('?')}`
            if (place === 'PostgreSQL') {
              assert.ok((await rowsRead(database, statement)) <= MOST_READ[size], text)
              continue
            }
            assert.deepEqual(await scansBeyond(database, statement, what), [], text)
            assert.deepEqual(await notGoneTo(database, statement), [], text)
          }
        }
      })
    }

    const onSqlite = place === 'SQLite' ? it : () => undefined
    onSqlite('count over an index that has all that is asked for', async () => {
      for (const [what, work] of Object.entries(listingsOf(large))) {
        // A key has few.
        if (what === 'DIDs of a key') continue
        const statements = await statementsOf(database, () => runInAccountScope(large, work))
        for (const statement of differing(statements).filter(isCountOfAll)) {
          const read = (await searchesOf(database, statement)).filter((one) => !one.includes('_pending'))
          assert.deepEqual(
            read.filter((one) => !one.includes('COVERING')),
            [],
            `${what}: ${statement.text('sqlite')}`,
          )
        }
      }
    })

    it('find existing objects', async () => {
      const found = async (what: string) =>
        JSON.stringify(await runInAccountScope(small, listingsOf(small)[what] ?? assert.fail(what)))
      for (const what of [
        'DIDs of a key',
        'DIDs by alias',
        'keys by alias',
        'a status list by name',
        'versions of a list',
      ]) {
        assert.match(await found(what), /100007/, what)
      }
      assert.match(await found('status lists of the account'), /100001.*100005/)
      for (const [what, work] of Object.entries(listingsOf(large))) {
        if (!what.endsWith('a late page')) continue
        const page = JSON.stringify(await runInAccountScope(large, work))
        assert.match(page, /API|webhook|payment/.test(what) ? /100005/ : /111996/, what)
      }
      assert.match(await found('events of a rare type'), /did\.deactivated/)
      assert.match(await found('the audit trail of an account'), /"account":"small"/)
      assert.match(await found('webhooks'), /"total":20/)
      assert.match(await found('API keys'), /"total":20/)
      assert.match(await found('payments'), /"total":20/)
    })
  })
}

/** Near the end, for those whose page is to be read. */
const late = (name: string): string => (name === 'large' ? '111995' : '100015')
const didOf = ({ id }: Pick<Account, 'id'>, n: string): string => `${NETWORK}${id.slice(0, 24)}000000${n}`
const publisherOf = ({ id }: Pick<Account, 'id'>): string => `${NETWORK}${id}`
const timeOf = (n: string): string => `2026-06-01T00:00:00.${n}Z`

/** Of those with the same text the last: nearly all of the DIDs publish nothing. */
const differing = (statements: readonly Sql[]): Sql[] => [
  ...new Map(statements.map((statement) => [statement.text('sqlite'), statement])).values(),
]

/**
 * Places that SQLite reads up to, instead of beginning there. Of a column that is bounded twice from below it takes one
 * bound, so that there may be one alone.
 */
async function notGoneTo(database: Database, statement: Sql): Promise<string[]> {
  const searches = await searchesOf(database, statement)
  const conditions = statement.text('sqlite').replaceAll(/CASE WHEN .*? END/g, '')
  return conditions.split('UNION ALL').flatMap((part) => {
    const places = placesIn(part)
    const twice = places.filter((one, n) => places.indexOf(one) !== n)
    return [...twice, ...places.filter((one) => !searches.some((search) => search.includes(one)))]
  })
}

const placesIn = (conditions: string): string[] =>
  [...conditions.matchAll(/(\([\w.," ]+\)|[\w."]+) ([<>])=? \(?\?/g)].map(([, columns = '', sign = '']) => {
    const names = columns.replaceAll(/[" ]/g, '').replaceAll(/\w+\./g, '')
    return `${names.includes(',') ? names : names.replaceAll(/[()]/g, '')}${sign}`
  })

/** What is counted to 10,000 of all that an account has, may as well be read whole while there is hardly more. */
const isSelect = ({ fragments: [first = ''] }: Sql, size: 'small' | 'large') =>
  /^\s*(SELECT|WITH)/.test(first) && !(size === 'large' && /^\s*SELECT COUNT/.test(first))

/** Rows excluded by a filter are still read. */
const isCountOfAll = (statement: Sql): boolean => {
  const text = statement.text('sqlite')
  return /^\s*SELECT COUNT/.test(text) && !/CASE WHEN (?!"n"."type")/.test(text)
}

/** Where SQLite goes from one end to the other by right: of what was cut to a page or a count already, and of the first event without a place. */
const CUT_ALREADY = ['w', 'c', 'n', 'account_event USING INDEX account_event_unplaced']
/** Beside these, pages of events of each type, and the whole trail from its newest row on. */
const FROM_ITS_END = ['the audit trail', 'events of a rare type', 'events of two types, after one']

const scansBeyond = async (database: Database, statement: Sql, what: string): Promise<string[]> =>
  (await scansOf(database, statement)).filter(
    (scan) => !CUT_ALREADY.includes(scan) && !(scan === 'e' && FROM_ITS_END.includes(what)),
  )

/** Rows as written by requests, but too many to wait for. */
async function fill(database: Database, account: string, amount: number): Promise<void> {
  const numbers = sql`WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${amount})`
  const n = sql`CAST(100000 + n AS TEXT)`
  const time = sql`'2026-06-01T00:00:00.' || ${n} || 'Z'`
  const rare = (usual: string, unusual: string) => sql`CASE WHEN n = 7 THEN ${unusual} ELSE ${usual} END`
  const id = sql`${account} || ' ' || ${n}`
  const did = sql`${NETWORK} || SUBSTR(${account}, 1, 24) || '000000' || ${n}`
  const home = sql`CAST(${homeOfDid(account)} AS INTEGER)`
  const all = [
    sql`INSERT INTO account_did (home, account_id, did, stored_did, alias, provider, version, pending, created_at)
      SELECT n % 1024, ${account}, ${did}, ${id}, 'alias ' || ${n}, ${rare('did:cheqd', 'did:rare')}, 1, 0, ${time} FROM s`,
    sql`INSERT INTO account_did_alias (home, account_id, alias, did)
      SELECT ${home}, ${account}, 'alias ' || ${n}, ${did} FROM s`,
    sql`INSERT INTO "key" (home, kid, kms, type, "publicKeyHex")
      SELECT ${home}, ${id}, ${rare('local', 'hsm')}, 'Ed25519', ${n} FROM s`,
    sql`INSERT INTO account_key (home, account_id, kid, stored_kid, alias, kms, created_at)
      SELECT ${home}, ${account}, ${n}, ${id}, 'alias ' || ${n}, ${rare('local', 'hsm')}, ${time} FROM s`,
    sql`INSERT INTO account_did_key (home, account_id, did, kid, position)
      SELECT ${home}, ${account}, ${did}, ${n}, 0 FROM s WHERE ${n} = '100007'`,
    sql`INSERT INTO api_key (id, account_id, hash, prefix_shown, created_at)
      SELECT ${id}, ${account}, ${id}, 'x', ${time} FROM s`,
    sql`INSERT INTO account_event (home, position, account_id, time, type, subject)
      SELECT ${home}, 100000 + n, ${account}, ${time}, ${rare('did.created', 'did.deactivated')}, ${n} FROM s`,
    sql`INSERT INTO webhook (id, account_id, url, sealed_secret, created_at)
      SELECT ${id}, ${account}, 'https://a.example', 'x', ${time} FROM s`,
    sql`INSERT INTO audit_event (home, time, event, outcome, account_id, occurrences)
      SELECT ${home}, ${time}, ${rare('did-created', 'did-deactivated')}, 'done', ${account}, 1 FROM s`,
    sql`INSERT INTO status_list_payment (id, account_id, network, did, list_name, resource_type, address, amount,
        state, holder, begun_at, tx_hash, paid_at)
      SELECT ${id}, ${account}, 'testnet', ${did}, 'x', ${TYPE}, ${id}, '1ncheq', 'settled', 'x', ${time}, ${n}, ${time}
      FROM s`,
    sql`INSERT INTO ledger_resource (home, network, collection_id, id, height, name, type, version, media_type, created,
        checksum, also_known_as, size, previous_version_id, next_version_id, account_id)
      SELECT ${home}, 'testnet', ${account}, ${n}, n, 'name ' || ${n}, ${TYPE}, '', 'x', ${time}, ${n}, '[]', 1, '', '',
        ${account} FROM s`,
    sql`INSERT INTO ledger_resource_latest (home, network, collection_id, name, type, resource_id, versions)
      SELECT ${home}, 'testnet', ${account}, 'name ' || ${n}, ${TYPE}, ${n}, 1 FROM s`,
  ]
  await database.write(async (connection) => {
    for (const insert of all) await connection.run(sql`${numbers} ${insert}`)
    await connection.run(
      sql`INSERT INTO account_did (home, account_id, did, stored_did, provider, version, pending, created_at)
        VALUES (${homeOfDid(account)}, ${account}, ${publisherOf({ id: account })}, ${account}, 'did:cheqd', 1, 0, '2026-05-01T00:00:00Z')`,
    )
    await connection.run(
      sql`INSERT INTO account_tally (account_id, kind, home, n)
        VALUES (${account}, 'dids', ${homeOf(account)}, ${amount + 1}), (${account}, 'keys', ${homeOf(account)}, ${amount})`,
    )
  })
}
