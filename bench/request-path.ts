// npm run bench:path: through how many of our files and functions one warm request passes, with agent.yml as it is shipped,
// on SQLite, and what it asks the agent, the ledger and the memory of rows. `-- --names` lists the functions.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Session, type Profiler } from 'node:inspector/promises'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Accounts } from '@vidimus/accounts'
import { loadConfiguration, type Configuration } from '@vidimus/agent-config'
import { currentRequest } from '@vidimus/core-types'
import type { RemoteServer } from '@vidimus/remote-server'

const root = resolve(import.meta.dirname, '..')
const WARM = 20
/** What only some of them pass, such as the next round of a timer, is of no request. */
const COUNTED = 5

type Send = (path: string, body: object) => Promise<Record<string, unknown>>

/** Functions that are counted by their calls, as `package/file.ts function`. */
const CALLS = {
  agentCalls: 'agent-config/service-agent.ts execute',
  documentReads: 'ledger-local/embedded-ledger.ts getDidDoc',
  looksIntoMemory: 'database/database.ts remember',
}

export type CallCounts = Record<keyof typeof CALLS, number>

/** What every one of several warm requests passes through, and the least that one of them calls. */
export interface RequestPath extends CallCounts {
  /** as `package/file.ts function:place` */
  called: string[]
}

/** Measures a request of each kind against a service in a folder of its own. */
export async function requestPaths(): Promise<[name: string, path: RequestPath][]> {
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-path-'))
  const configuration = await loadConfiguration(join(root, 'agent.yml'), {
    environment: {
      VIDIMUS_DATA_DIR: folder,
      KMS_SECRET_KEY: 'a5'.repeat(32),
      PORT: '0',
      LOG_LEVEL: 'silent',
    },
    resolveFrom: [`file://${join(root, 'packages/cli/build/index.js')}`],
  })
  try {
    const send = await startedService(configuration)
    const paths: [string, RequestPath][] = []
    for (const [name, request] of await requests(send)) paths.push([name, await passedBy(request)])
    return paths
  } finally {
    await configuration.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The files and packages among those functions. */
export const filesOf = ({ called }: RequestPath): number =>
  new Set(called.map((one) => one.split(' ')[0])).size
const packagesOf = ({ called }: RequestPath): number => new Set(called.map((one) => one.split('/')[0])).size

async function startedService(configuration: Configuration): Promise<Send> {
  const [server, accounts] = (await configuration.build('/server', '/accounts')) as [RemoteServer, Accounts]
  await configuration.start()
  await accounts.create('bench')
  const { apiKey } = await accounts.createApiKey({ account: 'bench' })
  const { url } = await server.listen()
  return async (path, body) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }
}

async function requests(send: Send): Promise<[name: string, request: () => Promise<unknown>][]> {
  const { did } = await send('/did/create', { network: 'testnet' })
  const list = { did, statusListName: 'path' }
  const type = 'listType=BitstringStatusList'
  await send(`/credential-status/create/unencrypted?${type}&statusPurpose=revocation`, list)
  const issue = () =>
    send('/credential/issue', {
      issuerDid: did,
      attributes: { name: 'Bob' },
      credentialStatus: { statusListName: 'path' },
    })
  const credential = await issue()
  let index = 0
  const update = () =>
    send(`/credential-status/update/unencrypted?${type}&statusAction=revoke`, { ...list, indices: [index++] })
  const check = () =>
    send(`/credential-status/check?${type}&statusPurpose=revocation`, { ...list, index: index++ })
  return [
    ['POST /credential-status/update/unencrypted', update],
    ['POST /credential-status/check', check],
    ['POST /credential/issue', issue],
    ['POST /credential/verify', () => send('/credential/verify', { credential })],
    ['POST /did/create', () => send('/did/create', { network: 'testnet' })],
    ['POST /key/create', () => send('/key/create', {})],
  ]
}

async function passedBy(request: () => Promise<unknown>): Promise<RequestPath> {
  for (let n = 0; n < WARM; n++) await request()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  let common: string[] | undefined
  const counts: CallCounts[] = []
  await withoutBackground(async () => {
    for (let n = 0; n < COUNTED; n++) {
      await session.post('Profiler.takePreciseCoverage')
      await request()
      const { result } = await session.post('Profiler.takePreciseCoverage')
      const called = new Set(result.flatMap(ownCalls).map(({ called }) => called))
      common = common ? common.filter((one) => called.has(one)) : [...called]
      counts.push(callsIn(result))
    }
  })
  session.disconnect()
  const least = (name: keyof CallCounts) => Math.min(...counts.map((one) => one[name]))
  return {
    called: (common ?? []).sort(),
    agentCalls: least('agentCalls'),
    documentReads: least('documentReads'),
    looksIntoMemory: least('looksIntoMemory'),
  }
}

/** What requests wake in the background waits for the end of them all: after each, it would be on the way of the next. */
async function withoutBackground<T>(work: () => Promise<T>): Promise<T> {
  const held: (() => void)[] = []
  let isOver = false
  const later = globalThis.setTimeout
  const holding = (callback: () => void, ms?: number) => {
    const isBackground = currentRequest() === undefined
    return later(() => (isBackground && !isOver ? held.push(callback) : callback()), ms)
  }
  globalThis.setTimeout = Object.assign(holding, { __promisify__: later.__promisify__ }) as typeof later
  try {
    return await work()
  } finally {
    globalThis.setTimeout = later
    isOver = true
    for (const callback of held) callback()
  }
}

function callsIn(scripts: readonly Profiler.ScriptCoverage[]): CallCounts {
  const calls = scripts.flatMap(ownCalls)
  const times = (what: string) => calls.find(({ called }) => called.startsWith(`${what}:`))?.count ?? 0
  return {
    agentCalls: times(CALLS.agentCalls),
    documentReads: times(CALLS.documentReads),
    looksIntoMemory: times(CALLS.looksIntoMemory),
  }
}

function ownCalls({ url, functions }: Profiler.ScriptCoverage): { called: string; count: number }[] {
  const [, name] = /\/packages\/([^/]+)\/build\/.*\.js/.exec(url) ?? []
  if (name === undefined) return []
  return functions.flatMap(({ functionName, ranges: [range] }) => {
    // the module itself begins at 0
    if (!range || range.count === 0 || range.startOffset === 0) return []
    const source = sourceAt(fileURLToPath(url), range.startOffset)
    return [{ called: `${name}/${source} ${functionName}:${range.startOffset}`, count: range.count }]
  })
}

const bundles = new Map<string, { text: string; map: SourceMap }>()

/** The source that a place of a bundle is from, below the package's `src`. */
function sourceAt(file: string, offset: number): string {
  let bundle = bundles.get(file)
  if (!bundle) {
    const map = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload
    bundles.set(file, (bundle = { text: readFileSync(file, 'utf8'), map: new SourceMap(map) }))
  }
  const lines = bundle.text.slice(0, offset).split('\n')
  const entry = bundle.map.findEntry(lines.length - 1, lines.at(-1)?.length ?? 0)
  return 'originalSource' in entry ? entry.originalSource.replace(/.*\bsrc\//, '') : file
}

function show(name: string, path: RequestPath): void {
  const unnamed = path.called.filter((one) => one.includes(' :'))
  console.log(
    `${name}: ${filesOf(path)} files of ${packagesOf(path)} packages, ${path.called.length} functions, ` +
      `${unnamed.length} of them unnamed; ${path.agentCalls} calls of the agent, ${path.documentReads} reads of a ` +
      `DID document, ${path.looksIntoMemory} looks into the memory of rows`,
  )
  if (process.argv.includes('--names')) console.log(path.called.map((one) => `  ${one}`).join('\n'))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, path] of await requestPaths()) show(name, path)
}
