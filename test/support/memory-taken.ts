import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { CACHES } from '@vidimus/core-types'

/** As many times more may be taken than is counted: what counts too little grows beyond the budget. */
const MOST_TAKEN = 1.3
/** And as many times more be counted: texts that values share are counted with each of them. */
const MOST_COUNTED = 1.5

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Less than what is judged; a collection that frees as little was the last. */
const SETTLED = 64 * 1024

/** What was released may hold further things, also until a later turn: collected until nothing more is freed. */
async function memoryTaken(): Promise<{ buffers: number; heap: number }> {
  for (let last = Infinity; ;) {
    collect()
    await setImmediate()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    if (heapUsed > last - SETTLED) return { buffers: arrayBuffers, heap: heapUsed }
    last = heapUsed
  }
}

/** What else a process may keep or let go of meanwhile: code that was compiled, files of tests that ran before. */
const ELSE = 512 * 1024

/**
 * That what a cache of this process counts is what it takes: `process.memoryUsage` before and after work that fills it.
 *
 * @param buffers - of how many bytes of buffers is known beforehand, which nothing else of the work may keep; 0 where the cache has none
 */
export async function assertCountsWhatItTakes(
  cache: string,
  { buffers }: { buffers: number },
  fill: () => Promise<void>,
): Promise<void> {
  // Other tests of this process may have filled the budget, or left a small one.
  const budget = CACHES.bytes
  CACHES.bytes = Number.MAX_SAFE_INTEGER
  const countedBefore = CACHES.takenBy.get(cache) ?? 0
  const before = await memoryTaken()
  await fill()
  const after = await memoryTaken()
  const counted = (CACHES.takenBy.get(cache) ?? 0) - countedBefore
  CACHES.bytes = budget
  const taken = after.buffers - before.buffers + after.heap - before.heap
  const sentence = `${taken} bytes are taken, ${counted} counted`
  assert.ok(taken < MOST_TAKEN * counted + ELSE, sentence)
  assert.ok(counted < MOST_COUNTED * (taken + ELSE), sentence)
  if (buffers === 0) return
  const kept = after.buffers - before.buffers
  assert.ok(
    kept < MOST_TAKEN * buffers && buffers < MOST_TAKEN * kept,
    `${kept} bytes of buffers are kept for ${buffers}`,
  )
}
