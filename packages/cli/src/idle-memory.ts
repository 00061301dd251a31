import { Session } from 'node:inspector/promises'
import { log } from '@vidimus/core-types'

const BEAT_MS = 5000
/** Of one processor, in a beat: what timers and health checks use, or a request now and then. */
const QUIET_SHARE = 0.01
/** Of garbage; less is not worth the pause. */
const WORTH_BYTES = 32 * 1_048_576

/** What a process has used so far. */
export interface ProcessUse {
  /** of all processors, in milliseconds */
  processorMs: number
  /** of V8's heap, garbage included, in bytes */
  heapBytes: number
}

/**
 * Returns the memory to the system that a start, or requests, have used. V8 collects garbage only while something
 * allocates: after a busy hour a process without requests would keep most of its heap for nothing.
 *
 * A collection stops the process for about 0.2 s, so it happens only while nothing else is going on.
 */
export function releaseMemoryWhenIdle(): void {
  const beats = new QuietBeats(BEAT_MS)
  const beat = async () => {
    if (!beats.isTimeToRelease(processUse())) return
    await releaseMemory()
    beats.released(processUse())
  }
  const fail = (error: unknown) => void log('error', 'unused memory could not be released', {}, error)
  setInterval(() => void beat().catch(fail), BEAT_MS).unref()
}

const processUse = (): ProcessUse => {
  const { user, system } = process.cpuUsage()
  return { processorMs: (user + system) / 1000, heapBytes: process.memoryUsage().heapUsed }
}

/** Finds the beats in which a collection disturbs nobody and is worth it. */
export class QuietBeats {
  private processorMs = Infinity
  private heapBytes = 0

  constructor(private readonly beatMs: number) {}

  /** To be called once a beat. */
  isTimeToRelease({ processorMs, heapBytes }: ProcessUse): boolean {
    const share = (processorMs - this.processorMs) / this.beatMs
    this.processorMs = processorMs
    // The first beat has none before it: the start may still be going on.
    return share >= 0 && share < QUIET_SHARE && heapBytes - this.heapBytes >= WORTH_BYTES
  }

  /** To be called after each collection: what is left is in use. */
  released({ processorMs, heapBytes }: ProcessUse): void {
    this.processorMs = processorMs
    this.heapBytes = heapBytes
  }
}

/** The only collection in Node.js that also gives the space for short-lived objects back. */
export async function releaseMemory(): Promise<void> {
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.collectGarbage')
  } finally {
    session.disconnect()
  }
}
