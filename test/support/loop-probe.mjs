// Preloaded into a service: writes down how much processor time its event loop took without giving others their turn.
import { appendFileSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const LEAST_MS = 50
const file = process.env.LOOP_PROBE_FILE

/** Processor time of the main thread in milliseconds: a busy machine makes others wait, and this no longer. */
const spent = () =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

if (isMainThread && file) {
  let last = spent()
  const look = () => {
    const now = spent()
    if (now - last >= LEAST_MS) appendFileSync(file, `${Math.round(now - last)}\n`)
    last = now
  }
  setInterval(look, 2).unref()
}
