import { fork, type ChildProcess } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { Client } from '../test/support/client.js'
import { Service } from '../test/support/service.js'
import { createDid, createList } from '../test/shared/suite.js'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const CHECKS = Number(process.env.BENCH_CHECKS ?? 100_000)

interface Scenario {
  name: string
  connections: number
  path: string
  /** the body of the n-th request */
  body: (n: number) => Record<string, unknown>
}
interface Figure {
  scenario: Scenario
  perSecond: number
  p50: number
  p99: number
  bare: number
}

const log = (text: string) => process.stderr.write(`${text}\n`)

const started = process.hrtime.bigint()
const service = await Service.start({ environment: { LOG_LEVEL: 'info' } })
const startUpMs = Number(process.hrtime.bigint() - started) / 1e6
const rssAtStart = rss()
const client = await Client.of(service.url, service.apiKey)
const bare = fork(join(import.meta.dirname, 'bare-server.ts'), { execArgv: ['--import', 'tsx'] })
const [barePort] = (await once(bare, 'message')) as [number]

const figures: Figure[] = []
for (const scenario of await scenarios()) {
  log(`${scenario.name}, ${scenario.connections} connections: ${SECONDS} s, and the bare server as long`)
  figures.push(await measure(scenario, bare))
}
const memory = await memoryOverChecks()
const report = render(figures)
process.stdout.write(`${report}\n`)
if (process.argv.includes('--write')) {
  const file = join(import.meta.dirname, '../docs/performance.md')
  const text = readFileSync(file, 'utf8')
  const begin = '<!-- figures -->'
  const end = '<!-- /figures -->'
  writeFileSync(
    file,
    text.slice(0, text.indexOf(begin) + begin.length) + `\n\n${report}\n\n` + text.slice(text.indexOf(end)),
  )
}
bare.kill()
await service.stop()

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

async function measure(scenario: Scenario, bareServer: ChildProcess): Promise<Figure> {
  const sample = await fetch(service.url + scenario.path, {
    method: 'POST',
    headers: headers(),
    body: JSON.stringify(scenario.body(0)),
  })
  const bytes = await sample.text()
  if (sample.status !== 200) throw new Error(`${scenario.name}: ${bytes}`)
  bareServer.send(bytes)
  await once(bareServer, 'message')
  const ours = await fire(service.url, scenario)
  const yardstick = await fire(`http://127.0.0.1:${barePort}`, scenario)
  return {
    scenario,
    perSecond: ours.requests.average,
    p50: ours.latency.p50,
    p99: ours.latency.p99,
    bare: yardstick.requests.average,
  }
}

async function fire(
  url: string,
  { connections, path, body }: Scenario,
  amount?: number,
): Promise<autocannon.Result> {
  let n = 0
  const result = await autocannon({
    url,
    connections,
    ...(amount ? { amount } : { duration: SECONDS }),
    requests: [
      {
        method: 'POST',
        path,
        headers: headers(),
        setupRequest: (request) => ({ ...request, body: JSON.stringify(body(n++)) }),
      },
    ],
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${path}: ${result.non2xx} refusals and ${result.errors} errors`)
  }
  return result
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
  await fire(service.url, scenario, CHECKS)
  const before = rss()
  await fire(service.url, scenario, CHECKS)
  return { before, after: rss() }
}

function render(all: readonly Figure[]): string {
  const rows = all.map(({ scenario, perSecond, p50, p99, bare }) => {
    const cells = [
      scenario.name,
      scenario.connections,
      Math.round(perSecond),
      p50,
      p99,
      Math.round(bare),
      (perSecond / bare).toFixed(2),
    ]
    return `| ${cells.join(' | ')} |`
  })
  const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`
  return [
    '| operation | connections | per second | p50 ms | p99 ms | bare server per second | ratio |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...rows,
    '',
    `- Start to ready: ${(startUpMs / 1000).toFixed(1)} s, with an empty database and all migrations.`,
    `- RSS after start: ${megabytes(rssAtStart)}; after ${CHECKS} checks ${megabytes(memory.before)}, after as many again ${megabytes(memory.after)}.`,
    `- Node.js ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${megabytes(totalmem())} of memory; client, service and bare server share the machine.`,
  ].join('\n')
}

function rss(): number {
  const pages = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))
  return Number(pages?.[1]) * 1024
}

function headers(): Record<string, string> {
  return { 'content-type': 'application/json', 'x-api-key': service.apiKey ?? '' }
}

function privateKeyHex(): string {
  const { d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return Buffer.from(d, 'base64url').toString('hex')
}
