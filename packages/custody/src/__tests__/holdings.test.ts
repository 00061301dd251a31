import assert from 'node:assert/strict'
import type { Account, HeldDidQuery, HeldKeyQuery, IHoldings } from '@vidimus/core-types'
import { homeOf, homeOfDid, joinSql, Sql, sql, type Database } from '@vidimus/database'
import { HoldingsPlugin } from '../index.js'
import { readHeldDids } from '../held-dids.js'
import { readHeldKeys } from '../held-keys.js'
import {
  accountNamed,
  as,
  hasCode,
  install,
  removeFolder,
  temporaryFolder,
  type Installation,
} from './set-up.js'

const MANY = 10_500
/** As SQLite takes so many values in one statement. */
const TOGETHER = 5_000

const DID_QUERIES = [
  {},
  { network: 'testnet' },
  { provider: 'did:rare' },
  { alias: 'alias 7' },
  { alias: 'alias 7*' },
  { createdAfter: timeOf(3) },
  { createdAfter: timeOf(3), provider: 'did:rare' },
] as const satisfies HeldDidQuery[]

const KEY_QUERIES = [
  {},
  { kms: 'hsm' },
  { alias: 'key 7' },
  { alias: 'key 7*' },
  { createdAfter: timeOf(3) },
  { createdAfter: timeOf(3), kms: 'hsm' },
] as const satisfies HeldKeyQuery[]

/** Whatever one holds, a page of it is read alone. */
describe('DIDs of an account', () => {
  let folder: string
  let here: Installation
  let account: Account
  let list: IHoldings['accountDidList']
  let listKeys: IHoldings['accountKeyList']

  before(async () => {
    folder = await temporaryFolder()
    here = await install(folder)
    account = await accountNamed(here, 'one')
    const other = await accountNamed(here, 'two')
    for (const { id } of [account, other]) await fill(here.database, id, id === account.id ? MANY : 3)
    const { methods } = new HoldingsPlugin(here.unit)
    list = (query) => as(account)(() => methods.accountDidList(query))
    listKeys = (query) => as(account)(() => methods.accountKeyList(query))
  })
  after(async () => {
    await here.stop()
    await removeFolder(folder)
  })

  const numbers = (dids: readonly { did: string }[]) => dids.map(({ did }) => Number(did.slice(-6)))

  const kids = ({ keys }: { keys: readonly { kid: string }[] }) => keys.map(({ kid }) => Number(kid))

  it('have keys, which are paginated too', async () => {
    const first = await listKeys({ limit: 2 })
    assert.deepEqual([first.total, 'totalIsExact' in first], [MANY, false])
    assert.deepEqual(first.keys[0], {
      kid: '000001',
      type: 'Ed25519',
      publicKeyHex: '1',
      kms: 'local',
      alias: 'key 1',
      createdAt: timeOf(1),
    })
    assert.deepEqual(await listKeys({ limit: 2, after: first.next }), await listKeys({ limit: 2, page: 2 }))
    assert.deepEqual(kids(await listKeys({ page: 100 }))[99], 10_000)
    await assert.rejects(listKeys({ page: 101 }), /after/)
    await assert.rejects(listKeys({ alias: '*' }), hasCode('invalid_input'))
  })

  it('have keys, which can be searched by alias, KMS and time', async () => {
    assert.deepEqual(kids(await listKeys({ alias: 'key 7' })), [7])
    assert.equal((await listKeys({ alias: 'key 100*' })).total, 111)
    assert.deepEqual(kids(await listKeys({ kms: 'hsm' })), [5000, 10_000])
    const all = await listKeys({ kms: 'local' })
    assert.deepEqual([all.total, all.totalIsExact], [10_000, false])
    assert.deepEqual(kids(await listKeys({ createdAfter: timeOf(3), createdBefore: timeOf(7) })), [4, 5, 6])
    assert.deepEqual(kids(await listKeys({ createdAfter: timeOf(3), kms: 'hsm' })), [5000, 10_000])
  })

  it('are paginated by number and, without limit, by cursor', async () => {
    const first = await list({})
    assert.equal(first.total, MANY)
    assert.equal('totalIsExact' in first, false)
    assert.deepEqual(
      numbers(first.dids),
      Array.from({ length: 100 }, (_, n) => n + 1),
    )
    const second = await list({ page: 2 })
    assert.deepEqual(await list({ after: first.next }), second)
    const seen: number[] = []
    for (let after: string | undefined, n = 0; n === 0 || after !== undefined; n++) {
      const { dids, next } = await list({ limit: 1000, ...(after !== undefined && { after }) })
      seen.push(...numbers(dids))
      after = next
    }
    assert.deepEqual(
      seen,
      Array.from({ length: MANY }, (_, n) => n + 1),
    )
  })

  it('have page numbers up to 10,000 entries, after which the response has a cursor', async () => {
    assert.deepEqual(numbers((await list({ page: 100 })).dids)[99], 10_000)
    for (const query of [
      { page: 101 },
      { limit: 1001 },
      { page: 2, after: 'x' },
      { after: 'x' },
      { limit: 0 },
    ]) {
      await assert.rejects(list(query), hasCode('invalid_input'), JSON.stringify(query))
    }
    await assert.rejects(list({ page: 101 }), /after/)
  })

  it('can be searched by alias, provider, network and time, and are counted up to 10,000', async () => {
    assert.deepEqual(numbers((await list({ alias: 'alias 7' })).dids), [7])
    assert.deepEqual(await list({ alias: 'none' }), { total: 0, dids: [] })
    const prefixed = await list({ alias: 'alias 100*' })
    assert.equal(prefixed.total, 111)
    assert.deepEqual(numbers(prefixed.dids).slice(0, 3), [100, 1000, 10_000])
    const testnet = await list({ network: 'testnet' })
    assert.deepEqual([testnet.total, testnet.totalIsExact], [10_000, false])
    assert.deepEqual((await list({ network: 'mainnet' })).total, 0)
    const ofProvider = await list({ provider: 'did:rare' })
    assert.deepEqual([ofProvider.total, numbers(ofProvider.dids)], [2, [5000, 10_000]])
    const between = await list({ createdAfter: timeOf(3), createdBefore: timeOf(7) })
    assert.deepEqual([between.total, numbers(between.dids)], [3, [4, 5, 6]])
  })

  it('appear exactly once in the pages of every search', async () => {
    const allOf = async (query: HeldDidQuery) => {
      const seen: number[] = []
      for (let after: string | undefined, n = 0; n === 0 || after !== undefined; n++) {
        const page = await list({ ...query, limit: 4, ...(after !== undefined && { after }) })
        seen.push(...numbers(page.dids))
        after = page.next
      }
      return seen.sort((one, other) => one - other)
    }
    const [seconds, aliased] = [
      [4, 5, 6, 7, 8, 9, 10, 11],
      [1049, ...Array.from({ length: 10 }, (_, n) => 10_490 + n)],
    ]
    assert.deepEqual(await allOf({ createdAfter: timeOf(3), createdBefore: timeOf(12) }), seconds)
    assert.deepEqual(await allOf({ createdBefore: timeOf(12) }), [1, 2, 3, ...seconds])
    assert.deepEqual(
      await allOf({ createdAfter: timeOf(MANY - 5) }),
      [10_496, 10_497, 10_498, 10_499, 10_500],
    )
    assert.deepEqual(await allOf({ alias: 'alias 1049*' }), aliased)
    const [place = ''] = (await list({ createdAfter: timeOf(0), limit: 2 })).next?.split(' ') ?? []
    assert.deepEqual(numbers((await list({ createdAfter: timeOf(7), limit: 2, after: place })).dids), [8, 9])
  })

  it('are counted without those still being created', async () => {
    const mark = (pending: number) =>
      here.database.write((connection) =>
        connection.run(sql`UPDATE account_did SET pending = ${pending}
          WHERE account_id = ${account.id} AND alias IN ('alias 10490', 'alias 10491')`),
      )
    await mark(1)
    try {
      assert.equal((await list({})).total, MANY - 2)
      assert.equal((await list({ alias: 'alias 1049*' })).total, 9)
      assert.equal((await list({ network: 'testnet', createdAfter: timeOf(MANY - 20) })).total, 18)
    } finally {
      await mark(0)
    }
  })

  it('are scanned in a bounded number, and a short page has a cursor', async () => {
    const query = { createdAfter: timeOf(0), provider: 'did:rare' }
    const first = await list(query)
    assert.deepEqual(numbers(first.dids), [5000, 10_000])
    assert.deepEqual([first.total, first.totalIsExact], [2, false])
    assert.notEqual(first.next, undefined)
    assert.deepEqual((await list({ ...query, after: first.next })).dids, [])
  })

  it("are never silently truncated: Veramo's method requires limit and after if there are too many", async () => {
    const find = (args: object) => as(account)(() => here.agent.didManagerFind(args))
    await assert.rejects(
      find({}),
      (error: Error) => hasCode('invalid_input')(error) && /limit.*after/.test(error.message),
    )
    const schema = here.agent.getSchema() as {
      components: { schemas: { IDIDManagerFindArgs: { properties: object } } }
    }
    const { properties } = schema.components.schemas.IDIDManagerFindArgs
    assert.deepEqual(Object.keys(properties).sort(), ['after', 'alias', 'limit', 'provider'])
    const first = await find({ limit: 2 })
    assert.deepEqual(numbers(first), [1, 2])
    assert.deepEqual(numbers(await find({ limit: 2, after: first[1]?.did })), [3, 4])
    assert.deepEqual(numbers(await find({ provider: 'did:rare' })), [5000, 10_000])
  })

  it('are counted as they are created and deleted', async () => {
    const made = await as(account)(() => here.agent.didManagerCreate({ provider: 'did:key' }))
    assert.equal((await list({})).total, MANY + 1)
    assert.equal((await listKeys({})).total, MANY + 1)
    const [newest] = (await listKeys({ createdAfter: '2026-02-01T00:00:00Z' })).keys
    assert.deepEqual([newest?.kid, newest?.kms], [made.controllerKeyId, 'local'])
    assert.deepEqual((await list({ provider: 'did:key', metadata: true })).dids, [
      { did: made.did, provider: 'did:key', controllerKeyId: made.controllerKeyId, services: [] },
    ])
    await as(account)(() => here.agent.didManagerDelete({ did: made.did }))
    assert.equal((await list({})).total, MANY)
  })

  it('with metadata stay within the size limit of a response', async () => {
    const services = Array.from({ length: 10 }, (_, n) => ({
      id: `${n}`,
      type: 'A',
      serviceEndpoint: `https://a.example/${'x'.repeat(4000)}`,
    }))
    const dids = Array.from({ length: 40 }, (_, n) => `did:web:long${String(n + 10)}.example`)
    for (const did of dids) {
      await as(account)(() => here.didStore.importDID({ did, provider: 'did:web', keys: [], services }))
    }
    const first = await list({ provider: 'did:web', metadata: true })
    assert.ok(first.dids.length < 40 && JSON.stringify(first).length < 1_010_000)
    const second = await list({ provider: 'did:web', metadata: true, after: first.next })
    assert.deepEqual(
      [...first.dids, ...second.dids].map(({ did }) => did),
      dids,
    )
    await assert.rejects(
      as(account)(() => here.agent.didManagerFind({ provider: 'did:web' })),
      hasCode('invalid_input'),
    )
  })

  // An explained statement keeps the snapshot of its connection: these come last.
  for (const [of, query] of [
    ...DID_QUERIES.map((query) => ['DIDs', query] as const),
    ...KEY_QUERIES.map((query) => ['keys', query] as const),
  ]) {
    it(`are found through an index: ${of}, ${JSON.stringify(query)}`, async () => {
      const plan: string[] = []
      const explaining = {
        query: async <Row>(statement: Sql): Promise<Row[]> => {
          const [first = '', ...others] = statement.fragments
          const explained = new Sql([`EXPLAIN QUERY PLAN ${first}`, ...others], statement.values)
          plan.push(...(await here.database.query<{ detail: string }>(explained)).map(({ detail }) => detail))
          return here.database.query<Row>(statement)
        },
      }
      if (of === 'DIDs') await readHeldDids(explaining, account.id, { ...query, limit: 3 })
      else await readHeldKeys(explaining, account.id, { ...(query as HeldKeyQuery), limit: 3 })
      const read = plan.filter((detail) => /account_(did|key|tally)|^SCAN (?!w$)/.test(detail))
      assert.ok(read.length > 0)
      for (const detail of read) assert.match(detail, /SEARCH .*(account_id=)/)
      assert.equal(
        plan.some((detail) => detail.includes('TEMP B-TREE')),
        false,
        plan.join('\n'),
      )
    })
  }
})

function timeOf(n: number): string {
  return new Date(Date.parse('2026-01-01T00:00:00Z') + n * 1000).toISOString()
}

/** Rows as written by creations, but too many to wait for. */
async function fill(database: Database, account: string, amount: number): Promise<void> {
  const numbers = sql`WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${amount})`
  const home = homeOf(account)
  const didOf = (n: number) => `did:cheqd:testnet:${String(n).padStart(6, '0')}`
  const did = sql`printf('did:cheqd:testnet:%06d', n)`
  const provider = sql`CASE WHEN n % 5000 = 0 THEN 'did:rare' ELSE 'did:cheqd' END`
  await database.write(async (connection) => {
    const homes = Array.from({ length: amount }, (_, n) => sql`(${n + 1}, ${homeOfDid(didOf(n + 1))})`)
    for (let first = 0; first < amount; first += TOGETHER)
      await connection.run(sql`WITH s (n, home) AS (VALUES ${joinSql(homes.slice(first, first + TOGETHER))})
        INSERT INTO account_did (home, account_id, did, stored_did, alias, provider, version, pending, created_at)
        SELECT home, ${account}, ${did}, ${account} || ':' || ${did}, 'alias ' || n, ${provider}, 1, 0,
          strftime('%Y-%m-%dT%H:%M:%S.000Z', unixepoch('2026-01-01T00:00:00Z') + n, 'unixepoch') FROM s`)
    const kid = sql`printf('%06d', n)`
    const kms = sql`CASE WHEN n % 5000 = 0 THEN 'hsm' ELSE 'local' END`
    await connection.run(sql`${numbers} INSERT INTO "key" (home, kid, kms, type, "publicKeyHex")
      SELECT ${home}, ${account} || ':' || ${kid}, ${kms}, 'Ed25519', CAST(n AS TEXT) FROM s`)
    await connection.run(sql`${numbers}
      INSERT INTO account_key (home, account_id, kid, stored_kid, alias, kms, created_at)
      SELECT ${home}, ${account}, ${kid}, ${account} || ':' || ${kid}, 'key ' || n, ${kms},
        strftime('%Y-%m-%dT%H:%M:%S.000Z', unixepoch('2026-01-01T00:00:00Z') + n, 'unixepoch') FROM s`)
    await connection.run(
      sql`INSERT INTO account_tally (account_id, kind, home, n)
        VALUES (${account}, 'dids', ${homeOf(account)}, ${amount}), (${account}, 'keys', ${homeOf(account)}, ${amount})`,
    )
  })
}
