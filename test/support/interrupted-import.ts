import assert from 'node:assert/strict'
import { join } from 'node:path'
import { createDid } from '../behaviour/suite.js'
import { fillAuditTrail, type ArchiveCommands } from './archive-commands.js'
import { Client } from './client.js'
import { refusedStart } from './refused-start.js'
import { Service } from './service.js'

const KILLED_AFTER_WRITES = join(import.meta.dirname, 'killed-after-writes.mjs')
/** Once it has begun, and in the middle of a table. */
const KILLS = [
  { KILL_AFTER_STATEMENT: 'INSERT INTO "unfinished_import"', KILL_AFTER_WRITES: '1' },
  { KILL_AFTER_STATEMENT: 'INSERT INTO "audit_event"', KILL_AFTER_WRITES: '4' },
]

/** An import into an empty database is killed twice, blocks starts in between, and starts over. */
export async function startsOver(archives: ArchiveCommands, target: string): Promise<void> {
  const first = await archives.directory('to-move')
  const service = await Service.start({ dataDirectory: first })
  const client = await Client.of(service.url, service.apiKey)
  for (let n = 0; n < 6; n += 1) await createDid(client)
  await service.stop()
  const source = `sqlite:${join(first, 'agent.sqlite')}`
  await fillAuditTrail(source, 50)
  await archives.quicklyExported(source, 'to-move.age')
  const dataDirectory = await archives.directory('moved', first)
  for (const environment of KILLS) {
    const { child, closed } = archives.begin('import', dataDirectory, target, 'to-move.age', {
      args: ['--batch', '1'],
      node: ['--import', KILLED_AFTER_WRITES],
      environment,
    })
    const { complained } = await closed
    assert.equal(child.signalCode, 'SIGKILL', complained)
    const { says } = await refusedStart({ dataDirectory, environment: { DATABASE_URL: target } })
    assert.match(
      says,
      /agent\.yml:\d+:\d+ {2}database: the import of an archive into .* run `vidimus import`/,
    )
  }
  const importing = () => archives.run('import', dataDirectory, target, 'to-move.age')
  assert.match(await importing(), /interrupted import was dropped. Imported: /)
  assert.match(await importing(), /nothing was changed/)
  await archives.quicklyExported(target, 'moved.age')
  assert.deepEqual(await archives.contentOf('moved.age'), await archives.contentOf('to-move.age'))
  const moved = await Service.start({ dataDirectory, environment: { DATABASE_URL: target } })
  await createDid(await Client.of(moved.url, service.apiKey))
  await moved.stop()
}
