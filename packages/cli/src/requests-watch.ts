import { url as inspectorAddress } from 'node:inspector'
import { log } from '@vidimus/core-types'
import type { RemoteServer } from '@vidimus/remote-server'
import { endItself } from './ending.js'

const BEAT_MS = 1000

export type WatchedServer = Pick<RemoteServer, 'watchdogMs' | 'requests' | 'hangsByItself'>

/**
 * Ends this process if it has been full of operations for `watchdogMs`, none of which has ended, and nothing outside
 * explains that: see {@link RemoteServer.hangsByItself}. A restart would not fix the problems of others.
 */
export function watchRequests(server: WatchedServer): void {
  const { watchdogMs } = server
  if (watchdogMs === 0) return
  const beatMs = Math.min(BEAT_MS, watchdogMs / 4)
  const full = new FullBeats(server)
  let isAsking = false
  const beat = async () => {
    if (isAsking || full.count() * beatMs < watchdogMs) return
    isAsking = true
    try {
      const { ended } = server.requests
      const isAtFault = await server.hangsByItself()
      // One may have ended while that was asked.
      if (isAtFault && server.requests.ended === ended) {
        endItself(`no request has completed for ${watchdogMs} ms, and no more can be accepted`)
      }
    } finally {
      isAsking = false
    }
  }
  const fail = (error: unknown) => void log('error', 'the request watchdog failed', {}, error)
  setInterval(() => void beat().catch(fail), beatMs).unref()
}

/** Beats are counted, not the time: while the whole process was stopped there were none, and nothing could end. */
class FullBeats {
  private beats = 0
  private lastEnded = 0

  constructor(private readonly server: WatchedServer) {}

  /** To be called once a beat. @returns how many in a row found it full, and nothing ended. */
  count(): number {
    const { isFull, ended } = this.server.requests
    const isStill = isFull && ended === this.lastEnded && inspectorAddress() === undefined
    this.beats = isStill ? this.beats + 1 : 0
    this.lastEnded = ended
    return this.beats
  }
}
