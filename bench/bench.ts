import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { newKeyPair } from '@vidimus/verification-methods'
import { Client } from '../test/support/client.js'
import { Service } from '../test/support/service.js'
import { createDid, createList } from '../test/behaviour/suite.js'
import { BareYardstick } from './bare-yardstick.js'
import { growthChart } from './chart.js'
import { fire, type Scenario } from './fire.js'
import { keyManagementTable, measureKeyManagement } from './key-management.js'
import { measureLengths, type LengthFigures } from './list-lengths.js'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const CHECKS = Number(process.env.BENCH_CHECKS ?? 100_000)

interface Figure {
  scenario: Scenario
  perSecond: number
  p50: number
  p99: number
  bare: number
}

const log = (text: string) => process.stderr.write(`${text}\n`)

const started = process.hrtime.bigint()
const service = await Service.start({
  environment: { LOG_LEVEL: 'info' },
  // one caller from one address, who fires as fast as he can
  configure: (text) => text.replace(/requests: 600000/g, 'requests: 100000000'),
})
const startUpMs = Number(process.hrtime.bigint() - started) / 1e6
const rssAtStart = rss()
const client = await Client.of(service.url, service.apiKey)
const bare = await BareYardstick.start()

const figures: Figure[] = []
for (const scenario of await scenarios()) {
  log(`${scenario.name}, ${scenario.connections} connections: ${SECONDS} s, and the bare server as long`)
  figures.push(await measure(scenario))
}
const lengths = await measureLengths(client, service, bare, { seconds: SECONDS, log })
const memory = await memoryOverChecks()
log('keys and signatures')
const keyManagement = await measureKeyManagement(SECONDS)
log('the weight of cached lists')
const weights = await cacheWeights()
const report = render()
process.stdout.write(`${report}\n`)
if (process.argv.includes('--write')) write(report)
bare.stop()
await service.stop()

function write(text: string): void {
  const docs = join(import.meta.dirname, '../docs')
  const page = join(docs, 'performance.md')
  const old = readFileSync(page, 'utf8')
  const begin = '<!-- figures -->'
  const end = '<!-- /figures -->'
  writeFileSync(
    page,
    old.slice(0, old.indexOf(begin) + begin.length) + `\n\n${text}\n\n` + old.slice(old.indexOf(end)),
  )
  writeFileSync(join(docs, 'performance-lengths.svg'), chart())
}

async function scenarios(): Promise<Scenario[]> {
  const list = await createList(client)
  const did = await createDid(client)
  const credential = (await client.ok('POST', '/credential/issue', {
    json: { issuerDid: did, subjectDid: did, attributes: { degree: 'Master' } },
  })) as { proof: { jwt: string } }
  const check = '/credential-status/check?listType=BitstringStatusList&statusPurpose=revocation'
  const update = '/credential-status/update/unencrypted?listType=BitstringStatusList&statusAction=revoke'
  let index = 0
  const one = () => ({ ...list, indices: [index++ % 131072] })
  return [
    { name: 'check', connections: 1, path: check, body: (n) => ({ ...list, index: n % 131072 }) },
    { name: 'check', connections: 64, path: check, body: (n) => ({ ...list, index: n % 131072 }) },
    { name: 'update', connections: 1, path: update, body: one },
    { name: 'update', connections: 64, path: update, body: one },
    {
      name: 'DID creation (did:cheqd)',
      connections: 10,
      path: '/did/create',
      body: () => ({ network: 'testnet' }),
    },
    {
      name: 'DID creation (did:key)',
      connections: 10,
      path: '/did/create',
      body: () => ({ providerId: 'did:key' }),
    },
    {
      name: 'key import',
      connections: 10,
      path: '/key/import',
      body: () => ({ privateKeyHex: privateKeyHex() }),
    },
    {
      name: 'presentation',
      connections: 10,
      path: '/presentation/create',
      body: () => ({ credentials: [credential.proof.jwt], holderDid: did }),
    },
  ]
}

async function measure(scenario: Scenario): Promise<Figure> {
  const { requests, latency } = await fire(service, scenario, { seconds: SECONDS })
  const yardstick = await bare.perSecond(service, scenario, SECONDS)
  return { scenario, perSecond: requests.average, p50: latency.p50, p99: latency.p99, bare: yardstick }
}

async function memoryOverChecks(): Promise<{ before: number; after: number }> {
  const list = await createList(client)
  const scenario: Scenario = {
    name: 'check',
    connections: 10,
    path: '/credential-status/check?listType=BitstringStatusList&statusPurpose=revocation',
    body: (n) => ({ ...list, index: n % 131072 }),
  }
  log(`${CHECKS} checks twice, for the memory`)
  await fire(service, scenario, { amount: CHECKS })
  const before = rss()
  await fire(service, scenario, { amount: CHECKS })
  return { before, after: rss() }
}

/** By the number of entries: bytes for each byte of bits. */
async function cacheWeights(): Promise<Record<string, number>> {
  const child = fork(join(import.meta.dirname, 'cache-memory.ts'), {
    execArgv: ['--expose-gc', '--import', 'tsx'],
  })
  const [weighed] = (await once(child, 'message')) as [Record<string, number>]
  return weighed
}

function render(): string {
  const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`
  return [
    '| operation | connections | per second | p50 ms | p99 ms | bare server per second | ratio |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...figures.map(({ scenario, perSecond, p50, p99, bare }) =>
      row([
        scenario.name,
        scenario.connections,
        Math.round(perSecond),
        p50,
        p99,
        Math.round(bare),
        (perSecond / bare).toFixed(2),
      ]),
    ),
    '',
    'Lists of different lengths; updates at 64 connections, ratios to the bare server and to updates that each make a',
    'version of their own:',
    '',
    '| entries | bits each | checks per second | updates per second | to the bare server | a version each, per second | together / each |',
    '|--:|--:|--:|--:|--:|--:|--:|',
    ...lengths.map((figure) =>
      row([
        figure.length.toLocaleString('en'),
        figure.statusSize,
        Math.round(figure.checksPerSecond),
        Math.round(figure.updatesPerSecond),
        (figure.updatesPerSecond / figure.barePerSecond).toFixed(2),
        figure.versionEachPerSecond.toFixed(figure.versionEachPerSecond < 10 ? 1 : 0),
        (figure.updatesPerSecond / figure.versionEachPerSecond).toFixed(1),
      ]),
    ),
    '',
    '![Requests per second over the length of the list](performance-lengths.svg)',
    '',
    ...keyManagementTable(keyManagement),
    ...Object.entries(weights).map(
      ([length, weight]) =>
        `- A cached list of ${Number(length).toLocaleString('en')} entries takes ${weight.toFixed(2)} times its decoded bits.`,
    ),
    `- Start to ready: ${(startUpMs / 1000).toFixed(1)} s, with an empty database and all migrations.`,
    `- RSS after start: ${megabytes(rssAtStart)}; after ${CHECKS} checks ${megabytes(memory.before)}, after as many again ${megabytes(memory.after)}.`,
    `- Node.js ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${megabytes(totalmem())} of memory; client, service and bare server share the machine.`,
  ].join('\n')
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`
}

function chart(): string {
  const lines = [
    { name: 'check', colour: '#1b7837', of: (figure: LengthFigures) => figure.checksPerSecond },
    { name: 'update', colour: '#2166ac', of: (figure: LengthFigures) => figure.updatesPerSecond },
    { name: 'a version each', colour: '#b2182b', of: (figure: LengthFigures) => figure.versionEachPerSecond },
  ]
  return growthChart(
    { title: 'Requests per second over the length of the list', x: 'entries', y: 'per second' },
    lines.flatMap(({ name, colour, of }) =>
      [1, 2].map((size) => ({
        name: `${name}, ${size === 1 ? '1 bit' : '2 bits'}`,
        colour,
        dashed: size === 2,
        points: lengths
          .filter(({ statusSize }) => statusSize === size)
          .map((figure) => ({ x: figure.length, y: of(figure) })),
      })),
    ),
  )
}

function rss(): number {
  const pages = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))
  return Number(pages?.[1]) * 1024
}

const privateKeyHex = (): string => newKeyPair('Ed25519').privateKeyHex
