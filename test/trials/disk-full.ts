import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { sql } from '@vidimus/database'
import { openDatabase } from '../support/open-database.js'
import { SmallDisk } from '../support/small-disk.js'
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

/** What needs no more than a look at the database. */
const READS = [
  '/did/list',
  '/key/list',
  '/credential-status/list',
  '/account/events',
  '/account/usage',
] as const

const RULE =
  'The disk of the SQLite database is full during load. Changes get a 503 `unavailable` that names the ' +
  'disk, and reads work as usual, also after the process is killed (`kill -9`) or stopped (SIGTERM) and ' +
  'started again on the full disk. Once there is room, everything continues without a restart; no ' +
  'acknowledged change is lost, nothing is half-done, and `PRAGMA integrity_check` finds nothing.'

async function run({ megabytes, workers, rounds, fullMs }: Size): Promise<Figures> {
  const disk = await SmallDisk.mount(megabytes)
  try {
    return await withFleet({ processes: 1, dataDirectory: disk.folder }, async (fleet) => {
      const lists = await createLists(fleet.client(), 2)
      const calls = new Calls()
      const load = new ListLoad(fleet, lists, calls, { workers, creations: 0.2 }).start()
      let reads = 0
      for (let n = 0; n < rounds; n++) {
        await load.progress(workers, 60_000)
        reads += await whileFull({ fleet, load, calls, disk, fullMs })
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
        starts: rounds * STARTS.length,
        updates: load.updates,
        'reads while full': reads,
        DIDs: dids,
        versions,
        answers: calls.summary,
      }
    })
  } finally {
    await disk.unmount()
  }
}

interface Scene {
  fleet: Fleet
  load: ListLoad
  calls: Calls
  disk: SmallDisk
  fullMs: number
}

/** How the process ends before it is started on the full disk. */
const STARTS: readonly ('kill' | 'stop')[] = ['kill', 'stop']

/** @returns how many reads were answered meanwhile */
async function whileFull(scene: Scene): Promise<number> {
  const { fleet, calls, disk } = scene
  await disk.fill()
  let reads = await readWhileRefused(scene)
  for (const how of STARTS) {
    const member = fleet.member(0)
    await member.service[how]()
    await disk.fill()
    await fleet.restart(member)
    reads += await readWhileRefused(scene)
    await untilReady(fleet, true, 20_000)
  }
  assert.match(calls.lastRefusals, /the disk of the database is full/)
  await disk.clear()
  return reads
}

/** @returns how many reads were answered */
async function readWhileRefused({ fleet, load, calls, disk, fullMs }: Scene): Promise<number> {
  const refused = () => calls.of('503 unavailable')
  const before = refused()
  const startedAt = performance.now()
  let reads = 0
  const [list = assert.fail()] = load.lists
  const { did, statusListName, listType, statusPurpose } = list
  while (performance.now() - startedAt < fullMs || refused() === before) {
    assert.ok(performance.now() - startedAt < 60_000, `nothing was refused: ${calls.summary}`)
    // What write-ahead log there is left is filled as well.
    if (refused() === before) await disk.fill()
    await fleet.client().ok('POST', '/credential-status/check', {
      query: { listType, statusPurpose },
      json: { did, statusListName, index: 5 },
    })
    for (const path of READS) await fleet.client().ok('GET', path)
    await fleet.client().ok('GET', `/did/search/${did}`)
    reads += READS.length + 2
    await setTimeout(20)
  }
  return reads
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

export const diskFull = trialOf(
  'disk-full',
  RULE,
  {
    full: { megabytes: 32, workers: 32, rounds: 6, fullMs: 3000 },
    short: { megabytes: 16, workers: 8, rounds: 1, fullMs: 300 },
  },
  run,
  () => SmallDisk.obstacle(),
)
