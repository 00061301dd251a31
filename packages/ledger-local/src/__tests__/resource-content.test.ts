import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database, homeOfDid, sql } from '@vidimus/database'
import { LedgerError } from '@vidimus/ledger'
import fc from 'fast-check'
import { deltaBetween } from '../content-delta.js'
import { EmbeddedLedger, migrations } from '../index.js'
import { DEAREST_CHAIN, LONGEST_CHAIN } from '../resource-content.js'
import { collectionOf, create, didDoc, newDid, newKey, publish, signed, type Key } from './signing.js'

interface StoredRow {
  id: string
  bytes: number
  base_id: string
}

describe('resource contents', () => {
  let folder: string
  let database: Database
  let ledger: EmbeddedLedger
  let did: string
  let collection: string
  const key: Key = newKey()

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-ledger-'))
    await open(migrations)
    did = newDid()
    collection = collectionOf(did)
    await ledger.submit(signed(did, create(didDoc(did, [key])), key))
  })
  afterEach(async () => {
    await database.lifecycle.stop()
    await rm(folder, { recursive: true })
  })

  async function open(with_: typeof migrations): Promise<void> {
    database = new Database({ url: `sqlite:${join(folder, 'ledger.sqlite')}`, migrations: [with_] })
    await database.lifecycle.start()
    ledger = new EmbeddedLedger({ network: 'testnet', database })
  }

  const submit = async (data: Uint8Array, name = 'list', to = ledger): Promise<string> => {
    const id = randomUUID()
    await to.submit(signed(did, publish(did, { id, name, data }), key))
    return id
  }
  const read = async (id: string) => Buffer.from((await ledger.getResource(collection, id))?.data ?? [])
  const rows = () =>
    database.query<StoredRow>(sql`SELECT "r"."id", length(coalesce("c"."data", "d"."delta")) AS "bytes",
      coalesce("d"."base_id", '') AS "base_id" FROM "ledger_resource" "r"
      LEFT JOIN "ledger_resource_data" "c" ON "c"."id" = "r"."id"
      LEFT JOIN "ledger_resource_delta" "d" ON "d"."id" = "r"."id" ORDER BY "r"."height"`)
  const rowOf = async (id: string) => (await rows()).find((row) => row.id === id)

  /** A version of a list, as long as the one before it and different in a few bytes. */
  const nextOf = (content: Buffer, n: number): Buffer => {
    const next = Buffer.from(content)
    randomBytes(30).copy(next, (n * 977) % (content.length - 30))
    return next
  }

  it('return every version of any history byte for byte', async () => {
    const base = randomBytes(6000)
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('change' as const), at: fc.nat(5000) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('insert' as const), at: fc.nat(5000) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('again' as const), at: fc.nat(50) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('other' as const), at: fc.nat(3000) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('json' as const), at: fc.nat(40) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('tiny' as const), at: fc.nat(2) }) },
    )
    let deltas = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
        const name = randomUUID()
        const history: { id: string; content: Buffer }[] = []
        let content: Buffer = Buffer.from(base)
        for (const { kind, at } of steps) {
          if (kind === 'change') content = nextOf(Buffer.concat([content, base]).subarray(0, 6000), at)
          if (kind === 'insert') {
            content = Buffer.concat([content.subarray(0, at), randomBytes(7), content.subarray(at)])
          }
          if (kind === 'again') content = history[at % history.length]?.content ?? content
          if (kind === 'other') content = randomBytes(at + 1)
          if (kind === 'json') content = Buffer.from(JSON.stringify(Array(at).fill({ some: 'text' })))
          if (kind === 'tiny') content = Buffer.alloc(at + 1)
          history.push({ id: await submit(content, name), content })
        }
        for (const { id, content: published } of history) {
          const found = await ledger.getResource(collection, id)
          assert.ok(Buffer.from(found?.data ?? []).equals(published), `${id} reads differently`)
          assert.equal(found?.metadata.checksum, createHash('sha256').update(published).digest('hex'))
        }
        const newest = await ledger.getLatestResource(collection, name, 'StatusList2021Revocation')
        assert.equal(newest?.metadata.id, history.at(-1)?.id)
        assert.ok(Buffer.from(newest?.data ?? []).equals(content))
        deltas += (await rows()).filter(({ base_id }) => base_id !== '').length
      }),
      { numRuns: 25 },
    )
    assert.ok(deltas > 50, `${deltas} deltas`)
  })

  it('store the newest version and one in several in full, and the others as deltas', async () => {
    let content: Buffer = randomBytes(5000)
    const versions: { id: string; content: Buffer }[] = []
    for (let n = 0; n < 270; n++) {
      content = nextOf(content, n)
      versions.push({ id: await submit(content), content })
    }
    const stored = await rows()
    assert.equal(stored.at(-1)?.base_id, '')
    const whole = stored.filter(({ base_id }) => base_id === '')
    assert.equal(whole.length, 1 + Math.floor(269 / 257))
    for (const { bytes, base_id } of stored) assert.equal(bytes < 200, base_id !== '')
    for (const { id, content: published } of versions) assert.ok((await read(id)).equals(published))
  })

  /** A version that takes a delta of many operations to come from the one before it. */
  const scattered = (content: Buffer): Buffer => {
    const next = Buffer.from(content)
    for (let at = 0; at + 90 < next.length; at += 90) randomBytes(12).copy(next, at)
    return next
  }
  /** The cost of reading each version: its deltas and their operations. */
  const chains = () =>
    database.query<{
      id: string
      steps: number
      cost: number
    }>(sql`WITH RECURSIVE "chain" ("first", "base_id", "cost",
      "step") AS (SELECT "d"."id", "d"."base_id", length("d"."delta") * 128 + "r"."size", 1
        FROM "ledger_resource_delta" "d" JOIN "ledger_resource" "r" ON "r"."id" = "d"."id"
      UNION ALL SELECT "s"."first", "d"."base_id", "s"."cost" + length("d"."delta") * 128 + "r"."size", "s"."step" + 1
        FROM "chain" "s" JOIN "ledger_resource_delta" "d" ON "d"."id" = "s"."base_id"
        JOIN "ledger_resource" "r" ON "r"."id" = "d"."id")
      SELECT "first" AS "id", MAX("step") AS "steps", MAX("cost") AS "cost" FROM "chain" GROUP BY "first"`)

  it('bound the cost of reading any version, even if each delta has many operations', async () => {
    let content: Buffer = randomBytes(150_000)
    const versions: { id: string; content: Buffer }[] = []
    for (let n = 0; n < 24; n++) {
      content = scattered(content)
      versions.push({ id: await submit(content), content })
    }
    const read_ = await chains()
    assert.ok(read_.length >= 12, 'most versions are deltas')
    for (const { steps, cost } of read_) assert.ok(steps <= LONGEST_CHAIN && cost <= DEAREST_CHAIN)
    const kept = (await rows()).filter(({ base_id }) => base_id === '')
    assert.ok(kept.length > 1 && kept.length <= 12, `${kept.length} are whole`)
    for (const { id, content: published } of versions) assert.ok((await read(id)).equals(published))
  })

  it('remain readable in expensive old chains, which do not grow further', async () => {
    let content: Buffer = randomBytes(100_000)
    const newest = await submit(content)
    const contents = [content]
    for (let n = 0; n < 40; n++) contents.push((content = scattered(content)))
    await database.write(async (write) => {
      let base = newest
      for (const [n, older] of contents.entries()) {
        if (n === 0) continue
        const id = randomUUID()
        const checksum = createHash('sha256').update(older).digest('hex')
        await write.run(sql`INSERT INTO "ledger_resource" SELECT "network", "collection_id", ${id}, ${-n}, "name",
          "type", "version", "media_type", ${String(n)}, ${checksum}, "also_known_as", "size", ${`before ${n}`}, ${base}, "account_id", "counts_as", "home"
          FROM "ledger_resource" WHERE "id" = ${newest}`)
        const delta = deltaBetween(contents[n - 1] ?? older, older)
        await write.run(sql`INSERT INTO "ledger_resource_delta" ("home", "network", "collection_id", "id", "base_id", "delta")
          VALUES (${homeOfDid(collection)}, ${'testnet'}, ${collection}, ${id}, ${base}, ${Buffer.from(delta ?? [])})`)
        base = id
      }
      await write.run(sql`UPDATE "ledger_resource_data" SET "chain_length" = ${40}, "chain_cost" = ${0}`)
    })
    const [oldest] = await rows()
    assert.ok((await read(oldest?.id ?? '')).equals(content))
    await submit(nextOf(contents[0] ?? content, 1))
    assert.equal((await rowOf(newest))?.base_id, '')
  })

  it('are stored once if published again at once', async () => {
    const [first, other] = [randomBytes(4000), randomBytes(4000)]
    const ids: string[] = []
    for (const content of [first, other, first, first, other]) ids.push(await submit(content))
    const sizes = (await rows()).map(({ bytes }) => bytes > 1000)
    assert.deepEqual(sizes, [true, true, false, true, true])
    const read_ = await Promise.all(ids.map(read))
    assert.deepEqual(
      read_.map((content) => content.equals(first)),
      [true, false, true, true, false],
    )
  })

  for (const [what, damage] of [
    ['full content', (bytes: Buffer) => bytes.fill(0x41, 100, 101 + (bytes[100] === 0x41 ? 1 : 0))],
    ['a delta', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['an invalid delta', () => Buffer.from('x')],
  ] as const) {
    it(`are never returned if damaged: ${what}`, async () => {
      const first = await submit(Buffer.alloc(3000, 7))
      const content = randomBytes(3000)
      const second = await submit(content)
      const third = await submit(nextOf(content, 1))
      const whole = what === 'full content'
      const damaged = whole ? third : second
      const [row] = await database.query<{ data: Buffer }>(
        sql`SELECT coalesce((SELECT "data" FROM "ledger_resource_data" WHERE "id" = ${damaged}),
          (SELECT "delta" FROM "ledger_resource_delta" WHERE "id" = ${damaged})) AS "data"`,
      )
      assert.equal((await rowOf(second))?.base_id, third)
      const bytes = damage(Buffer.from(row?.data ?? []))
      await database.write(async (write) => {
        await write.run(sql`UPDATE "ledger_resource_data" SET "data" = ${bytes} WHERE "id" = ${damaged}`)
        await write.run(sql`UPDATE "ledger_resource_delta" SET "delta" = ${bytes} WHERE "id" = ${damaged}`)
      })
      for (const id of whole ? [second, third] : [second]) {
        await assert.rejects(ledger.getResource(collection, id), (error) => {
          assert.ok(error instanceof LedgerError)
          assert.deepEqual([error.codespace, error.code, error.phase], ['resource', 2500, 'query'])
          return error.message.includes(id)
        })
      }
      assert.ok((await read(first)).equals(Buffer.alloc(3000, 7)))
    })
  }

  it('stay correct if two processes publish the next version concurrently', async () => {
    const second = new Database({ url: `sqlite:${join(folder, 'ledger.sqlite')}`, migrations: [migrations] })
    await second.lifecycle.start()
    const ledgers = [ledger, new EmbeddedLedger({ network: 'testnet', database: second })]
    const base = randomBytes(4000)
    const published: [string, Buffer][] = []
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        ledgers.flatMap((each, n) =>
          [0, 1].map(async (m) => {
            const content = nextOf(base, round * 4 + n * 2 + m)
            published.push([await submit(content, 'list', each), content])
          }),
        ),
      )
    }
    await second.lifecycle.stop()
    for (const [id, content] of published) assert.ok((await read(id)).equals(content))
    const [newest] = (await rows()).slice(-1)
    assert.equal(newest?.base_id, '')
    assert.ok((await rows()).some(({ base_id }) => base_id !== ''))
  })
})
