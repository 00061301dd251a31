import assert from 'node:assert/strict'
import { Accounts } from '@vidimus/accounts'
import { WORK_KINDS, WORK_STATES, type WorkKindName } from '@vidimus/core-types'
import { Database, homeOf, homeOfDid, sql } from '@vidimus/database'
import { pageOfAccount, pageOfAll } from '../packages/work/src/work-pages.js'
import { nextDue } from '../packages/work/src/work-rows.js'
import { migratedDatabase, PLACES } from './support/fresh-database.js'
import { TABLES } from './support/recount.js'
import { rowsRead, scansOf, searchesOf, statementsOf } from './support/statement-plans.js'

/** Items that wait, of one kind; and of another that have failed. */
const MANY = 20_000
/** Of each state, beside them. */
const FEW = 30
const LIMIT = 10
/** Some of those beside what is searched for, and what runs at the moment, once for each DID. */
const MOST_READ = 3_000
/** The kinds are a table in one statement. */
const KINDS = /^(CONSTANT ROW|k)$/
const NOW = new Date('2026-06-01T00:00:00.000Z')
const DID = 'did:cheqd:testnet:00000000-0000-4000-8000-000000000001'

for (const place of PLACES) {
  describe(`pages of what waits (${place})`, () => {
    let database: Database
    let account: string
    /** It has the same DID, and nothing else. */
    let other: string

    before(async () => {
      database = new Database({ url: await migratedDatabase(place, TABLES), ...TABLES })
      await database.lifecycle.start()
      const accounts = new Accounts(database)
      account = (await accounts.create('issuer')).id
      other = (await accounts.create('other')).id
      await fill(database, account, other)
      if (place === 'PostgreSQL') await database.write((connection) => connection.run(sql`ANALYZE`))
    })
    after(() => database.lifecycle.stop())

    for (const whose of ['all', 'an account', 'a DID'] as const) {
      for (const state of [undefined, ...WORK_STATES]) {
        it(`read a bounded number of items, of ${whose}, ${state ?? 'in any state'}`, async () => {
          const page = (request: object) =>
            whose === 'all'
              ? pageOfAll(database, request, NOW)
              : pageOfAccount(database, whose === 'a DID' ? other : account, request, NOW)
          for (const kind of [undefined, 'renewal', 'publication'] as const) {
            let after: string | undefined
            for (let n = 0; n < 3; n += 1) {
              const request = { limit: LIMIT, ...(kind && { kind }), ...(state && { state }), after }
              let rows: unknown[] = []
              const statements = await statementsOf(database, async () => {
                const found = await page(request)
                rows = found.rows
                after = found.next
              })
              // Most of one kind have failed: a page of others may be short.
              if (state !== 'waiting') assert.equal(rows.length, LIMIT, `${kind} ${n}`)
              for (const statement of statements) {
                const text = `${kind} ${n}: ${statement.fragments.join('?')}`
                if (place === 'PostgreSQL')
                  assert.ok((await rowsRead(database, statement)) <= MOST_READ, text)
                else
                  assert.deepEqual(
                    (await scansOf(database, statement)).filter((scan) => !KINDS.test(scan)),
                    [],
                    text,
                  )
              }
            }
          }
        })
      }
    }

    it('are not read while nothing is due: a look reads the first item of each kind in the index', async () => {
      const [statement = assert.fail(), ...others] = await statementsOf(database, () =>
        nextDue(database, WORK_KINDS),
      )
      assert.equal(others.length, 0)
      if (place === 'PostgreSQL') return assert.ok((await rowsRead(database, statement)) <= WORK_KINDS.length)
      const first = 'work_item USING COVERING INDEX work_item_due (kind=?)'
      assert.deepEqual(
        await searchesOf(database, statement),
        WORK_KINDS.map(() => first),
      )
    })

    it('find those that nobody has tried among many that have failed', async () => {
      for (const [page, count] of [
        [(request: object) => pageOfAll(database, request, NOW), 2 * FEW + 1],
        [(request: object) => pageOfAccount(database, account, request, NOW), 2 * FEW],
        [(request: object) => pageOfAccount(database, other, request, NOW), FEW + 1],
      ] as const) {
        const keys = new Set<string>()
        for (let after: string | undefined, isLast = false; !isLast;) {
          const found = await page({ kind: 'publication', state: 'waiting', limit: LIMIT, after })
          for (const { home, key } of found.rows) keys.add(`${home} ${key}`)
          after = found.next
          isLast = after === undefined
        }
        assert.equal(keys.size, count)
      }
    })
  })
}

async function fill(database: Database, account: string, other: string): Promise<void> {
  const home = homeOfDid(DID)
  await database.write(
    async (connection) => {
      for (const one of [account, other])
        await connection.run(
          sql`INSERT INTO account_did (home, account_id, did, stored_did, provider, version, pending, created_at)
            VALUES (${home}, ${one}, ${DID}, ${`${one} ${DID}`}, 'did:cheqd', 1, 0, '2026-05-01T00:00:00Z')`,
        )
      const insert = (
        kind: WorkKindName,
        name: string,
        amount: number,
        { year = '2027', holder = null as string | null, attempts = 0, owner = DID },
      ) =>
        connection.run(sql`WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${amount})
          INSERT INTO work_item (home, kind, key, owner, due_at, revision, fence, attempts, holder)
          SELECT ${owner === DID ? home : homeOf(owner)}, CAST(${kind} AS TEXT), ${name} || n, CAST(${owner} AS TEXT),
            CASE WHEN ${year} = '9999' THEN '9999-12-31T23:59:59.999Z' ELSE ${year} || '-01-01T00:00:00.' || CAST(100000 + n AS TEXT) || 'Z' END,
            1, 1, CAST(${attempts} AS INTEGER), CAST(${holder} AS TEXT) FROM s`)
      for (let n = 0; n < 2 * LIMIT; n += 1) {
        const did = `${DID.slice(0, -2)}${10 + n}`
        await connection.run(
          sql`INSERT INTO account_did (home, account_id, did, stored_did, provider, version, pending, created_at)
            VALUES (${homeOf(did)}, ${other}, ${did}, ${did}, 'did:cheqd', 1, 0, '2026-05-01T00:00:00Z')`,
        )
        await insert('publication', did, 1, { owner: did, attempts: n === 2 * LIMIT - 1 ? 0 : 1 })
      }
      for (const owner of [DID, account]) {
        await insert('renewal', `many ${owner}`, MANY, { owner })
        await insert('publication', `many ${owner}`, MANY, { owner, attempts: 1 })
        for (const kind of ['renewal', 'publication'] as const) {
          await insert(kind, `due ${owner}`, FEW, { owner, year: '2025' })
          await insert(kind, `running ${owner}`, FEW, { owner, year: '2028', holder: 'x' })
          await insert(kind, `paused ${owner}`, FEW, { owner, year: '9999' })
          await insert(kind, `failed ${owner}`, FEW, { owner, year: '2029', attempts: 1 })
          await insert(kind, `waiting ${owner}`, FEW, { owner, year: '2030' })
        }
      }
    },
    { spans: 'items of a test' },
  )
}
