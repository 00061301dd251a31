import { Counter, gauge, Histogram, type Measurement } from '@vidimus/core-types'
import { LOG_LINES, REQUESTS_UNDER_WAY, REQUEST_SECONDS } from '../measurements.js'

/** What the server counts while it serves. */
export class RequestCounts {
  /** being answered now */
  underWay = 0
  readonly seconds = new Histogram(REQUEST_SECONDS)
  readonly logLines = new Counter(LOG_LINES, [['warn'], ['error']])

  readonly measurements: readonly Measurement[] = [
    this.seconds,
    this.logLines,
    gauge(REQUESTS_UNDER_WAY, () => this.underWay),
  ]
}
