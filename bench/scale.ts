import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { Dialect } from '@vidimus/database'
import { createList } from '../test/behaviour/suite.js'
import { atOnce, type ListName } from '../test/support/list-history.js'
import { PostgresServer } from '../test/support/postgres-server.js'
import { LoadClient, type Scenario } from './load/load.js'
import { median } from './measure.js'
import { growthChart } from './chart.js'
import { onInstallation, type Installation } from './installation.js'
import { watchProcessors, type ProcessorShares } from './processor-time.js'
import { watchWaits } from './wait-events.js'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 2)
/** Their median counts: a machine is never quite quiet. */
const ROUNDS = 5
/** Those that are checked and updated, however many there are. */
const FEW_LISTS = 100
const MANY_LISTS = Number(process.env.BENCH_LISTS ?? 10_000)

const CONNECTIONS = 64
const ACCOUNTS = 8

const NAMES: Record<Dialect, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

interface Throughput {
  dialect: Dialect
  processes: number
  operation: string
  perSecond: number
  shares: ProcessorShares
  waits: [string, number][]
}

interface Size {
  dialect: Dialect
  size: string
  /** by operation */
  perSecond: Record<string, number>
  /** how many times as long as with little in the database */
  cost: Record<string, number>
}

const processesOf = ({ services: { length } }: Installation) =>
  length === 1 ? 'one process' : `${length} processes`
const log = (text: string) => process.stderr.write(`${text}\n`)
const throughputs: Throughput[] = []
const sizes: Size[] = []

interface Operation {
  path: string
  body: (list: ListName, n: number) => Record<string, unknown>
  /** every list that there is, in turn, in place of the first ones */
  allLists?: boolean
}

/** One sends to each process of an installation. */
const clients = await Promise.all(Array.from({ length: 4 }, () => LoadClient.start()))

const CHECK: Operation = {
  path: '/credential-status/check?listType=BitstringStatusList&statusPurpose=revocation',
  body: (list, n) => ({ ...list, index: (n * 7919) % 131_072 }),
}

const UPDATE: Operation = {
  path: '/credential-status/update/unencrypted?listType=BitstringStatusList&statusAction=revoke',
  body: (list) => ({ ...list, indices: [nextIndex(list)] }),
}

const OPERATIONS: Record<string, Operation> = {
  check: CHECK,
  update: UPDATE,
  'DID creation': { path: '/did/create', body: () => ({ network: 'testnet' }) },
}

/** The same, on the same lists, whatever else there is; and one that finds nothing in memory. */
const OPERATIONS_OF_SIZES: Record<string, Operation> = {
  ...OPERATIONS,
  'check, all lists in turn': { ...CHECK, allLists: true },
}

const updated = new Map<ListName, number>()

/** Another one each time: an update that changes nothing makes no version. */
function nextIndex(list: ListName): number {
  const n = (updated.get(list) ?? 0) + 1
  updated.set(list, n)
  return (n * 7919) % 131_072
}

async function measureThroughput(
  installation: Installation,
  [operation, known]: [string, Operation],
): Promise<Throughput> {
  const { dialect, services } = installation
  log(`${NAMES[dialect]}, ${processesOf(installation)}: ${operation}`)
  await fireAt(installation, known)
  const url = services[0]?.databaseUrl
  const waits = url ? watchWaits(url) : async () => []
  const database = dialect === 'postgres' ? await server.pid() : undefined
  const shares = watchProcessors({
    service: services.map(({ pid }) => pid),
    ...(database !== undefined && { database }),
    clients: clients.map(({ pid }) => pid),
  })
  const perSecond = await medianOf(installation, known)
  return {
    dialect,
    processes: services.length,
    operation,
    perSecond,
    shares: shares(),
    waits: await waits(),
  }
}

async function medianOf(installation: Installation, operation: Operation): Promise<number> {
  const rounds: number[] = []
  while (rounds.length < ROUNDS) rounds.push(await fireAt(installation, operation))
  return median(rounds)
}

/**
 * All processes at once, which share the connections. Requests take turns among the accounts, and those among their
 * lists.
 *
 * @returns answers per second
 */
async function fireAt(installation: Installation, operation: Operation): Promise<number> {
  const { path, body, allLists = false } = operation
  const scenario = (process: number): Scenario => {
    // Processes begin apart, so that they meet at the same lists as clients of their own would.
    const begun = process * 1_000_003
    return {
      name: path,
      path,
      once: true,
      connections: CONNECTIONS / installation.services.length,
      body: (n) => body(callerOf(installation, begun + n, allLists).list, n),
      apiKey: (n) => callerOf(installation, begun + n, allLists).apiKey,
    }
  }
  const results = await Promise.all(
    installation.services.map((service, process) => {
      const client = clients[process]
      if (!client) throw new Error('there is a client for each process')
      return client.fire(service, scenario(process), SECONDS)
    }),
  )
  return results.reduce((sum, { perSecond }) => sum + perSecond, 0)
}

/** Installations of all sizes run beside each other, and take turns: what is slow for a minute is slow for all. */
async function measureSizes(dialect: Dialect): Promise<Size[]> {
  const one = { server, dialect, processes: 1, accounts: ACCOUNTS }
  let sizes: Size[] = []
  await onInstallation(one, (few) =>
    onInstallation(one, async (many) => {
      await createLists(few, FEW_LISTS)
      await createLists(many, MANY_LISTS)
      sizes = [FEW_LISTS, MANY_LISTS].map((lists) => {
        return { dialect, size: `${lists.toLocaleString('en')} lists`, perSecond: {}, cost: {} }
      })
      for (const operation of Object.entries(OPERATIONS_OF_SIZES)) {
        await compare([few, many], operation, sizes)
      }
    }),
  )
  return sizes
}

/** Notes what an operation takes on each of the installations, in the size of the same place. */
async function compare(
  installations: readonly Installation[],
  [name, operation]: [string, Operation],
  sizes: readonly Size[],
): Promise<void> {
  for (const installation of installations) await fireAt(installation, operation)
  const rounds: number[][] = []
  while (rounds.length < ROUNDS) {
    const round: number[] = []
    for (const installation of installations) round.push(await fireAt(installation, operation))
    rounds.push(round)
  }
  for (const [n, { dialect, size, perSecond, cost }] of sizes.entries()) {
    log(`${NAMES[dialect]}, ${size}: ${name}`)
    perSecond[name] = median(rounds.map((round) => round[n] ?? 0))
    cost[name] = median(rounds.map((round) => (round[0] ?? 0) / (round[n] ?? 0)))
  }
}

function callerOf({ callers }: Installation, n: number, allLists: boolean) {
  const caller = callers[n % callers.length]
  if (!caller) throw new Error('an installation has accounts')
  const { length } = caller.lists
  const among = allLists ? length : Math.min(length, Math.ceil(FEW_LISTS / callers.length))
  const list = caller.lists[Math.floor(n / callers.length) % among]
  if (!list) throw new Error('an account has lists')
  return { apiKey: caller.apiKey, list }
}

/** Until there are so many, the same number in each account. */
async function createLists({ callers, client }: Installation, amount: number): Promise<void> {
  const each = Math.ceil(amount / callers.length)
  const missing = callers.flatMap((caller) =>
    Array.from({ length: Math.max(0, each - caller.lists.length) }, () => caller),
  )
  await atOnce(32, missing, async ({ apiKey, lists }) => {
    const [first] = lists
    if (!first) throw new Error('an account has a list')
    lists.push(await createList(client.as(apiKey), { did: first.did }))
  })
}

function throughputTable(): string[] {
  const base = (operation: string) =>
    throughputs.find((other) => other.operation === operation && other.dialect === 'sqlite')?.perSecond ?? 0
  return [
    '| operation | database | processes | per second | to SQLite with one | processors: service | database | client | connections of the database are busy with |',
    '|---|---|--:|--:|--:|--:|--:|--:|---|',
    ...throughputs
      .toSorted((one, other) => operationsInOrder(one.operation) - operationsInOrder(other.operation))
      .map(({ operation, dialect, processes, perSecond, shares, waits }) =>
        row([
          operation,
          NAMES[dialect],
          processes,
          Math.round(perSecond),
          (perSecond / base(operation)).toFixed(2),
          percent(shares.service),
          dialect === 'sqlite' ? 'in the service' : percent(shares.database),
          percent(shares.client),
          waits
            .slice(0, 3)
            .map(([doing, part]) => `${doing} ${percent(part)}`)
            .join(', '),
        ]),
      ),
  ]
}

const operationsInOrder = (operation: string) => Object.keys(OPERATIONS).indexOf(operation)

function sizeTable(): string[] {
  const operations = Object.keys(OPERATIONS_OF_SIZES)
  return [
    row(['database', 'holds', ...operations.map((operation) => `${operation}, per second | cost`)]),
    row(['---', '---', ...operations.map(() => '--: | --:')]),
    ...sizes.map(({ dialect, size, perSecond, cost }) => {
      const cells = operations.map(
        (operation) => `${Math.round(perSecond[operation] ?? 0)} | ${(cost[operation] ?? 0).toFixed(2)}`,
      )
      return row([NAMES[dialect], size, ...cells])
    }),
  ]
}

const percent = (part: number) => `${Math.round(part * 100)} %`
const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`

const machine = () =>
  `Node.js ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}; client, services and PostgreSQL 18 share the machine. ` +
  `${CONNECTIONS} connections, ${ACCOUNTS} accounts, the median of ${ROUNDS} times ${SECONDS} s, after ${SECONDS} s to warm up; on ${new Date().toISOString().slice(0, 10)}.`

function write(text: string): void {
  const page = join(import.meta.dirname, '../docs/measurements/scale.md')
  const old = readFileSync(page, 'utf8')
  const [begin, end] = ['<!-- figures -->', '<!-- /figures -->']
  const kept = [old.slice(0, old.indexOf(begin) + begin.length), old.slice(old.indexOf(end))]
  writeFileSync(page, kept.join(`\n\n${text}\n\n`))
}

/** Updates per second over the number of lists that the same clients share. */
interface Spread {
  name: string
  colour: string
  points: { x: number; y: number }[]
}

const NUMBERS_OF_LISTS = [8, 64, 512]
const COLOURS: Record<number, string> = { 1: '#2166ac', 2: '#b2182b', 4: '#1b7837' }

async function measureSpread(dialect: Dialect, processes: number): Promise<Spread> {
  const points: Spread['points'] = []
  await onInstallation({ server, dialect, processes, accounts: ACCOUNTS }, async (installation) => {
    for (const lists of NUMBERS_OF_LISTS) {
      await createLists(installation, lists)
      log(`${NAMES[dialect]}, ${processesOf(installation)}: updates of ${lists} lists`)
      const update = { ...UPDATE, allLists: true }
      await fireAt(installation, update)
      points.push({ x: lists, y: await medianOf(installation, update) })
    }
  })
  const name = `${NAMES[dialect]}, ${processes}`
  return { name, colour: COLOURS[processes] ?? '#333', points }
}

function spreadTable(spreads: readonly Spread[]): string[] {
  return [
    'Updates per second of 64 clients, over the number of lists that they share:',
    '',
    row(['database, processes', ...NUMBERS_OF_LISTS.map((lists) => `${lists} lists`)]),
    row(['---', ...NUMBERS_OF_LISTS.map(() => '--:')]),
    ...spreads.map(({ name, points }) => row([name, ...points.map(({ y }) => Math.round(y))])),
    '',
    '![Updates per second over the number of lists and of processes](scale-updates.svg)',
    '',
  ]
}

const spreadChart = (spreads: readonly Spread[]): string =>
  growthChart(
    {
      title: 'Updates per second over the number of lists, by database and processes',
      x: 'lists',
      y: 'per second',
    },
    spreads.map((spread) => ({ ...spread, dashed: spread.name.startsWith('SQLite') })),
  )

const server = await PostgresServer.start()
for (const dialect of ['sqlite', 'postgres'] as const) {
  for (const processes of [1, 2, 4]) {
    await onInstallation({ server, dialect, processes, accounts: ACCOUNTS }, async (installation) => {
      for (const operation of Object.entries(OPERATIONS)) {
        throughputs.push(await measureThroughput(installation, operation))
      }
    })
  }
}
const spreads = [await measureSpread('sqlite', 1)]
for (const processes of [1, 2, 4]) spreads.push(await measureSpread('postgres', processes))
for (const dialect of ['sqlite', 'postgres'] as const) sizes.push(...(await measureSizes(dialect)))
await server.remove()
for (const client of clients) client.stop()
const report = [...throughputTable(), '', ...spreadTable(spreads), ...sizeTable(), '', machine()].join('\n')
process.stdout.write(`${report}\n`)
if (process.argv.includes('--write')) {
  write(report)
  writeFileSync(join(import.meta.dirname, '../docs/measurements/scale-updates.svg'), spreadChart(spreads))
}
