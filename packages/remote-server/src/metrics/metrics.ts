import type { Server } from 'node:http'
import { askedGauge, CACHES, gauge, type Measurement } from '@vidimus/core-types'
import { closed, listening, listeningUrl } from '../connection/listening.js'
import { BUILD, CACHE_BUDGET, CACHE_BYTES, CHECKS, READY } from '../measurements.js'
import type { ServerSettings } from '../options.js'
import { packageVersion } from '../package-version.js'
import type { Readiness } from '../health/readiness.js'
import { METRICS_PATH, metricsServer } from './metrics-server.js'
import { RequestCounts } from './request-counts.js'

/** Interrupting a scrape does no harm. */
const GRACE_MS = 500

/** Metrics of a server: its own counts, and where all metrics are served, if anywhere. */
export class Metrics {
  readonly counts: RequestCounts
  /** measurements of the server itself */
  readonly own: readonly Measurement[]
  /** for the main port; `undefined` if they are not served there */
  publicText: (() => Promise<string>) | undefined
  /** on a separate port */
  url: string | undefined
  private measurements: () => readonly Measurement[]
  private server: Server | undefined

  constructor(
    private readonly settings: Pick<ServerSettings, 'metrics' | 'measurements' | 'limits' | 'timeouts'>,
    readiness: Readiness,
  ) {
    this.counts = new RequestCounts(settings)
    this.own = [...this.counts.measurements, ...standing(readiness)]
    this.measurements = settings.measurements ?? (() => [])
  }

  /** Additional measurements, which may include {@link own}. */
  use(measurements: () => readonly Measurement[]): void {
    this.measurements = measurements
  }

  /** Loads nothing if metrics are not served. @throws AgentError if the port cannot be used */
  async open(): Promise<void> {
    const { port, host, token, public: isPublic } = this.settings.metrics
    const hasPort = port !== undefined && port !== null
    if (!hasPort && !isPublic) return
    const all = () => [...new Set([...this.own, ...this.measurements()])]
    const { MetricsText } = await import('./metrics-text.js')
    const { processFigures } = await import('./process-figures.js')
    const text = new MetricsText(all, processFigures())
    const write = () => text.write()
    if (isPublic) this.publicText = write
    if (!hasPort) return
    const server = metricsServer(write, token ?? undefined)
    const options = { host: 'metrics.host', port: 'metrics.port', variable: 'METRICS_PORT' }
    await listening(server, { host, port, options })
    this.server = server
    this.url = `${listeningUrl(server)}${METRICS_PATH}`
  }

  async close(): Promise<void> {
    if (this.server) await closed(this.server, GRACE_MS)
    this.server = undefined
  }
}

const standing = (readiness: Readiness): Measurement[] => [
  askedGauge(READY, async () => ((await readiness.report()).ready ? 1 : 0)),
  askedGauge(CHECKS, async () => {
    const { checks } = await readiness.report()
    return checks.map(({ name, ok }) => ({ labels: [name], value: ok ? 1 : 0 }))
  }),
  gauge(CACHE_BYTES, () => [...CACHES.takenBy].map(([cache, value]) => ({ labels: [cache], value }))),
  gauge(CACHE_BUDGET, () => CACHES.bytes),
  gauge(BUILD, () => [{ labels: [packageVersion(), process.versions.node], value: 1 }]),
]
