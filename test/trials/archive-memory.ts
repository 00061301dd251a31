import assert from 'node:assert/strict'
import { join } from 'node:path'
import { ArchiveCommands, fillAuditTrail } from '../support/archive-commands.js'
import { Service } from '../support/service.js'
import { trialOf, type Figures } from './trial.js'

interface Size {
  /** of 800 characters, and twice or three times that in memory */
  rows: number
  /** of each command, in MB, some 40 of which it needs without rows */
  heap: number
}

const RULE =
  'An installation with rows that take more memory than a process may have is exported, and imported into an empty database.'

async function run({ rows, heap }: Size): Promise<Figures> {
  const archives = await ArchiveCommands.inFolder()
  try {
    const first = await archives.directory('first')
    await (await Service.start({ dataDirectory: first })).stop()
    const source = `sqlite:${join(first, 'agent.sqlite')}`
    await fillAuditTrail(source, rows)
    const node = [`--max-old-space-size=${heap}`]
    const target = `sqlite:${join(archives.folder, 'target.sqlite')}`
    const exported = await archives.begin('export', first, source, 'first.age', { node }).closed
    assert.equal(exported.code, 0, exported.complained)
    const imported = await archives.begin('import', first, target, 'first.age', { node }).closed
    assert.equal(imported.code, 0, imported.complained)
    const [, count = ''] = /^Imported: (\d+) rows/.exec(imported.printed) ?? []
    assert.ok(Number(count) >= rows, imported.printed)
    return { rows: count, 'heap, MB': heap }
  } finally {
    await archives.remove()
  }
}

export const archiveMemory = trialOf(
  'archive-memory',
  RULE,
  { full: { rows: 100_000, heap: 100 }, short: { rows: 16_000, heap: 56 } },
  run,
)
