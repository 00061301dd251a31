import assert from 'node:assert/strict'
import { join } from 'node:path'
import { sql } from '@vidimus/database'
import { ArchiveCommands, databaseOf } from './support/archive-commands.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { moves } from './support/moved-installation.js'
import { resumes } from './support/interrupted-import.js'
import { Service } from './support/service.js'

describe('moving an installation (extended)', () => {
  let archives: ArchiveCommands
  beforeEach(async () => {
    archives = await ArchiveCommands.inFolder()
  })
  afterEach(() => archives.remove())

  it('from PostgreSQL to SQLite preserves every response', async function () {
    await moves(archives, 'PostgreSQL', 'SQLite')
  })

  for (const place of PLACES) {
    it(`into ${place} resumes after kill -9, and blocks other starts in between`, async function () {
      await resumes(archives, await freshDatabase(place))
    })
  }

  it('needs little memory for 100 000 rows', async function () {
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
