import type { Finding } from '@vidimus/core-types'
import type { ServerSettings } from '../options.js'

const PATIENCE_MS = 3_000

/** The service that responds at the address configured for a server, in whatever process. Never throws. */
export async function findRunningService({
  host,
  port,
}: Pick<ServerSettings, 'host' | 'port'>): Promise<Finding[]> {
  const name = 'service'
  if (port === 0) return [{ name, level: 'ok', message: 'uses a free port at each start' }]
  const url = `http://${hostInUrl(host)}:${port}`
  try {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(PATIENCE_MS) })
    const report: unknown = await answer.json().catch(() => undefined)
    if (!isReadinessReport(report)) {
      const advice = 'stop it, or give the server another port'
      return [{ name, level: 'fail', message: `another program is listening at ${url}`, advice }]
    }
    if (report.ready) return [{ name, level: 'ok', message: `running and ready at ${url}` }]
    const failing = report.checks.filter(({ ok }) => !ok).map((check) => check.name)
    const message = `running at ${url}, but not ready (${failing.join(', ') || report.state})`
    return [{ name, level: 'fail', message, advice: `see ${url}/health/ready` }]
  } catch (error) {
    if (isNobodyThere(error)) return [{ name, level: 'ok', message: `not running at ${url}` }]
    const advice = 'see its log; if it hangs, restart it'
    return [
      { name, level: 'fail', message: `the program listening at ${url} does not respond in time`, advice },
    ]
  }
}

/** A server on all interfaces is queried on this host. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

interface Readiness {
  ready: boolean
  state: string
  checks: { name: string; ok: boolean }[]
}

const isReadinessReport = (value: unknown): value is Readiness =>
  typeof value === 'object' &&
  value !== null &&
  'ready' in value &&
  'checks' in value &&
  Array.isArray(value.checks)

function isNobodyThere(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined
  return ['ECONNREFUSED', 'EADDRNOTAVAIL', 'ENOTFOUND'].includes(String(cause?.code))
}
