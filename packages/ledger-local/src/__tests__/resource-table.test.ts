import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database, homeOfDid, Sql, sql } from '@vidimus/database'
import { dereference, type FoundResource, type ResourceQuery, type ResourceSummary } from '@vidimus/ledger'
import fc from 'fast-check'
import { EmbeddedLedger, migrations } from '../index.js'
import { findNewestResources, findResources } from '../resource-table.js'
import { collectionOf, create, didDoc, newDid, newKey, publish, signed } from './signing.js'

const NAMES = ['a', 'b', 'c\'" %_']
const TYPES = ['X', 'Y']
const LABELS = ['', '1', '2']
const START = Date.parse('2026-01-01T00:00:00Z')

/** The meaning of a query, word by word. */
function newestThatFit(all: readonly ResourceSummary[], query: ResourceQuery): FoundResource[] {
  const newest = new Map<string, ResourceSummary>()
  for (const one of all) {
    const fits =
      (query.name ?? one.name) === one.name &&
      (query.resourceType ?? one.resourceType) === one.resourceType &&
      (query.version ?? one.version) === one.version &&
      (query.checksum ?? one.checksum) === one.checksum &&
      (query.before === undefined || one.created < query.before)
    if (fits) newest.set(JSON.stringify([one.name, one.resourceType]), one)
  }
  const versions = ({ name, resourceType }: ResourceSummary) =>
    all.filter((one) => one.name === name && one.resourceType === resourceType).length
  const order = (one: ResourceSummary) => NAMES.indexOf(one.name) * 10 + TYPES.indexOf(one.resourceType)
  return [...newest.values()]
    .sort((a, b) => order(a) - order(b))
    .slice(0, query.limit)
    .map((one) => ({ ...one, versions: versions(one) }))
}

describe('findResources', () => {
  let folder: string
  let database: Database
  let ledger: EmbeddedLedger
  let now = START
  let collection: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-ledger-'))
    database = new Database({ url: `sqlite:${join(folder, 'ledger.sqlite')}`, migrations: [migrations] })
    await database.lifecycle.start()
    ledger = new EmbeddedLedger({ network: 'testnet', database, now: () => new Date(now) })
    const did = newDid()
    const key = newKey()
    collection = collectionOf(did)
    await ledger.submit(signed(did, create(didDoc(did, [key])), key))
    for (let n = 0; n < 60; n++) {
      now += 500
      const name = NAMES[(n * 7) % 3] ?? ''
      const resourceType = TYPES[(n * 5) % 2] ?? ''
      const version = LABELS[n % 3] ?? ''
      const data = Buffer.from(`{"content":${(n * n) % 11}}`)
      await ledger.submit(signed(did, publish(did, { name, resourceType, version, data }), key))
    }
  })
  after(async () => {
    await database.lifecycle.stop()
    await rm(folder, { recursive: true })
  })

  it('finds the newest of each matching name and type', async () => {
    const all = await ledger.listResources(collection, { limit: 1000 })
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
    const anyTime = fc.integer({ min: START, max: now + 1000 }).map((time) => new Date(time))
    const queries = fc.record({
      name: maybe(fc.constantFrom(...NAMES, 'd')),
      resourceType: maybe(fc.constantFrom(...TYPES, 'Z')),
      version: maybe(fc.constantFrom(...LABELS, '3')),
      checksum: maybe(fc.constantFrom(...new Set(all.map(({ checksum }) => checksum)))),
      before: maybe(fc.oneof(fc.constantFrom(...all.map(({ created }) => created)), anyTime)),
      limit: fc.integer({ min: 1, max: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        const given = Object.entries(query).filter(([, value]) => value !== undefined)
        const asked = Object.fromEntries(given) as unknown as ResourceQuery
        assert.deepEqual(
          await ledger.findResources(collection.toUpperCase(), asked),
          newestThatFit(all, asked),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('does not find resources of another network or collection', async () => {
    const mainnet = new EmbeddedLedger({ network: 'mainnet', database })
    assert.deepEqual(await mainnet.findResources(collection, { limit: 5 }), [])
    assert.deepEqual(await ledger.findResources(collectionOf(newDid()), { limit: 5 }), [])
  })

  it('avoids searching all names of a DID with very many', async () => {
    const did = newDid()
    const key = newKey()
    await ledger.submit(signed(did, create(didDoc(did, [key])), key))
    await ledger.submit(signed(did, publish(did, { name: 'the first' }), key))
    now += 2000
    const first = await dereference(`${did}?resourceType=StatusList2021Revocation`, () => ledger)
    assert.equal(first.found, 'resource', JSON.stringify(first))
    await database.write((write) =>
      write.run(sql`WITH RECURSIVE "n" ("n") AS (SELECT 1 UNION ALL SELECT "n" + 1 FROM "n" WHERE "n" < 10000)
        INSERT INTO "ledger_resource_latest"
        ("home", "network", "collection_id", "name", "type", "resource_id", "versions")
        SELECT CAST(${homeOfDid(did)} AS INTEGER), ${'testnet'}, ${collectionOf(did)}, 'name ' || "n", ${'X'}, ${randomUUID()}, 1 FROM "n"`),
    )
    const asked: string[] = []
    const watched = Object.assign(Object.create(ledger) as EmbeddedLedger, {
      findResources: (id: string, query: ResourceQuery) => {
        asked.push(query.name ?? '')
        return ledger.findResources(id, query)
      },
    })
    const time = new Date(now).toISOString()
    for (const query of [
      'resourceType=StatusList2021Revocation',
      `resourceVersionTime=${time}&checksum=${'00'.repeat(32)}`,
    ]) {
      const refused = await dereference(`${did}?${query}`, () => watched)
      assert.match(
        refused.found === 'nothing' ? refused.message : '',
        /more than 10,000 .* resourceName is required/,
      )
    }
    assert.deepEqual(asked, [])
    await dereference(`${did}?resourceName=the%20first&resourceVersionTime=${time}`, () => watched)
    assert.deepEqual(asked, ['the first'])
  })

  /** Asks how statements are carried out, in place of doing so. */
  const explaining = () => {
    const plan: string[] = []
    const explain = {
      query: async <Row>({ fragments: [first = '', ...others], values }: Sql): Promise<Row[]> => {
        const statement = new Sql([`EXPLAIN QUERY PLAN ${first}`, ...others], values)
        plan.push(...(await database.query<{ detail: string }>(statement)).map(({ detail }) => detail))
        return [{ id: 'found', also_known_as: '[]' }] as Row[]
      },
    }
    return { explain, plan }
  }

  for (const [what, query, index] of [
    ['a time', { before: new Date() }, /ledger_resource_by_time .*created</],
    ['its label', { version: '1' }, /ledger_resource_by_version .*version>\? AND version</],
    ['its content', { checksum: '00' }, /ledger_resource_by_checksum .*checksum>\? AND checksum</],
    [
      'its content and a time',
      { checksum: '00', before: new Date() },
      /by_checksum .*checksum>\? AND \(checksum,created\)</,
    ],
  ] as const) {
    it(`finds a version by ${what} directly, however many there are`, async () => {
      const { explain, plan } = explaining()
      await findNewestResources(explain, 'testnet', collection, { ...query, limit: 2 })
      // The second time for whether there is one.
      const [version, ...others] = plan.filter((detail) => /\bv\b/.test(detail))
      assert.match(version ?? '', index)
      assert.deepEqual(others, [version])
      const [row] = plan.filter((detail) => /\br\b/.test(detail))
      assert.match(row ?? '', /home=\? AND network=\? AND collection_id=\? AND id=\?/)
      assert.ok(!plan.some((detail) => /SCAN|TEMP B-TREE/.test(detail)), plan.join('\n'))
    })
  }

  it('indexes only versions with a label', async () => {
    const [index] = await database.query<{ sql: string }>(
      sql`SELECT "sql" FROM "sqlite_master" WHERE "name" = 'ledger_resource_by_version'`,
    )
    assert.match(index?.sql ?? '', /WHERE version <> ''$/)
    const { explain, plan } = explaining()
    await findNewestResources(explain, 'testnet', collection, { version: '', limit: 2 })
    assert.match(plan.find((detail) => /\bv\b/.test(detail)) ?? '', /ledger_resource_by_time/)
  })

  it('pages through all versions with an index that no other statement uses', async () => {
    const { explain, plan } = explaining()
    await findResources(explain, 'testnet', collection, { limit: 2, after: randomUUID() })
    assert.match(plan[0] ?? '', /ledger_resource_by_height \(<expr>=\? AND home=\? AND height>\?\)/)
    assert.ok(!plan.some((detail) => /SCAN|TEMP B-TREE/.test(detail)), plan.join('\n'))
  })
})
