import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@vidimus/database'
import { openDatabase } from './support/open-database.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { runVidimus, Service } from './support/service.js'

/** What a database has in place of a baseline of this version, and what is said about it. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'Custody-00000000-1801000000003': /made with other tables than those of this version \(Custody-00000000/,
  CreateAccounts1767225600000: /written before the first release .*export it with commit [0-9a-f]{8}$/m,
  CreateDatabase1447159020001: /Veramo's own stores: .*vidimus migrate --from-veramo/,
}

for (const place of PLACES) {
  describe(`vidimus migrate (${place})`, () => {
    let dataDirectory: string
    let url: string
    beforeEach(async () => {
      dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-migrate-'))
      url = await freshDatabase(place)
    })
    afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

    const options = () => ({ dataDirectory, environment: { DATABASE_URL: url } })
    const migrate = async (...args: string[]) =>
      JSON.parse(await runVidimus(['migrate', '--json', ...args], options())) as {
        pending: string[]
        applied: string[]
      }

    it('shows the pending migrations, applies them, and then finds none', async () => {
      const { pending, applied } = await migrate('--dry-run')
      assert.ok(pending.length > 5 && applied.length === 0)
      assert.deepEqual((await migrate()).applied, pending)
      assert.deepEqual((await migrate()).applied, [])
      assert.match(await runVidimus(['migrate', '--dry-run'], options()), /is up to date/)
      assert.deepEqual(await readdir(dataDirectory), [])
    })

    it('makes tables for an import beside the secret of the installation, if told to', async () => {
      await writeFile(join(dataDirectory, 'kms-secret.key'), `${'5a'.repeat(32)}\n`, { mode: 0o600 })
      await assert.rejects(migrate(), /Restore it from a backup/)
      assert.ok((await migrate('--new-database')).applied.length > 5)
      assert.deepEqual((await migrate()).applied, [])
    })

    it('refuses a database with other tables, as a start does, and says why', async () => {
      await migrate()
      const database = await openDatabase({ dataDirectory, databaseUrl: url })
      const record = (name: string) =>
        database.write(async (connection) => {
          // Nothing of this version is left where the tables are of before.
          const gone = name.endsWith('1999999999999') ? sql`name LIKE 'Invent%'` : sql`name LIKE '%'`
          await connection.run(sql`DELETE FROM migrations WHERE ${gone}`)
          await connection.run(sql`INSERT INTO migrations (timestamp, name) VALUES (${1}, ${name})`)
        })
      try {
        await record('InventTimeTravel1999999999999')
        for (const refused of [() => migrate(), () => migrate('--dry-run'), () => Service.start(options())])
          await assert.rejects(refused(), /written by a newer version .*InventTimeTravel/)
        for (const [name, said] of Object.entries(REFUSED)) {
          await record(name)
          await assert.rejects(openDatabase({ dataDirectory, databaseUrl: url }), said)
        }
      } finally {
        await database.lifecycle.stop()
      }
    })

    it('lets replicas start concurrently on an empty database: one creates the tables, and one shows the first key', async () => {
      const secret = { KMS_SECRET_KEY: 'ab'.repeat(32) }
      const environment = { ...options().environment, ...secret }
      const copies = await Promise.all(
        Array.from({ length: 4 }, () => Service.start({ dataDirectory, environment })),
      )
      assert.equal(copies.filter(({ apiKey }) => apiKey !== undefined).length, 1)
      assert.deepEqual(await Promise.all(copies.map((copy) => copy.stop())), [0, 0, 0, 0])
    })
  })
}
