import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from '@vidimus/database'
import { createDid } from '../behaviour/suite.js'
import { databaseOf, type ArchiveCommands } from './archive-commands.js'
import { Client } from './client.js'
import { refusedStart } from './refused-start.js'
import { Service } from './service.js'

/** An import continues meanwhile, and must not be slowed down by polling. */
const LOOK_EVERY_MS = 2

/** An import into an empty database is killed three times, blocks starts in between, and is completed. */
export async function resumes(archives: ArchiveCommands, target: string): Promise<void> {
  const first = await archives.directory('to-resume')
  const service = await Service.start({ dataDirectory: first })
  const client = await Client.of(service.url, service.apiKey)
  for (let n = 0; n < 6; n += 1) await createDid(client)
  await service.stop()
  const source = `sqlite:${join(first, 'agent.sqlite')}`
  const { rows } = await archives.quicklyExported(source, 'to-resume.age')
  const dataDirectory = await archives.directory('resumed', first)
  const watching = databaseOf(target)
  watching.admitUnfinishedImport()
  await watching.lifecycle.start()
  const imported = async () => {
    const [row] = await watching
      .query<{ n: number | string }>(sql`SELECT COALESCE(SUM("imported"), -1) AS n FROM unfinished_import`)
      .catch(() => [])
    return Number(row?.n ?? -1)
  }
  for (const share of [0, 0.3, 0.6]) {
    const { child, closed } = archives.begin('import', dataDirectory, target, 'to-resume.age', {
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
  const importing = () => archives.run('import', dataDirectory, target, 'to-resume.age')
  assert.match(await importing(), /interrupted import was completed/)
  assert.match(await importing(), /nothing was changed/)
  await watching.lifecycle.stop()
  await archives.quicklyExported(target, 'resumed.age')
  assert.deepEqual(await archives.contentOf('resumed.age'), await archives.contentOf('to-resume.age'))
  const moved = await Service.start({ dataDirectory, environment: { DATABASE_URL: target } })
  await createDid(await Client.of(moved.url, service.apiKey))
  await moved.stop()
}
