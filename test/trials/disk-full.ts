import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from '@vidimus/database'
import { openDatabase } from '../support/open-database.js'
import { Calls } from './calls.js'
import { untilReady, withFleet, type Fleet } from './fleet.js'
import { createLists } from './list-kinds.js'
import { ListLoad } from './list-load.js'
import { assertNothingHalfDone } from './nothing-half-done.js'
import { assertNothingLost } from './nothing-lost.js'
import { trialOf, type Figures } from './trial.js'

interface Size {
  megabytes: number
  workers: number
  rounds: number
  fullMs: number
}

const RULE =
  'The disk of the SQLite database is full during load. Changes are answered with 503 `unavailable`, which names the ' +
  'disk, and reads are answered as always; once there is room again everything goes on without a restart; nothing ' +
  'acknowledged is lost, nothing is half-done, and `PRAGMA integrity_check` finds nothing.'

const BALLAST = 'ballast'

const command = promisify(execFile)

async function run({ megabytes, workers, rounds, fullMs }: Size): Promise<Figures> {
  const disk = await mkdtemp(join(tmpdir(), 'vidimus-small-disk-'))
  await command('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', disk])
  try {
    return await withFleet({ processes: 1, dataDirectory: disk }, async (fleet) => {
      const lists = await createLists(fleet.client(), 2)
      const calls = new Calls()
      const load = new ListLoad(fleet, lists, calls, { workers, creations: 0.2 }).start()
      let reads = 0
      for (let n = 0; n < rounds; n++) {
        await load.progress(workers, 60_000)
        reads += await whileFull(fleet, load, calls, { disk, fullMs })
        await load.progress(workers, 60_000)
        await untilReady(fleet, true, 20_000)
      }
      await load.stop()
      const versions = await assertNothingLost(fleet.client(), load)
      await fleet.recover()
      const dids = await assertNothingHalfDone(fleet)
      await assertIntact(fleet)
      return {
        'times full': rounds,
        updates: load.updates,
        'reads while full': reads,
        DIDs: dids,
        versions,
        answers: calls.summary,
      }
    })
  } finally {
    await command('umount', [disk])
    await rm(disk, { recursive: true, force: true })
  }
}

/** @returns how many reads were answered meanwhile */
async function whileFull(
  fleet: Fleet,
  load: ListLoad,
  calls: Calls,
  { disk, fullMs }: { disk: string; fullMs: number },
): Promise<number> {
  const refused = () => calls.of('503 unavailable')
  const before = refused()
  const ballast = join(disk, BALLAST)
  await fill(disk, ballast)
  const startedAt = performance.now()
  let reads = 0
  const [list = assert.fail()] = load.lists
  const { did, statusListName, listType, statusPurpose } = list
  while (performance.now() - startedAt < fullMs || refused() === before) {
    assert.ok(performance.now() - startedAt < 60_000, `nothing was refused: ${calls.summary}`)
    // What write-ahead log there is left is filled as well.
    if (refused() === before) await fill(disk, `${ballast}-${reads}`)
    await fleet.client().ok('POST', '/credential-status/check', {
      query: { listType, statusPurpose },
      json: { did, statusListName, index: 5 },
    })
    await fleet.client().ok('GET', `/did/search/${did}`)
    reads += 2
    await setTimeout(20)
  }
  assert.match(calls.lastRefusals, /the disk of the database is full/)
  for (const file of await readdir(disk)) if (file.startsWith(BALLAST)) await rm(join(disk, file))
  return reads
}

async function fill(disk: string, file: string): Promise<void> {
  const { bavail, bsize } = await statfs(disk)
  if (bavail === 0) return
  try {
    await writeFile(file, Buffer.alloc(bavail * bsize))
  } catch (error) {
    // The service has taken some of it meanwhile: so much the better.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

async function assertIntact(fleet: Fleet): Promise<void> {
  const database = await openDatabase(fleet.installation)
  try {
    const found = await database.query<{ integrity_check: string }>(sql`PRAGMA integrity_check`)
    assert.deepEqual(found, [{ integrity_check: 'ok' }])
  } finally {
    await database.lifecycle.stop()
  }
}

/** A disk of its own is made of memory, which takes the right to mount. */
async function obstacle(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-mount-'))
  try {
    await command('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder])
    await command('umount', [folder])
    return undefined
  } catch {
    return 'as mounting a small disk needs root'
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const diskFull = trialOf(
  'disk-full',
  RULE,
  {
    full: { megabytes: 32, workers: 32, rounds: 6, fullMs: 3000 },
    short: { megabytes: 16, workers: 8, rounds: 1, fullMs: 300 },
  },
  run,
  obstacle,
)
