import assert from 'node:assert/strict'
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ArchiveCommands } from './support/archive-commands.js'
import { freshDatabase } from './support/fresh-database.js'
import { moves } from './support/moved-installation.js'
import { Service } from './support/service.js'
import { beginVidimus } from './support/vidimus-process.js'

describe('moving an installation', () => {
  let archives: ArchiveCommands
  beforeEach(async () => {
    archives = await ArchiveCommands.inFolder()
  })
  afterEach(() => archives.remove())

  it('from SQLite to PostgreSQL preserves every response', async function () {
    await moves(archives, 'SQLite', 'PostgreSQL')
  })

  it('requires the secret of the exported installation, and writes nothing without it', async () => {
    const first = await archives.directory('first')
    await (await Service.start({ dataDirectory: first })).stop()
    await archives.quicklyExported(`sqlite:${join(first, 'agent.sqlite')}`, 'first.age')
    const other = await archives.directory('other')
    const target = await freshDatabase('SQLite')
    const missing = await archives.end('import', other, target, 'first.age')
    assert.equal(missing.code, 1)
    assert.match(missing.complained, /secret does not fit the archive: .* holds none/)
    await writeFile(join(other, 'kms-secret.key'), `${'5a'.repeat(32)}\n`, { mode: 0o600 })
    const wrong = await archives.end('import', other, target, 'first.age')
    assert.match(wrong.complained, /secret does not fit the archive: .* holds "/)
    assert.ok(!wrong.complained.includes('5a5a'))
    await copyFile(join(first, 'kms-secret.key'), join(other, 'kms-secret.key'))
    await archives.run('import', other, target, 'first.age')
  })

  it('refuses to export a database not yet opened by this version, and to prompt without a terminal', async () => {
    const first = await archives.directory('first')
    const unopened = await archives.begin('export', first, await freshDatabase('SQLite'), 'first.age').closed
    assert.equal(unopened.code, 1)
    assert.match(unopened.complained, /lacks tables of this version/)
    const { code, complained } = await beginVidimus(
      ['import', '--file', join(archives.folder, 'first.age')],
      {
        PATH: process.env.PATH,
        VIDIMUS_DATA_DIR: first,
      },
    ).closed
    assert.equal(code, 1)
    assert.match(complained, /no terminal to prompt for the passphrase/)
  })
})
