import assert from 'node:assert/strict'
import { sql, type Database, type Sql } from '@vidimus/database'
import { compare } from '../bench/growth/compare.js'
import { Installation, type Growth } from '../bench/growth/installation.js'
import { look } from '../bench/growth/known.js'
import { diskBytesOfWrites } from '../bench/growth/disk-bytes.js'
import { OPERATIONS } from '../bench/growth/operations.js'
import { scansOnFull } from '../bench/growth/plans.js'
import { Client } from './support/client.js'
import { PLACES } from './support/fresh-database.js'
import { PostgresServer } from './support/postgres-server.js'
import { recount } from './support/recount.js'

const FULL: Growth = {
  ...{ dids: 200, lists: 26, versions: 26, documents: 26, accounts: 20, events: 2_000, audits: 1_000 },
}
const TENTH_OF_COPIES = 17

for (const place of PLACES) {
  describe(`a database filled for the growth figures (${place})`, () => {
    let installation: Installation
    let client: Client
    before(async () => {
      const dialect = place === 'SQLite' ? 'sqlite' : 'postgres'
      installation = await Installation.create(dialect, await PostgresServer.shared())
      await installation.grow(FULL, () => undefined)
      await installation.start()
      client = (await Client.of(installation.service.url)).as(installation.subjects.apiKey)
    })
    after(() => installation.remove())

    it('has the right size, with everything that requests would have written', async () => {
      const { id } = installation.subjects.account
      await installation.withDatabase(async (database) => {
        const { counted, tallied } = await recount(database)
        assert.deepEqual(tallied, counted)
        const has = (rows: Sql) => amount(database, rows)
        const own = sql`WHERE account_id = ${id}`
        assert.deepEqual(
          {
            dids: await has(sql`account_did ${own}`),
            keys: await has(
              sql`account_key k JOIN "key" v ON v.home = k.home AND v.kid = k.stored_kid ${own}`,
            ),
            sealed: await has(
              sql`account_private_key a JOIN "private-key" p ON p.home = a.home AND p.alias = a.stored_alias ${own}`,
            ),
            documents: await has(sql`account_did a JOIN ledger_did d ON d.home = a.home AND d.did = a.did
              JOIN ledger_did_version v ON v.version_id = d.latest_version_id AND v.height <= d.height WHERE a.account_id = ${id} AND v.updated IS NULL`),
            answers: await has(sql`idempotent_creation c JOIN idempotency_record r ON r.id = c.record_id
              JOIN account_did d ON d.account_id = c.account_id AND d.did = c.did WHERE c.account_id = ${id}`),
            accounts: await has(
              sql`account a JOIN api_key k ON k.account_id = a.id WHERE a.name LIKE 'small%'`,
            ),
            created: await has(sql`audit_event ${own} AND event = 'did-created'`),
          },
          // One was changed again and again, and one deactivated.
          {
            dids: 200,
            keys: 200,
            sealed: 200,
            documents: 198,
            answers: TENTH_OF_COPIES + 1,
            accounts: 18,
            created: 200,
          },
        )
        assert.ok((await has(sql`account_event`)) >= FULL.events)
        assert.ok((await has(sql`audit_event`)) >= FULL.audits)
        assert.equal(await has(sql`account_event ${own} AND type = 'did.deactivated'`), 1)
      })
    })

    it('has working DIDs, and lists all objects', async () => {
      const known = await look(installation)
      for (const did of known.dids.slice(30, 33)) {
        const issued = await client.ok('POST', '/credential/issue', {
          json: { issuerDid: did, subjectDid: did, attributes: { degree: 'Master' } },
        })
        const credential = (issued as { proof: { jwt: string } }).proof.jwt
        const verified = await client.ok('POST', '/credential/verify', { json: { credential } })
        assert.equal((verified as { verified: boolean }).verified, true)
      }
      const { dids, total } = (await client.ok('GET', '/did/list', { query: { limit: '1000' } })) as {
        dids: string[]
        total: number
      }
      assert.deepEqual([total, new Set(dids).size], [FULL.dids, FULL.dids])
    })

    it('can be compared by every operation, all using indexes', async () => {
      const side = { url: installation.service.url, known: await look(installation) }
      for (const operation of Object.values(OPERATIONS).flat()) {
        const compared = await compare(operation, { empty: side, full: side, rounds: 1, most: 1 })
        assert.ok(compared.ratio > 0, operation.name)
      }
      // On SQLite each of them is a start.
      const writes = OPERATIONS.writes.slice(0, 2)
      for (const [name, bytes] of await diskBytesOfWrites(installation, side.known, 2, writes)) {
        // The server may vacuum a table meanwhile.
        assert.ok(bytes > 1000 && bytes < 5_000_000, `${name}: ${bytes}`)
      }
      await installation.stop()
      const { looked, scans } = await scansOnFull(installation)
      assert.ok(looked > 150, `${looked} statements`)
      assert.deepEqual(scans, [])
    })
  })
}

async function amount(database: Database, rows: Sql): Promise<number> {
  const [row] = await database.query<{ n: number }>(sql`SELECT COUNT(*) AS n FROM ${rows}`)
  return Number(row?.n)
}
