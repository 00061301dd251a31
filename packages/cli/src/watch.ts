/** Shared by the main thread and its watchdog. */
export interface Watch {
  /** one number, which the main thread raises with each beat */
  beats: Int32Array
  beatMs: number
  silenceMs: number
}

/** In place of a number of beats, while a debugger is there. */
export const NOT_WATCHED = 0
