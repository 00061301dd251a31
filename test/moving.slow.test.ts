import assert from 'node:assert/strict'
import { join } from 'node:path'
import { ArchiveCommands, fillAuditTrail } from './support/archive-commands.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { moves } from './support/moved-installation.js'
import { startsOver } from './support/interrupted-import.js'
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
    it(`into ${place} starts over after kill -9, and blocks other starts in between`, async function () {
      await startsOver(archives, await freshDatabase(place))
    })
  }

  it('needs little memory for 35 000 rows', async function () {
    const first = await archives.directory('first')
    await (await Service.start({ dataDirectory: first })).stop()
    const source = `sqlite:${join(first, 'agent.sqlite')}`
    await fillAuditTrail(source, 35_000)
    // The rows are 28 MB, twice that as strings of JavaScript and their lines, beside some 40 MB of the process itself.
    const little = ['--max-old-space-size=80']
    const target = `sqlite:${join(archives.folder, 'target.sqlite')}`
    const { code, complained } = await archives.begin('export', first, source, 'first.age', { node: little })
      .closed
    assert.equal(code, 0, complained)
    const imported = await archives.begin('import', first, target, 'first.age', { node: little }).closed
    assert.equal(imported.code, 0, imported.complained)
    assert.match(imported.printed, /^Imported: 350\d\d rows/)
  })
})
