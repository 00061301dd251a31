import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { HistogramForm, MeasurementForm } from '@vidimus/core-types'
import { format, resolveConfig } from 'prettier'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { read, root } from './repository.js'

export type Form = MeasurementForm & Partial<Pick<HistogramForm, 'buckets'>>

export interface DocumentedMetric extends Form {
  type: 'counter' | 'gauge' | 'histogram'
  /** the package that measures it */
  package: string
}

/** Everything that the packages say they measure. */
export async function documentedMetrics(): Promise<DocumentedMetric[]> {
  const found: DocumentedMetric[] = []
  for (const name of readdirSync(join(root, 'packages')).sort()) {
    const file = join(root, 'packages', name, 'src/measurements.ts')
    if (!existsSync(file)) continue
    const members = (await import(pathToFileURL(file).href)) as Record<string, unknown>
    for (const form of Object.values(members).filter(isForm)) {
      found.push({ ...form, package: name, type: typeOf(form) })
    }
  }
  return found
}

/** What is measured of the process. */
export async function processMetrics(): Promise<DocumentedMetric[]> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const metrics = await registry.getMetricsAsJSON()
  return metrics.map(({ name, help, type }) => ({
    name,
    help: help.replace(/\.$/, ''),
    type: String(type) as DocumentedMetric['type'],
    package: 'process',
  }))
}

const isForm = (value: unknown): value is Form =>
  typeof value === 'object' && value !== null && 'name' in value && 'help' in value

const typeOf = ({ name, buckets }: Form): DocumentedMetric['type'] =>
  buckets ? 'histogram' : name.endsWith('_total') ? 'counter' : 'gauge'

const BEGIN = '<!-- made from the sources by npm run docs:metrics -->'
const END = '<!-- end -->'

const SECTIONS: Record<string, string> = {
  'remote-server': 'Requests and the service itself',
  'status-list': 'Status lists',
  'status-list-store': 'Fill level of status lists, payments, and the register',
  'did-provider-cheqd': 'Money',
  custody: 'Keys and rotations',
  accounts: 'Quotas',
  publication: 'The static publication, where there is one',
  database: 'The database',
  ledger: 'Ledgers',
  'ledger-cheqd': 'cheqd networks, with `@vidimus/ledger-cheqd`',
  process: 'The process',
}

/** docs/metrics.md as it should be: its own text, with the reference from the sources. */
export async function metricsPage(): Promise<string> {
  const page = read('docs/metrics.md')
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (before === -1 || after < before) throw new Error(`docs/metrics.md lacks ${BEGIN} or ${END}`)
  const metrics = [...(await documentedMetrics()), ...(await processMetrics())]
  const sections = [
    ...new Set(['remote-server', ...Object.keys(SECTIONS), ...metrics.map((one) => one.package)]),
  ]
  const reference = sections
    .map((name) =>
      sectionOf(
        SECTIONS[name] ?? name,
        metrics.filter((one) => one.package === name),
      ),
    )
    .join('\n\n')
  const whole = `${page.slice(0, before)}${BEGIN}\n\n${reference}\n\n${page.slice(after)}`
  const file = join(root, 'docs/metrics.md')
  return format(whole, { ...(await resolveConfig(file)), filepath: file })
}

function sectionOf(title: string, metrics: readonly DocumentedMetric[]): string {
  const rows = metrics.map(({ name, type, labels = [], help }) => {
    const named = labels.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${type} | ${named} | ${help.replaceAll('|', '\\|')} |`
  })
  return [`### ${title}`, '', '| metric | type | labels | meaning |', '| - | - | - | - |', ...rows].join('\n')
}
