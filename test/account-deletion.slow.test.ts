import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { homeOf, joinSql, sql } from '@vidimus/database'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { openDatabase } from './support/open-database.js'
import { installationOf, runVidimus } from './support/service.js'
import { until } from './support/until.js'
import { beginVidimus } from './support/vidimus-process.js'

/** As many as take many transactions. */
const ROWS = 30_000

for (const place of PLACES) {
  describe(`deleting a large account (${place})`, () => {
    it('resumes after kill -9, and leaves nothing behind', async () => {
      const dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-deletion-'))
      const databaseUrl = await emptyInstallation(place)
      const options = {
        dataDirectory,
        environment: { DATABASE_URL: databaseUrl, KMS_SECRET_KEY: 'a5'.repeat(32) },
      }
      await runVidimus(['account', 'create', 'acme'], options)
      await runVidimus(['account', 'create', 'globex'], options)
      const database = await openDatabase({ dataDirectory, databaseUrl })
      const accounts = await database.query<{ id: string; name: string }>(sql`SELECT id, name FROM account`)
      const homes = accounts.map(({ id, name }) => sql`WHEN ${name} THEN CAST(${homeOf(id)} AS INTEGER)`)
      await database.write((connection) =>
        connection.run(sql`INSERT INTO account_key_network (home, account_id, public_key, network)
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
          SELECT CASE a.name ${joinSql(homes, ' ')} END, a.id, CAST(n.i AS TEXT), 'testnet' FROM account a CROSS JOIN n`),
      )
      const left = async (name: string) => {
        const [row] = await database.query<{ n: number | string }>(
          sql`SELECT COUNT(*) AS n FROM account_key_network k JOIN account a ON a.id = k.account_id WHERE a.name = ${name}`,
        )
        return Number(row?.n)
      }
      const { file, environment } = await installationOf(options)
      const deletion = beginVidimus(['account', 'delete', 'acme', '--yes', '--config', file], environment)
      await until(async () => (await left('acme')) < ROWS)
      deletion.child.kill('SIGKILL')
      await deletion.closed
      const rest = await left('acme')
      assert.ok(rest > 0, 'it was killed in the middle')
      assert.match(await runVidimus(['account', 'list'], options), /^acme +\S+ +being deleted/m)
      await runVidimus(['account', 'delete', 'acme', '--yes'], options)
      assert.doesNotMatch(await runVidimus(['account', 'list'], options), /acme/)
      assert.deepEqual([await left('acme'), await left('globex')], [0, ROWS])
      const [all] = await database.query<{ n: number | string }>(
        sql`SELECT COUNT(*) AS n FROM account_key_network`,
      )
      assert.equal(Number(all?.n), ROWS)
      await database.lifecycle.stop()
      await rm(dataDirectory, { recursive: true, force: true })
    })
  })
}
