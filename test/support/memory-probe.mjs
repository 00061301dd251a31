// Preloaded into a process (`node --import`): on SIGUSR2 it collects its garbage and writes what is left in memory, and what
// keeps its event loop alive, as JSON, into the file MEMORY_PROBE_FILE.
import { renameSync, writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
const file = process.env.MEMORY_PROBE_FILE ?? ''

process.on('SIGUSR2', () => {
  collect()
  // What the first one has released may hold further things.
  setImmediate(() => {
    collect()
    const left = { ...process.memoryUsage(), handles: process.getActiveResourcesInfo().length }
    writeFileSync(`${file}.unfinished`, JSON.stringify(left))
    renameSync(`${file}.unfinished`, file)
  })
})
