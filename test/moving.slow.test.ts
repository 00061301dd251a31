import { ArchiveCommands } from './support/archive-commands.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { moves } from './support/moved-installation.js'
import { startsOver } from './support/interrupted-import.js'

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
})
