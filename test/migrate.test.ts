import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@vidimus/database'
import { openDatabase } from './support/open-database.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { runVidimus, Service } from './support/service.js'

const NEWER = 'InventTimeTravel1999999999999'

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
      assert.ok(pending.length > 10 && applied.length === 0)
      assert.deepEqual((await migrate()).applied, pending)
      assert.deepEqual((await migrate()).applied, [])
      assert.match(await runVidimus(['migrate', '--dry-run'], options()), /is up to date/)
      assert.deepEqual(await readdir(dataDirectory), [])
    })

    it('makes tables for an import beside the secret of the installation, if told to', async () => {
      await writeFile(join(dataDirectory, 'kms-secret.key'), `${'5a'.repeat(32)}\n`, { mode: 0o600 })
      await assert.rejects(migrate(), /Restore it from a backup/)
      assert.ok((await migrate('--new-database')).applied.length > 10)
      assert.deepEqual((await migrate()).applied, [])
    })

    it('refuses a database written by a newer version, as a start does', async () => {
      await migrate()
      const database = await openDatabase({ dataDirectory, databaseUrl: url })
      await database.write((connection) =>
        connection.run(sql`INSERT INTO migrations (timestamp, name) VALUES (${1_999_999_999_999}, ${NEWER})`),
      )
      await database.lifecycle.stop()
      for (const refused of [() => migrate(), () => migrate('--dry-run'), () => Service.start(options())]) {
        await assert.rejects(refused(), new RegExp(`written by a newer version .*${NEWER}`))
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
