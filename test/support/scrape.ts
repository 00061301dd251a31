import assert from 'node:assert/strict'
import { parseMetrics, type Metric } from './prometheus-text.js'
import type { Service } from './service.js'

/** Where the service says that its metrics are; `undefined` where they have no port of their own. */
export const metricsUrl = ({ log }: Pick<Service, 'log'>): string | undefined =>
  /^ {2}Metrics +(\S+)$/m.exec(log)?.[1]

/** Reads the metrics as Prometheus does. */
export async function scrape(service: Pick<Service, 'log'>): Promise<Map<string, Metric>> {
  const url = metricsUrl(service)
  assert.ok(url, 'the service names no address of metrics')
  const response = await fetch(url)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  return parseMetrics(await response.text())
}
