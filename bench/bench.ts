import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '../test/support/client.js'
import { Service } from '../test/support/service.js'
import { measureBesideWriters } from './beside-writers.js'
import { measureInstall } from './install-size.js'
import { keyManagementTable, measureKeyManagement } from './key-management.js'
import { measureLengths } from './list-lengths.js'
import { BareYardstick, YARDSTICKS } from './load/bare-yardstick.js'
import { LoadClient } from './load/load.js'
import { measureRow, type Figure, type Measuring } from './measure.js'
import { memoryCourse, residentBytes } from './memory-course.js'
import { peersOf } from './peers.js'
import { lengthsChart, lengthsTable, machine, memoryTable, writersTable, figuresTable } from './report.js'
import { publicListPath, rowsOf } from './rows.js'
import { createSubjects } from './subjects.js'

const seconds = Number(process.env.BENCH_SECONDS ?? 2)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const log = (text: string) => process.stderr.write(`${text}\n`)
/** Lines whose name holds this, and nothing beside the lines: `npm run bench -- --only update`. */
const only = argumentOf('--only')

function argumentOf(name: string): string | undefined {
  const place = process.argv.indexOf(name)
  return place === -1 ? undefined : process.argv[place + 1]
}

const began = performance.now()
const service = await Service.start({
  environment: { LOG_LEVEL: 'info' },
  // one caller from one address, who fires as fast as he can
  configure: (text) => text.replace(/requests: 600000/g, 'requests: 100000000'),
})
const startMs = performance.now() - began
// Memory that the start has used is returned when nothing happens.
await new Promise((resolve) => setTimeout(resolve, 15_000))
const idleBytes = residentBytes(service.pid)
const api = await Client.of(service.url, service.apiKey)
const client = await LoadClient.start()
const yardsticks = new Map<(typeof YARDSTICKS)[number], BareYardstick>()
for (const kind of YARDSTICKS) yardsticks.set(kind, await BareYardstick.start(kind))
const measuring: Measuring = { client, service, yardsticks, peers: peersOf(process.argv), rounds, seconds }
const subjects = await createSubjects(api)
const rows = rowsOf(subjects, await entityTag(service.url + publicListPath(subjects.published)))
try {
  const report = [...(await measureRows()), ...(only === undefined ? await measureTheRest() : [])].join('\n')
  process.stdout.write(`${report}\n`)
  if (process.argv.includes('--write')) writePage(report)
} finally {
  client.stop()
  for (const yardstick of yardsticks.values()) yardstick.stop()
  await service.stop()
}

async function measureRows(): Promise<string[]> {
  const figures: Figure[] = []
  for (const row of rows.filter(({ name }) => name.includes(only ?? '')))
    for (const connections of row.connections) {
      log(`${row.name}, ${connections} connections`)
      figures.push(await measureRow(row, connections, measuring))
    }
  return figuresTable(figures)
}

async function measureTheRest(): Promise<string[]> {
  log('checks beside writers')
  const disturbed = await measureBesideWriters(service, subjects, { seconds, rounds })
  const lengths = await measureLengths(api, service, client, { seconds, rounds, log })
  log('memory over time')
  const course = await memoryCourse(service, client, rows)
  log('keys and signatures')
  const keyManagement = await measureKeyManagement(seconds)
  log('the weight of cached lists')
  const weights = await cacheWeights()
  log('the size of an installation')
  const installed = await measureInstall()
  if (process.argv.includes('--write'))
    writeFileSync(
      join(import.meta.dirname, '../docs/measurements/performance-lengths.svg'),
      lengthsChart(lengths),
    )
  return [
    ...writersTable(disturbed),
    ...lengthsTable(lengths),
    ...memoryTable([{ when: 'idle after the start', bytes: idleBytes }, ...course]),
    ...keyManagementTable(keyManagement),
    ...Object.entries(weights).map(
      ([length, weight]) =>
        `- A cached list of ${Number(length).toLocaleString('en')} entries takes ${weight.toFixed(2)} times its decoded bits.`,
    ),
    `- Start to ready: ${(startMs / 1000).toFixed(1)} s, with an empty database and all migrations.`,
    `- \`npm install vidimus\`: ${installed.packages} packages, ${Math.round(installed.bytes / 2 ** 20)} MB, and the binary of SQLite.`,
    `- ${machine()}; client, service and bare servers share it. Medians of ${rounds} rounds of ${seconds} s each.`,
  ]
}

async function entityTag(url: string): Promise<string> {
  const response = await fetch(url)
  await response.arrayBuffer()
  return response.headers.get('etag') ?? ''
}

/** By the number of entries: bytes for each byte of bits. */
async function cacheWeights(): Promise<Record<string, number>> {
  const child = fork(join(import.meta.dirname, 'cache-memory.ts'), {
    execArgv: ['--expose-gc', '--import', 'tsx'],
  })
  const [weighed] = (await once(child, 'message')) as [Record<string, number>]
  return weighed
}

function writePage(text: string): void {
  const page = join(import.meta.dirname, '../docs/measurements/performance.md')
  const old = readFileSync(page, 'utf8')
  const [begin, end] = ['<!-- figures -->', '<!-- /figures -->']
  const kept = [old.slice(0, old.indexOf(begin) + begin.length), old.slice(old.indexOf(end))]
  writeFileSync(page, kept.join(`\n\n${text}\n\n`))
}
