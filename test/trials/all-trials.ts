import { archiveMemory } from './archive-memory.js'
import { citus } from './citus.js'
import { citusMoving } from './citus-moving.js'
import { clock } from './clock.js'
import { DATABASE_FAULTS } from './database-faults.js'
import { databaseRestart } from './database-restart.js'
import { diskFull } from './disk-full.js'
import { duplicates } from './duplicates.js'
import { interruptedCreations } from './interrupted-creations.js'
import { jobs } from './jobs.js'
import { keys } from './keys.js'
import { kills } from './kills.js'
import { load } from './load.js'
import { model } from './model/model.js'
import { pace } from './pace.js'
import { publication } from './publication.js'
import { restored } from './restored.js'
import { runtimes } from './runtimes.js'
import { series } from './series.js'
import { setUps } from './set-ups.js'
import { sigterm } from './sigterm.js'
import { smallHeap } from './small-heap.js'
import { soak } from './soak/soak.js'
import { updates } from './updates.js'
import type { Trial } from './trial.js'

/**
 * Each part is a file of tests in its short form: all in one file would last longer than anything else of a run. Those that share
 * processes come one after the other, and need as many as those before, or more.
 */
export const PARTS = {
  processes: [interruptedCreations, load, duplicates, kills, jobs, series, pace, sigterm, publication],
  database: [databaseRestart, diskFull, ...DATABASE_FAULTS, updates, restored, citus, citusMoving],
  installation: [model, smallHeap, soak, clock, keys, archiveMemory, runtimes, setUps],
}

/** In the order in which they are run. */
export const TRIALS: readonly Trial[] = Object.values(PARTS).flat()
