import { Counter, gauge, Histogram, type Measurement } from '@vidimus/core-types'
import { ConcurrentRequests } from '../admission/concurrent-requests.js'
import { Places } from '../admission/places.js'
import { UnreadAnswers } from '../answers/unread-answers.js'
import { BodyReader } from '../input/read-body.js'
import {
  BODIES,
  BODY_BYTES,
  LOG_LINES,
  PUBLIC_REQUESTS,
  REQUESTS_IN_PROGRESS,
  REQUESTS_REFUSED,
  REQUESTS_UNDER_WAY,
  REQUEST_SECONDS,
  STREAMS,
  UNREAD_BYTES,
} from '../measurements.js'
import type { ServerSettings } from '../options.js'
import { PART_OF_ONE, PublicRequests } from '../admission/public-requests.js'
import type { RequestLife } from '../request/request-life.js'

/** Of all accounts together; the other limits of files and streams are for each account. */
const MOST_UPLOADS = 1000
const MOST_STREAMS = 2000

/** Requests in progress, what they occupy, and the counters of a server. */
export class RequestCounts {
  readonly concurrent: ConcurrentRequests
  readonly strangers: PublicRequests
  readonly bodies: BodyReader
  readonly streams: Places
  readonly tables: Places
  readonly uploads: Places
  readonly unread: UnreadAnswers
  readonly refused = new Counter(REQUESTS_REFUSED)
  readonly seconds = new Histogram(REQUEST_SECONDS)
  readonly logLines = new Counter(LOG_LINES, [['warn'], ['error']])
  readonly measurements: readonly Measurement[]
  private readonly lives = new Set<RequestLife>()

  constructor({ limits, timeouts }: Pick<ServerSettings, 'limits' | 'timeouts'>) {
    const { concurrentRequests, bodyBytesTogether } = limits
    const {
      concurrentRequestsPerAccount = Math.max(1, Math.floor(concurrentRequests / PART_OF_ONE)),
      bodyBytesPerAccount = Math.max(1, Math.floor(bodyBytesTogether / PART_OF_ONE)),
    } = limits
    const shares = { concurrentRequestsPerAccount, bodyBytesPerAccount }
    this.concurrent = new ConcurrentRequests(concurrentRequests, concurrentRequestsPerAccount)
    this.strangers = new PublicRequests(limits)
    this.bodies = new BodyReader({ ...limits, ...timeouts, ...shares })
    const share = (limit: keyof typeof limits & `${string}PerAccount`, what: string) => ({
      limit,
      most: Number(limits[limit]),
      what: `too many ${what} of this account at once`,
    })
    this.streams = new Places(share('eventStreamsPerAccount', 'event streams'), {
      limit: 'eventStreams',
      most: MOST_STREAMS,
      what: 'too many event streams are open',
    })
    this.tables = new Places(share('tablesPerAccount', 'tables'))
    this.uploads = new Places(share('uploadsPerAccount', 'uploads of files'), {
      limit: 'uploads',
      most: MOST_UPLOADS,
      what: 'too many files are being uploaded',
    })
    this.unread = new UnreadAnswers(
      new Places(share('unreadBytesPerAccount', 'unread bytes of answers')),
      timeouts.unreadMs,
    )
    this.measurements = [
      this.seconds,
      this.logLines,
      this.refused,
      gauge(REQUESTS_IN_PROGRESS, () => this.lives.size),
      gauge(REQUESTS_UNDER_WAY, () => this.concurrent.count),
      gauge(PUBLIC_REQUESTS, () => this.strangers.count),
      gauge(STREAMS, () => this.streams.count),
      gauge(BODIES, () => this.bodies.awaited),
      gauge(BODY_BYTES, () => this.bodies.held),
      gauge(UNREAD_BYTES, () => this.unread.ofAccounts.count),
    ]
  }

  /** Counts a request until it ends. */
  begin(life: RequestLife): void {
    this.lives.add(life)
    life.atEnd(() => this.lives.delete(life))
  }
}
