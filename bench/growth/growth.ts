import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { Dialect } from '@vidimus/database'
import { PostgresServer } from '../../test/support/postgres-server.js'
import { compareAudit } from './audit.js'
import { compare, median, type Comparison } from './compare.js'
import { Installation, MILLION, type Growth } from './installation.js'
import { look } from './known.js'
import { diskBytesOfWrites } from './disk-bytes.js'
import { GOALS, OPERATIONS, type Kind } from './operations.js'
import { scansOnFull } from './plans.js'
import { transactionsOfWrites } from './transactions.js'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 11)
const STARTS = 5
/** A part of a million, for a first look. */
const PART = Number(process.env.BENCH_PART ?? 1)
/** Both, or one of them: each takes hours. */
const DIALECTS = (process.env.BENCH_DATABASES ?? 'sqlite,postgres').split(',') as Dialect[]

const NAMES: Record<Dialect, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

interface Figures {
  kind: Kind | 'starts' | 'audit'
  name: string
  connections: number
  by: Partial<Record<Dialect, Comparison>>
}

const log = (text: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)
const figures = new Map<string, Figures>()
let transactions = new Map<string, number>()
/** by operation, with an empty database and a full one */
const diskBytes: Partial<Record<Dialect, Record<'empty' | 'full', Map<string, number>>>> = {}
const plans: Partial<Record<Dialect, { looked: number; scans: string[] }>> = {}

function note(dialect: Dialect, kind: Figures['kind'], comparison: Comparison): void {
  const { name, connections } = comparison
  const key = `${kind} ${name} ${connections}`
  const figure = figures.get(key) ?? { kind, name, connections, by: {} }
  figure.by[dialect] = comparison
  figures.set(key, figure)
}

async function measure(dialect: Dialect, server: PostgresServer, size: Growth): Promise<void> {
  log(`${NAMES[dialect]}: an empty database, and one that grows`)
  const [empty, full] = [
    await Installation.create(dialect, server),
    await Installation.create(dialect, server),
  ]
  try {
    await full.grow(size, (text) => log(`${NAMES[dialect]}: ${text}`))
    // What the server does by itself some minutes later, and what has not reached the disk yet, would be measured as well.
    if (full.databaseUrl !== null) await server.tidyUp(full.databaseUrl)
    spawnSync('sync')
    await empty.stop()
    note(dialect, 'starts', await compareStarts(empty, full))
    for (const comparison of await compareAudit(empty, full)) note(dialect, 'audit', comparison)
    await compareOperations(dialect, empty, full)
    log(`${NAMES[dialect]}: plans`)
    plans[dialect] = await scansOnFull(full)
  } finally {
    await Promise.all([empty.remove(), full.remove()])
  }
}

async function compareOperations(dialect: Dialect, empty: Installation, full: Installation): Promise<void> {
  const known = { empty: await look(empty), full: await look(full) }
  await Promise.all([empty.start(), full.start()])
  const sides = {
    empty: { url: empty.service.url, known: known.empty },
    full: { url: full.service.url, known: known.full },
  }
  for (const [kind, operations] of Object.entries(OPERATIONS)) {
    for (const operation of operations) {
      const comparison = await compare(operation, { ...sides, rounds: ROUNDS })
      log(`${NAMES[dialect]}: ${operation.name}, ${operation.connections}: ${comparison.ratio.toFixed(2)}`)
      note(dialect, kind as Kind, comparison)
    }
  }
  transactions = await transactionsOfWrites(empty, known.empty)
  log(`${NAMES[dialect]}: bytes of the disk`)
  diskBytes[dialect] = {
    empty: await diskBytesOfWrites(empty, known.empty),
    full: await diskBytesOfWrites(full, known.full),
  }
  await Promise.all([empty.stop(), full.stop()])
}

async function compareStarts(empty: Installation, full: Installation): Promise<Comparison> {
  const times: { empty: number; full: number }[] = []
  for (let n = 0; n < STARTS; n += 1) times.push({ empty: await startOf(empty), full: await startOf(full) })
  return {
    name: 'start to ready',
    connections: 1,
    empty: median(times.map((time) => time.empty)),
    full: median(times.map((time) => time.full)),
    ratio: median(times.map((time) => time.empty / time.full)),
  }
}

async function startOf(installation: Installation): Promise<number> {
  const begun = performance.now()
  await installation.start()
  const took = performance.now() - begun
  await installation.stop()
  return took
}

function tables(): string[] {
  const titles: Record<Figures['kind'], string> = {
    listings: 'Listings, a page of ten',
    reads: 'Reads',
    writes: 'Writes',
    starts: 'Starts',
    audit: 'The audit trail, its ten newest rows',
  }
  return Object.entries(titles).flatMap(([kind, title]) => [
    `**${title}**${kind in GOALS ? `; goal: ${GOALS[kind as Kind]}` : ''}`,
    '',
    '| operation | connections | SQLite: empty, ms | full, ms | ratio | PostgreSQL: empty, ms | full, ms | ratio |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    ...[...figures.values()]
      .filter((figure) => figure.kind === kind)
      .map(
        ({ name, connections, by }) =>
          `| ${[name, connections, ...cells(by.sqlite), ...cells(by.postgres)].join(' | ')} |`,
      ),
    '',
  ])
}

const cells = (comparison: Comparison | undefined): string[] =>
  comparison
    ? [comparison.empty.toFixed(1), comparison.full.toFixed(1), comparison.ratio.toFixed(2)]
    : ['', '', '']

const transactionsTable = (): string[] => [
  '**Write transactions of a request** that is alone, each with a COMMIT',
  '',
  '| operation | transactions |',
  '|---|--:|',
  ...[...transactions].map(([name, n]) => `| ${name} | ${n.toFixed(1)} |`),
  '',
]

const diskBytesTable = (): string[] => [
  '**What a write costs the disk**, in KiB: the pages that it changes on SQLite, the log on PostgreSQL',
  '',
  '| operation | SQLite: empty | full | PostgreSQL: empty | full |',
  '|---|--:|--:|--:|--:|',
  ...[...transactions.keys()].map(
    (name) =>
      `| ${[name, ...kibOf(name, diskBytes.sqlite), ...kibOf(name, diskBytes.postgres)].join(' | ')} |`,
  ),
  '',
]

const kibOf = (name: string, sides: (typeof diskBytes)[Dialect]): string[] =>
  sides ? [sides.empty, sides.full].map((side) => ((side.get(name) ?? NaN) / 1024).toFixed(0)) : ['', '']

function plansFound(): string[] {
  return Object.entries(plans).map(([dialect, { looked, scans }]) => {
    const which = scans.length === 0 ? 'none' : scans.map((each) => `\n  - \`${each}\``).join('')
    return `- Of ${looked} statements on ${NAMES[dialect as Dialect]}, those that read a table that grows from one end to the other: ${which}`
  })
}

const machine = () =>
  `Node.js ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}; client, both services and PostgreSQL 18 ` +
  `share the machine. The median of ${ROUNDS} rounds; on ${new Date().toISOString().slice(0, 10)}.`

function write(text: string): void {
  const page = join(import.meta.dirname, '../../docs/measurements/scale.md')
  const old = readFileSync(page, 'utf8')
  const [begin, end] = ['<!-- growth -->', '<!-- /growth -->']
  const kept = [old.slice(0, old.indexOf(begin) + begin.length), old.slice(old.indexOf(end))]
  writeFileSync(page, kept.join(`\n\n${text}\n\n`))
}

const part = (kind: keyof Growth) => Math.ceil(MILLION[kind] * PART)
const size: Growth = {
  ...{ dids: part('dids'), lists: part('lists'), versions: part('versions'), documents: part('documents') },
  ...{ accounts: part('accounts'), events: part('events'), audits: part('audits') },
}
const server = await PostgresServer.start()
for (const dialect of DIALECTS) await measure(dialect, server, size)
await server.remove()
const report = [
  ...tables(),
  ...transactionsTable(),
  ...diskBytesTable(),
  ...plansFound(),
  '',
  machine(),
].join('\n')
process.stdout.write(`${report}\n`)
if (process.argv.includes('--write')) write(report)
