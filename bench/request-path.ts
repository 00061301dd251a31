// npm run bench:path: through how many of our files and functions one warm request passes, with agent.yml as it is shipped,
// on SQLite. `-- --names` lists them.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Session, type Profiler } from 'node:inspector/promises'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Accounts } from '@vidimus/accounts'
import { loadConfiguration, type Configuration } from '@vidimus/agent-config'
import type { RemoteServer } from '@vidimus/remote-server'

const root = resolve(import.meta.dirname, '..')
const WARM = 20
/** What only some of them pass, such as the next round of a timer, is of no request. */
const COUNTED = 5

type Send = (path: string, body: object) => Promise<Record<string, unknown>>

/** A function that was called, as `package/file.ts function:place`. */
type Called = string

async function main(): Promise<void> {
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
    for (const [name, request] of await requests(send)) show(name, await passedBy(request))
  } finally {
    await configuration.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

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
  let index = 0
  const update = () =>
    send(`/credential-status/update/unencrypted?${type}&statusAction=revoke`, { ...list, indices: [index++] })
  return [
    ['POST /credential-status/update/unencrypted', update],
    ['POST /did/create', () => send('/did/create', { network: 'testnet' })],
  ]
}

/** What every one of several warm requests has called. */
async function passedBy(request: () => Promise<unknown>): Promise<Called[]> {
  for (let n = 0; n < WARM; n++) await request()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  let common: Called[] | undefined
  for (let n = 0; n < COUNTED; n++) {
    await session.post('Profiler.takePreciseCoverage')
    await request()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const called = new Set(result.flatMap(calledIn))
    common = common ? common.filter((one) => called.has(one)) : [...called]
  }
  session.disconnect()
  return (common ?? []).sort()
}

function calledIn({ url, functions }: Profiler.ScriptCoverage): Called[] {
  const [, name] = /\/packages\/([^/]+)\/build\/.*\.js/.exec(url) ?? []
  if (name === undefined) return []
  return functions.flatMap(({ functionName, ranges: [range] }) =>
    // the module itself begins at 0
    range && range.count > 0 && range.startOffset > 0
      ? [`${name}/${sourceAt(fileURLToPath(url), range.startOffset)} ${functionName}:${range.startOffset}`]
      : [],
  )
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

function show(name: string, called: readonly Called[]): void {
  const files = new Set(called.map((one) => one.split(' ')[0]))
  const packages = new Set(called.map((one) => one.split('/')[0]))
  const unnamed = called.filter((one) => one.includes(' :'))
  console.log(
    `${name}: ${files.size} files of ${packages.size} packages, ${called.length} functions, ${unnamed.length} of them unnamed`,
  )
  if (process.argv.includes('--names')) console.log(called.map((one) => `  ${one}`).join('\n'))
}

await main()
