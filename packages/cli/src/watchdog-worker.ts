// The thread behind startWatchdog. It must work while the main thread does not: nothing here may need that.
import { workerData } from 'node:worker_threads'
import { endItself } from './ending.js'
import { NOT_WATCHED, type Watch } from './watch.js'

const { beats, beatMs, silenceMs } = workerData as Watch
let heard = NOT_WATCHED
let silent = 0

// Rounds are counted, not the time: while the whole process was stopped (SIGSTOP, a suspended machine) there were none.
setInterval(() => {
  const now = Atomics.load(beats, 0)
  silent = now === heard && now !== NOT_WATCHED ? silent + 1 : 0
  heard = now
  if (silent * beatMs >= silenceMs) endItself(`the event loop has not responded for ${silenceMs} ms`)
}, beatMs)
