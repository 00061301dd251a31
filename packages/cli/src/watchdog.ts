import { url as inspectorAddress } from 'node:inspector'
import { Worker } from 'node:worker_threads'
import { log } from '@vidimus/core-types'
import { NOT_WATCHED, type Watch } from './watch.js'

const BEAT_MS = 1000

/**
 * Ends this process with SIGKILL if its event loop has been silent for this long: its JavaScript no longer runs, so
 * it would not even notice a SIGTERM. Its supervisor restarts it. A process that is being debugged is not watched.
 *
 * @param silenceMs - 0: never
 */
export function startWatchdog(silenceMs: number): void {
  if (silenceMs === 0 || inspectorAddress() !== undefined) return
  if (process.pid === 1) {
    console.error(
      'note: the first process of a container cannot terminate itself: for the watchdog to work, run it under an init (tini)',
    )
  }
  const beatMs = Math.min(BEAT_MS, silenceMs / 4)
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  // The first one at once: a loop that is blocked before it would never be watched.
  beat(beats)
  setInterval(() => beat(beats), beatMs).unref()
  const workerData: Watch = { beats, beatMs, silenceMs }
  const worker = new Worker(new URL(import.meta.resolve('#watchdog-worker')), { workerData, execArgv: [] })
  worker.on('error', (error) => log('error', 'the event loop watchdog ended', {}, error))
  worker.unref()
}

/** A debugger may come later. */
function beat(beats: Int32Array): void {
  if (inspectorAddress() === undefined) Atomics.add(beats, 0, 1)
  else Atomics.store(beats, 0, NOT_WATCHED)
}
