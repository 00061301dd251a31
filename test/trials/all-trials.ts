import { load } from './load.js'
import type { Trial } from './trial.js'

/** In the order in which they are run. */
export const TRIALS: readonly Trial[] = [load]
