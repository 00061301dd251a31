import assert from 'node:assert/strict'
import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import autocannon from 'autocannon'
import { createDid } from '../shared/suite.js'
import { withFleet, type Fleet } from './fleet.js'
import { createLists, type TrialList } from './list-kinds.js'
import { trialOf, type Figures } from './trial.js'

interface Size {
  requests: number
  connections: number
  /** measurements, of which the first and the last third are compared */
  parts: number
}

/** What the last third may have more than the first, on the average. */
const MOST_HEAP_GROWTH_MB = 8
const MOST_FILE_GROWTH = 4

const RULE =
  'A process answers mixed requests of all kinds. What is left on its heap after a garbage collection grows by no more ' +
  `than ${MOST_HEAP_GROWTH_MB} MB from the first third to the last, its open files by no more than ${MOST_FILE_GROWTH}; ` +
  'every answer has the status that is expected.'

async function run({ requests, connections, parts }: Size): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-soak-'))
  const file = join(folder, 'memory.json')
  const probe = join(import.meta.dirname, '../support/memory-probe.mjs')
  try {
    return await withFleet(
      {
        processes: 1,
        environment: { NODE_OPTIONS: `--import=${probe}`, MEMORY_PROBE_FILE: file },
        // one caller from one address, who fires as fast as he can
        configure: (text) => text.replace(/requests: 600000/g, 'requests: 100000000'),
      },
      async (fleet) => {
        const mixed = await mixedRequests(fleet)
        // What is made at first stays: caches, prepared statements, compiled code.
        await fire(fleet, mixed, connections, Math.ceil(requests / parts))
        const samples: Sample[] = []
        const startedAt = performance.now()
        for (let n = 0; n < parts; n++) {
          await fire(fleet, mixed, connections, Math.ceil(requests / parts))
          samples.push(await sampleOf(fleet, file))
        }
        const perSecond = Math.round(requests / ((performance.now() - startedAt) / 1000))
        return { requests, 'requests per second': perSecond, ...compared(samples) }
      },
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Sample {
  heapMb: number
  files: number
  rssMb: number
}

function compared(samples: readonly Sample[]): Figures {
  const third = Math.ceil(samples.length / 3)
  const [first, last] = [samples.slice(0, third), samples.slice(-third)]
  const figures: Figures = {}
  for (const [name, of, most] of [
    ['heap, MB', ({ heapMb }: Sample) => heapMb, MOST_HEAP_GROWTH_MB],
    ['open files', ({ files }: Sample) => files, MOST_FILE_GROWTH],
    ['resident, MB', ({ rssMb }: Sample) => rssMb, Infinity],
  ] as const) {
    const [before, after] = [mean(first.map(of)), mean(last.map(of))]
    figures[name] = `${before.toFixed(1)} then ${after.toFixed(1)}`
    assert.ok(after - before <= most, `${name}: ${figures[name]}, of ${samples.map(of).join(', ')}`)
  }
  return figures
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** After a garbage collection, and once the connections of the clients are gone. */
async function sampleOf(fleet: Fleet, file: string): Promise<Sample> {
  const { pid } = fleet.member(0).service
  await rm(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (;;) {
    await setTimeout(50)
    const written = await access(file).then(
      () => true,
      () => false,
    )
    if (written) break
  }
  const { heapUsed, rss } = JSON.parse(await readFile(file, 'utf8')) as NodeJS.MemoryUsage
  const files = await openFilesOf(pid)
  return { heapMb: heapUsed / 1048576, rssMb: rss / 1048576, files }
}

/** Without connections, which belong to whoever made them. */
async function openFilesOf(pid: number): Promise<number> {
  const folder = `/proc/${pid}/fd`
  for (let before = Infinity; ;) {
    const { length } = await readdir(folder)
    // Those of the clients are closing.
    if (length >= before) return length
    before = length
    await setTimeout(100)
  }
}

interface MixedRequest {
  method: 'GET' | 'POST'
  path: string
  status: number
  body?: (n: number) => object
}

async function mixedRequests(fleet: Fleet): Promise<MixedRequest[]> {
  const client = fleet.client()
  const lists = await createLists(client, 4)
  const did = await createDid(client)
  const credential = await client.ok('POST', '/credential/issue', {
    json: { issuerDid: did, subjectDid: did, attributes: { degree: 'Master' } },
  })
  const checks = lists.map((list) => checkOf(list))
  const publicOnes = [`/1.0/identifiers/${did}`, '/health/ready', '/did/list?limit=5', `/did/search/${did}`]
  const reads = publicOnes.map((path): MixedRequest => ({ method: 'GET', path, status: 200 }))
  const refusals: MixedRequest[] = [
    { method: 'POST', path: '/did/create', status: 400, body: () => ({ network: 'nowhere' }) },
    { method: 'GET', path: '/nowhere', status: 404 },
  ]
  const verify: MixedRequest = {
    method: 'POST',
    path: '/credential/verify',
    status: 200,
    body: () => ({ credential }),
  }
  return [
    ...checks,
    ...checks,
    ...checks,
    ...reads,
    ...refusals,
    verify,
    ...lists.map((list) => updateOf(list)),
  ]
}

const checkOf = ({ did, statusListName, listType, statusPurpose }: TrialList): MixedRequest => ({
  method: 'POST',
  path: `/credential-status/check?listType=${listType}&statusPurpose=${statusPurpose}`,
  status: 200,
  body: (n) => ({ did, statusListName, indices: [n % 1000, 5] }),
})

/** An update that changes nothing after a while, as retried ones do, or makes another version. */
const updateOf = ({ did, statusListName, listType, actions }: TrialList): MixedRequest => {
  const reversible = actions.includes('suspend')
  const path = `/credential-status/update/unencrypted?listType=${listType}&statusAction=`
  return {
    method: 'POST',
    path: path + (reversible ? 'suspend' : 'revoke'),
    status: 200,
    body: (n) => ({ did, statusListName, indices: [n % 200] }),
  }
}

let sent = 0

async function fire(
  fleet: Fleet,
  mixed: readonly MixedRequest[],
  connections: number,
  amount: number,
): Promise<void> {
  const { service } = fleet.member(0)
  const apiKey = fleet.apiKey
  const wrong: string[] = []
  const result = await autocannon({
    url: service.url,
    connections,
    amount,
    requests: mixed.map(({ method, path, body, status }) => ({
      method,
      path,
      headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { setupRequest: (request) => ({ ...request, body: JSON.stringify(body(sent++)) }) }),
      onResponse: (found, text) => {
        if (found !== status) wrong.push(`${method} ${path}: ${found} ${text}`)
      },
    })),
  })
  assert.deepEqual(wrong.slice(0, 5), [])
  assert.equal(result.errors, 0)
}

export const soak = trialOf(
  'soak',
  RULE,
  {
    full: { requests: 500_000, connections: 32, parts: 12 },
    short: { requests: 5000, connections: 16, parts: 6 },
  },
  run,
)
