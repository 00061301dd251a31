import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { FaultProxy, type Fault } from '../support/fault-proxy.js'
import { emptyInstallation } from '../support/fresh-database.js'
import { PostgresServer } from '../support/postgres-server.js'
import { Calls } from './calls.js'
import { Fleet, untilReady, withStarted } from './fleet.js'
import { createLists } from './list-kinds.js'
import { ListLoad } from './list-load.js'
import { assertNothingLost } from './nothing-lost.js'
import { trialOf, type Figures, type Trial } from './trial.js'

/** Lower than the defaults, so that a trial takes seconds. */
const CONNECT_MS = 1500
const STATEMENT_MS = 2000
/** What the driver gives the server beyond its own limit. */
const GRACE_MS = 2000
/** What works wait for a connection that others have for their turns. */
const TURN_MS = 2000
/**
 * A request that meets the fault waits for a connection, and for one statement. Three times: for its key, for the turn of
 * its list, and for its own.
 */
const LONGEST_ANSWER_MS = 3 * (CONNECT_MS + STATEMENT_MS + GRACE_MS) + TURN_MS
/** For a machine that does other things as well. */
const SLOW_MACHINE_MS = 4000
/** Memory that one process may take more than before the faults, for buffers and what is not collected yet. */
const MOST_GROWTH_MB = 150

/** Of one process. */
const MORE_THAN_CONNECTIONS = 20
const ATTEMPTS = 5

interface Size {
  processes: number
  workers: number
  lists: number
  rounds: number
  /** of each fault */
  faultMs: number
  poolSize?: number
}

type Faulty = (situation: { fleet: Fleet; proxy: FaultProxy; load: ListLoad; size: Size }) => Promise<Figures>

const lowLimits = (poolSize: number) => (text: string) =>
  withValue(
    withValue(withValue(text, 'poolSize', poolSize), 'connectTimeoutMs', CONNECT_MS),
    'statementTimeoutMs',
    STATEMENT_MS,
  )

function withValue(configuration: string, key: string, value: number): string {
  const line = new RegExp(`^( +${key}: ).*$`, 'm')
  assert.match(configuration, line)
  return configuration.replace(line, `$1${value}`)
}

/** Load over a proxy in front of PostgreSQL, a fault in it, and what must hold during and after it. */
async function underFaults(size: Size, faulty: Faulty): Promise<Figures> {
  const server = await PostgresServer.shared()
  const proxy = await FaultProxy.inFrontOf(server.port)
  const { processes, workers, lists: count, poolSize = 10 } = size
  const started = async () => {
    const name = new URL(await emptyInstallation('PostgreSQL')).pathname.slice(1)
    const databaseUrl = server.urlOf(name, proxy.port)
    return Fleet.start({ processes, databaseUrl, configure: lowLimits(poolSize) })
  }
  try {
    return await withStarted(await again(started), async (fleet) => {
      const lists = await again(() => createLists(fleet.client(), count))
      const calls = new Calls(LONGEST_ANSWER_MS + SLOW_MACHINE_MS)
      const load = new ListLoad(fleet, lists, calls, { workers, creations: 0.1 }).start()
      await load.progress(workers, 60_000)
      const before = await memoryOf(fleet)
      const figures = await faulty({ fleet, proxy, load, size })
      await load.stop()
      const growth = Math.max(...(await memoryOf(fleet)).map((mb, n) => mb - (before[n] ?? 0)))
      assert.ok(growth < MOST_GROWTH_MB, `a process takes ${growth} MB more than before`)
      const versions = await assertNothingLost(fleet.client(), load)
      return {
        ...figures,
        updates: load.updates,
        versions,
        'failed requests': calls.failures,
        'longest answer, ms': Math.round(calls.longestAnswerMs),
        'limit, ms': LONGEST_ANSWER_MS,
        'memory growth, MB': growth,
        answers: calls.summary,
      }
    })
  } finally {
    await proxy.close()
  }
}

/** What comes before the load: with limits as low as these a busy machine is a fault as well, which proves nothing. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === ATTEMPTS || !String(error).includes('does not answer')) throw error
    }
  }
}

/** Readiness must turn during the fault, and everything must go on by itself after it. */
async function faultAndRecovery(
  { fleet, proxy, load, size }: Parameters<Faulty>[0],
  fault: Fault,
): Promise<{ noticedMs: number; recoveredMs: number }> {
  proxy.impose(fault)
  if (fault.refusing) proxy.cut()
  // More than there are connections: each of them meets the fault, and is answered while it lasts.
  const calls = new Calls(LONGEST_ANSWER_MS + SLOW_MACHINE_MS)
  const asked = Array.from({ length: fleet.size * MORE_THAN_CONNECTIONS }, (_, n) =>
    calls.make(fleet.client(n), 'GET', '/did/list', { query: { limit: '1' } }),
  )
  const noticedMs = await untilReady(fleet, false, LONGEST_ANSWER_MS + SLOW_MACHINE_MS)
  await Promise.all(asked)
  assert.equal(calls.of('503 unavailable'), asked.length, calls.summary)
  await setTimeout(size.faultMs)
  proxy.restore()
  const restored = performance.now()
  await untilReady(fleet, true, LONGEST_ANSWER_MS + SLOW_MACHINE_MS)
  const recoveredMs = Math.round(performance.now() - restored)
  await load.progress(10, LONGEST_ANSWER_MS + SLOW_MACHINE_MS)
  return { noticedMs, recoveredMs }
}

const failing =
  (...faults: Fault[]): Faulty =>
  async (situation) => {
    let [noticed, recovered] = [0, 0]
    for (let round = 0; round < situation.size.rounds; round++) {
      for (const fault of faults) {
        const { noticedMs, recoveredMs } = await faultAndRecovery(situation, fault)
        noticed = Math.max(noticed, noticedMs)
        recovered = Math.max(recovered, recoveredMs)
      }
    }
    const count = situation.size.rounds * faults.length
    return { faults: count, 'noticed within, ms': noticed, 'recovered within, ms': recovered }
  }

/** Slow enough to be felt: everything still works. */
const slow: Faulty = async (situation) => {
  const { proxy, load, size } = situation
  proxy.impose({ latencyMs: 20, bytesPerSecond: 2_000_000 })
  const tookMs = await load.progress(5, 60_000)
  await setTimeout(size.faultMs)
  proxy.restore()
  return { 'slow for, ms': size.faultMs + tookMs, ...(await failing({ latencyMs: 6000 })(situation)) }
}

/** Many more requests than connections, each of which takes long. */
const exhausted: Faulty = async ({ fleet, proxy, load, size }) => {
  proxy.impose({ latencyMs: 100 })
  const calls = new Calls(LONGEST_ANSWER_MS + SLOW_MACHINE_MS)
  const asked = Array.from({ length: size.rounds * 100 }, (_, n) =>
    calls.make(fleet.client(n), 'GET', '/did/list', { query: { limit: '1' } }),
  )
  await Promise.all(asked)
  proxy.restore()
  const tookMs = await load.progress(10, LONGEST_ANSWER_MS + SLOW_MACHINE_MS)
  assert.ok(calls.of('200') > 0, 'none of the requests was served')
  return {
    'requests at once': asked.length,
    'answers to them': calls.summary,
    'longest of them, ms': Math.round(calls.longestAnswerMs),
    'recovered within, ms': tookMs,
  }
}

/** Connections break in the midst of whatever they are used for. */
const cutting: Faulty = async (situation) => {
  const { proxy, load, size } = situation
  let cut = 0
  for (const endAt = performance.now() + size.faultMs; performance.now() < endAt;) {
    await setTimeout(Math.random() * 300)
    cut += proxy.cut()
  }
  await load.progress(10, LONGEST_ANSWER_MS + SLOW_MACHINE_MS)
  return { 'cut connections': cut, ...(await failing({ refusing: true })(situation)) }
}

const PROMISE =
  ' Every request gets a response within the sum of the configured limits, readiness turns false while ' +
  'nothing works and recovers, the service recovers by itself, no acknowledged change is lost, and memory ' +
  'does not grow.'

const full: Size = { processes: 2, workers: 32, lists: 4, rounds: 3, faultMs: 5000 }
const short: Size = { processes: 1, workers: 8, lists: 1, rounds: 1, faultMs: 500 }

const faultTrial = (name: string, situation: string, faulty: Faulty, more: Partial<Size> = {}): Trial =>
  trialOf(name, situation + PROMISE, { full: { ...full, ...more }, short: { ...short, ...more } }, (size) =>
    underFaults(size, faulty),
  )

export const DATABASE_FAULTS: readonly Trial[] = [
  faultTrial(
    'slow-database',
    'The connection to PostgreSQL becomes slow and narrow, then so slow that no statement completes in time.',
    slow,
  ),
  faultTrial(
    'exhausted-pool',
    'There are two connections to a slow PostgreSQL, and many more concurrent requests.',
    exhausted,
    { poolSize: 2 },
  ),
  faultTrial(
    'half-open',
    'PostgreSQL accepts connections but stays silent; then its responses are lost, then the requests to it.',
    failing({ stalled: true }, { lost: 'to the client' }, { lost: 'to the server' }),
  ),
  faultTrial(
    'cut',
    'Connections to PostgreSQL are cut in the middle of transactions, then refused.',
    cutting,
  ),
]

/** Resident memory of each process, MB. */
async function memoryOf(fleet: Fleet): Promise<number[]> {
  return Promise.all(
    fleet.members.map(async ({ service }) => {
      const status = await readFile(`/proc/${service.pid}/status`, 'utf8')
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
    }),
  )
}
