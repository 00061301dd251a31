import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from '@vidimus/database'
import { createDid } from '../behaviour/suite.js'
import { databaseOf, fillAuditTrail, type ArchiveCommands } from './archive-commands.js'
import { Client } from './client.js'
import { refusedStart } from './refused-start.js'
import { Service } from './service.js'

/** The import goes on meanwhile, and must not be slowed down by polling. */
const LOOK_EVERY_MS = 2

/** An import into an empty database is killed twice, blocks starts in between, and starts over. */
export async function startsOver(archives: ArchiveCommands, target: string): Promise<void> {
  const first = await archives.directory('to-move')
  const service = await Service.start({ dataDirectory: first })
  const client = await Client.of(service.url, service.apiKey)
  for (let n = 0; n < 6; n += 1) await createDid(client)
  await service.stop()
  const source = `sqlite:${join(first, 'agent.sqlite')}`
  await fillAuditTrail(source, 2000)
  await archives.quicklyExported(source, 'to-move.age')
  const dataDirectory = await archives.directory('moved', first)
  const watching = databaseOf(target)
  watching.admitUnfinishedImport()
  await watching.lifecycle.start()
  const begun = async () => {
    const [row] = await watching
      .query<{ run: string; rows: number | string }>(
        sql`SELECT run, (SELECT COUNT(*) FROM audit_event) AS rows FROM unfinished_import`,
      )
      .catch(() => [])
    return row
  }
  for (const least of [0, 4]) {
    const before = await begun()
    const { child, closed } = archives.begin('import', dataDirectory, target, 'to-move.age', {
      args: ['--batch', '1'],
    })
    const isUnderWay = async () => {
      const now = await begun()
      return now !== undefined && now.run !== before?.run && Number(now.rows) >= least
    }
    while (child.exitCode === null && !(await isUnderWay())) await setTimeout(LOOK_EVERY_MS)
    child.kill('SIGKILL')
    assert.equal((await closed).code, null, 'it was finished before it was killed')
    const { says } = await refusedStart({ dataDirectory, environment: { DATABASE_URL: target } })
    assert.match(
      says,
      /agent\.yml:\d+:\d+ {2}database: the import of an archive into .* run `vidimus import`/,
    )
  }
  const importing = () => archives.run('import', dataDirectory, target, 'to-move.age')
  assert.match(await importing(), /interrupted import was dropped. Imported: /)
  assert.match(await importing(), /nothing was changed/)
  await watching.lifecycle.stop()
  await archives.quicklyExported(target, 'moved.age')
  assert.deepEqual(await archives.contentOf('moved.age'), await archives.contentOf('to-move.age'))
  const moved = await Service.start({ dataDirectory, environment: { DATABASE_URL: target } })
  await createDid(await Client.of(moved.url, service.apiKey))
  await moved.stop()
}
