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

/** In the order in which they are run. */
export const TRIALS: readonly Trial[] = [
  load,
  kills,
  model,
  databaseRestart,
  diskFull,
  ...DATABASE_FAULTS,
  updates,
  smallHeap,
  soak,
  interruptedCreations,
  clock,
  duplicates,
  sigterm,
  keys,
  publication,
  jobs,
  series,
  pace,
  restored,
  archiveMemory,
  citus,
  citusMoving,
  runtimes,
  setUps,
]
