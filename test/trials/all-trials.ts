import { DATABASE_FAULTS } from './database-faults.js'
import { databaseRestart } from './database-restart.js'
import { interruptedCreations } from './interrupted-creations.js'
import { kills } from './kills.js'
import { load } from './load.js'
import type { Trial } from './trial.js'

/** In the order in which they are run. */
export const TRIALS: readonly Trial[] = [
  load,
  kills,
  databaseRestart,
  ...DATABASE_FAULTS,
  interruptedCreations,
]
