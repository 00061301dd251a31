// The thread behind startWatchdog. It must work while the main thread does not: nothing here may need that.
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { NOT_WATCHED, type Watch } from './watch.js'

const STDERR = 2

const { beats, beatMs, silenceMs } = workerData as Watch
let heard = NOT_WATCHED
let silent = 0

// Turns are counted, not the time: while the whole process was stopped (SIGSTOP, a suspended machine) there were none.
setInterval(() => {
  const now = Atomics.load(beats, 0)
  silent = now === heard && now !== NOT_WATCHED ? silent + 1 : 0
  heard = now
  if (silent * beatMs >= silenceMs) end()
}, beatMs)

function end(): void {
  try {
    writeSync(
      STDERR,
      `vidimus: the event loop has been silent for ${silenceMs} ms (watchdogMs): this process ends itself with SIGKILL\n`,
    )
  } finally {
    // Also where the line is not taken, as nobody reads stderr any more: Node.js lets no such write wait.
    process.kill(process.pid, 'SIGKILL')
  }
}
