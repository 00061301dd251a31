import { Counter, gauge, Histogram, UnderWay, type Measurement } from '@vidimus/core-types'
import { ConcurrentRequests } from '../admission/concurrent-requests.js'
import { BodyReader } from '../input/read-body.js'
import {
  BODIES,
  BODY_BYTES,
  LOG_LINES,
  PUBLIC_REQUESTS,
  REQUESTS_IN_PROGRESS,
  REQUESTS_UNDER_WAY,
  REQUEST_SECONDS,
  STREAMS,
} from '../measurements.js'
import type { ServerSettings } from '../options.js'
import { PublicRequests } from '../admission/public-requests.js'
import type { RequestLife } from '../request/request-life.js'

/** Requests in progress, and the counters of a server. */
export class RequestCounts {
  readonly concurrent: ConcurrentRequests
  readonly strangers: PublicRequests
  readonly bodies: BodyReader
  readonly streams = new UnderWay()
  readonly seconds = new Histogram(REQUEST_SECONDS)
  readonly logLines = new Counter(LOG_LINES, [['warn'], ['error']])
  readonly measurements: readonly Measurement[]
  private readonly lives = new Set<RequestLife>()

  constructor({ limits, timeouts }: Pick<ServerSettings, 'limits' | 'timeouts'>) {
    this.concurrent = new ConcurrentRequests(limits.concurrentRequests)
    this.strangers = new PublicRequests(limits)
    this.bodies = new BodyReader({ ...limits, ...timeouts })
    this.measurements = [
      this.seconds,
      this.logLines,
      gauge(REQUESTS_IN_PROGRESS, () => this.lives.size),
      gauge(REQUESTS_UNDER_WAY, () => this.concurrent.count),
      gauge(PUBLIC_REQUESTS, () => this.strangers.count),
      gauge(STREAMS, () => this.streams.count),
      gauge(BODIES, () => this.bodies.awaited),
      gauge(BODY_BYTES, () => this.bodies.held),
    ]
  }

  /** Counts a request until it ends. */
  begin(life: RequestLife): void {
    this.lives.add(life)
    life.atEnd(() => this.lives.delete(life))
  }
}
