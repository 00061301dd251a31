import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from '@vidimus/database'
import { ArchiveCommands, databaseOf } from './support/archive-commands.js'
import { Client } from './support/client.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { moves } from './support/moved-installation.js'
import { refusedStart } from './support/refused-start.js'
import { Service } from './support/service.js'
import { createDid } from './behaviour/suite.js'

/** An import continues meanwhile, and must not be slowed down by polling. */
const LOOK_EVERY_MS = 2

describe('moving an installation (extended)', () => {
  let archives: ArchiveCommands
  beforeEach(async () => {
    archives = await ArchiveCommands.inFolder()
  })
  afterEach(() => archives.remove())

  it('from PostgreSQL to SQLite preserves every response', async function () {
    this.timeout(300_000)
    await moves(archives, 'PostgreSQL', 'SQLite')
  })

  for (const place of PLACES) {
    it(`into ${place} resumes after kill -9, and blocks other starts in between`, async function () {
      this.timeout(180_000)
      const first = await archives.directory('first')
      const service = await Service.start({ dataDirectory: first })
      const client = await Client.of(service.url, service.apiKey)
      for (let n = 0; n < 6; n += 1) await createDid(client)
      await service.stop()
      const source = `sqlite:${join(first, 'agent.sqlite')}`
      const { rows } = await archives.quicklyExported(source, 'first.age')
      const [dataDirectory, target] = [await archives.directory('moved', first), await freshDatabase(place)]
      const watching = databaseOf(target)
      watching.admitUnfinishedImport()
      await watching.lifecycle.start()
      const imported = async () => {
        const [row] = await watching
          .query<{ n: number | string }>(
            sql`SELECT COALESCE(SUM("imported"), -1) AS n FROM unfinished_import`,
          )
          .catch(() => [])
        return Number(row?.n ?? -1)
      }
      for (const share of [0, 0.3, 0.6]) {
        const { child, closed } = archives.begin('import', dataDirectory, target, 'first.age', {
          args: ['--batch', '1'],
        })
        while (child.exitCode === null && (await imported()) < share * rows) await setTimeout(LOOK_EVERY_MS)
        child.kill('SIGKILL')
        assert.equal((await closed).code, null, 'it was finished before it was killed')
        const { says } = await refusedStart({ dataDirectory, environment: { DATABASE_URL: target } })
        assert.match(
          says,
          /agent\.yml:\d+:\d+ {2}database: the import of an archive into .* run `vidimus import`/,
        )
      }
      assert.match(
        await archives.run('import', dataDirectory, target, 'first.age'),
        /interrupted import was completed/,
      )
      assert.match(await archives.run('import', dataDirectory, target, 'first.age'), /nothing was changed/)
      await watching.lifecycle.stop()
      await archives.quicklyExported(target, 'second.age')
      assert.deepEqual(await archives.contentOf('second.age'), await archives.contentOf('first.age'))
      const moved = await Service.start({ dataDirectory, environment: { DATABASE_URL: target } })
      await createDid(await Client.of(moved.url, service.apiKey))
      await moved.stop()
    })
  }

  it('needs little memory for 100 000 rows', async function () {
    this.timeout(300_000)
    const first = await archives.directory('first')
    await (await Service.start({ dataDirectory: first })).stop()
    const source = `sqlite:${join(first, 'agent.sqlite')}`
    const database = databaseOf(source)
    await database.lifecycle.start()
    await database.write((connection) =>
      connection.run(sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
        INSERT INTO audit_event (home, time, event, outcome, detail, occurrences)
        SELECT 0, '2026-01-02T03:04:05.678Z', 'key-created', 'ok', printf('%0800d', i), 1 FROM n`),
    )
    await database.lifecycle.stop()
    // The rows are 80 MB, and twice that as strings of JavaScript and their lines.
    const little = ['--max-old-space-size=100']
    const target = `sqlite:${join(archives.folder, 'target.sqlite')}`
    const { code, complained } = await archives.begin('export', first, source, 'first.age', { node: little })
      .closed
    assert.equal(code, 0, complained)
    const imported = await archives.begin('import', first, target, 'first.age', { node: little }).closed
    assert.equal(imported.code, 0, imported.complained)
    assert.match(imported.printed, /^Imported: 1000\d\d rows/)
  })
})
