import assert from 'node:assert/strict'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'
import {
  documentedMetrics,
  metricsPage,
  processMetrics,
  type DocumentedMetric,
} from './support/metrics-page.js'
import { read } from './support/repository.js'

/** Labels that Prometheus adds to each sample. */
const TARGET_LABELS = ['job', 'instance']

/** Metrics that Prometheus itself adds for each target. */
const OWN_OF_PROMETHEUS = { name: 'up', help: '', type: 'gauge', package: 'prometheus' } as const

interface Panel {
  title: string
  type: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string }[]
}

interface Dashboard {
  panels: Panel[]
  templating: { list: { name: string; query: string | { query: string } }[] }
}

interface Alerts {
  groups: {
    rules: {
      alert: string
      expr: string
      for: string
      labels: { severity: string }
      annotations: Record<string, string>
    }[]
  }[]
}

const dashboard = JSON.parse(read('deploy/monitoring/grafana-dashboard.json')) as Dashboard
const alerts = (parse(read('deploy/monitoring/prometheus-alerts.yml')) as Alerts).groups.flatMap(
  ({ rules }) => rules,
)

/** Grafana fills in its variables before Prometheus sees a query. */
const filledIn = (query: string): string =>
  query.replaceAll('$__rate_interval', '1m').replaceAll('$job', '.*').replaceAll('$instance', '.*')

/** The errors of a query: its syntax, missing metrics and missing labels. */
function mistakesIn(query: string, metrics: readonly DocumentedMetric[]): string[] {
  const mistakes: string[] = []
  const text = filledIn(query)
  const labelsInScope = new Set<string>(TARGET_LABELS)
  const grouped: string[] = []
  let selectors = 0
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      const here = text.slice(from, to)
      if (type.isError) mistakes.push(`${query}: cannot be read at ${from}`)
      if (type.name === 'GroupingLabels') {
        for (const label of here.replace(/[()]/g, '').split(',')) grouped.push(label.trim())
      }
      if (type.name !== 'VectorSelector') return
      selectors += 1
      const name = node.getChild('Identifier')
      const metric = name && seriesOf(text.slice(name.from, name.to), metrics)
      if (!metric) {
        mistakes.push(`${query}: there is no ${here}`)
        return
      }
      const labels = [...TARGET_LABELS, ...metric.labels]
      for (const label of labels) labelsInScope.add(label)
      for (const [, label = ''] of here.matchAll(/[{,]\s*(\w+)\s*(?:=|!)/g)) {
        if (!labels.includes(label)) mistakes.push(`${query}: ${metric.name} has no label ${label}`)
      }
    },
  })
  if (selectors === 0) mistakes.push(`${query}: asks for nothing`)
  const unknown = grouped.filter((label) => !labelsInScope.has(label))
  return [...mistakes, ...unknown.map((label) => `${query}: nothing has the label ${label}`)]
}

/** A histogram is three series, and nothing of its own name. */
function seriesOf(name: string, metrics: readonly DocumentedMetric[]) {
  for (const metric of metrics) {
    const labels = [...(metric.labels ?? [])]
    if (metric.type !== 'histogram') {
      if (name === metric.name) return { name, labels }
    } else if (name === `${metric.name}_bucket`) return { name, labels: [...labels, 'le'] }
    else if (name === `${metric.name}_sum` || name === `${metric.name}_count`) return { name, labels }
  }
  return undefined
}

describe('monitoring', () => {
  let metrics: DocumentedMetric[]
  before(async () => {
    metrics = [...(await documentedMetrics()), ...(await processMetrics()), OWN_OF_PROMETHEUS]
  })

  const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

  it('detects errors in queries', () => {
    const wrong = [
      'sum(rate(vidimus_no_such_metric[5m]))',
      'rate(vidimus_http_request_duration_seconds[5m])',
      'vidimus_ready{account="x"}',
      'sum by (did) (vidimus_ready)',
      'sum by (instance (vidimus_ready)',
      'rate(vidimus_ready[5m]',
      'vector(1)',
    ]
    assert.deepEqual(
      wrong.filter((query) => mistakesIn(query, metrics).length === 0),
      [],
    )
    assert.deepEqual(
      mistakesIn(
        'histogram_quantile(0.9, sum by (le) (rate(nodejs_gc_duration_seconds_bucket[5m])))',
        metrics,
      ),
      [],
    )
  })

  it('has a dashboard that queries existing metrics', () => {
    assert.ok(queries.length > 40)
    assert.deepEqual(
      queries.flatMap((query) => mistakesIn(query, metrics)),
      [],
    )
    const variables = dashboard.templating.list.map(({ query }) =>
      typeof query === 'string' ? query : query.query,
    )
    for (const [, name = ''] of variables.join('\n').matchAll(/label_values\((\w+)/g)) {
      assert.ok(seriesOf(name, metrics), name)
    }
  })

  it('has a dashboard with all but the minor metrics of the service', () => {
    const shown = queries.join('\n')
    const details = ['vidimus_metrics_unreadable_total', 'vidimus_ledger_block_height']
    const missing = metrics.filter(
      ({ name }) => name.startsWith('vidimus_') && !details.includes(name) && !shown.includes(name),
    )
    assert.deepEqual(
      missing.map(({ name }) => name),
      [],
    )
  })

  it('has a dashboard whose panels do not overlap', () => {
    const taken = new Map<string, string>()
    for (const { title, gridPos } of dashboard.panels) {
      assert.ok(gridPos.x + gridPos.w <= 24, title)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          assert.equal(taken.get(`${x} ${y}`), undefined, title)
          taken.set(`${x} ${y}`, title)
        }
      }
    }
  })

  it('has alerts that query existing metrics and report what they found', () => {
    assert.ok(alerts.length > 10)
    assert.deepEqual(
      alerts.flatMap(({ expr }) => mistakesIn(expr, metrics)),
      [],
    )
    assert.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length)
    for (const { alert, expr, for: patience, labels, annotations } of alerts) {
      assert.match(expr, /[<>=]=?\s*[\d.]+\s*$/, `${alert} has a limit`)
      assert.match(patience, /^\d+[smh]$/)
      assert.match(labels.severity, /^(warning|critical)$/)
      assert.ok(annotations.summary, alert)
    }
  })

  it('has alerts whose texts use only remaining labels', () => {
    const wrong = alerts.flatMap(({ alert, expr, annotations }) => {
      const kept = /\bby \(([^)]*)\)/
        .exec(expr)?.[1]
        ?.split(',')
        .map((label) => label.trim())
      const used = [...JSON.stringify(annotations).matchAll(/\$labels\.(\w+)/g)].map(
        ([, label = '']) => label,
      )
      return used.filter((label) => kept && !kept.includes(label)).map((label) => `${alert}: ${label}`)
    })
    assert.deepEqual(wrong, [])
  })

  it('documents the response to each existing alert', () => {
    const documented = [...read('docs/operations.md').matchAll(/^\| `(Vidimus\w+)`/gm)].map(
      ([, name]) => name,
    )
    assert.deepEqual(
      documented,
      alerts.map(({ alert }) => alert),
    )
  })

  it('has an up-to-date metrics reference (npm run docs:metrics)', async function () {
    // The process metrics differ between systems.
    if (process.platform !== 'linux') this.skip()
    assert.equal(read('docs/metrics.md'), await metricsPage())
  })

  it('uses metric names with type and unit', () => {
    const own = metrics.filter(({ name }) => name.startsWith('vidimus_'))
    assert.equal(new Set(own.map(({ name }) => name)).size, own.length)
    for (const { name, type, help } of own) {
      assert.match(name, /^vidimus_[a-z][a-z_]*[a-z]$/)
      assert.equal(name.endsWith('_total'), type === 'counter', name)
      assert.match(help, /^[A-Z0-9].*[^.]$/, name)
    }
  })
})
