import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { FaultProxy } from '../support/fault-proxy.js'
import { emptyInstallation } from '../support/fresh-database.js'
import { PostgresServer } from '../support/postgres-server.js'
import { Calls, isPassing } from './calls.js'
import { withFleet, type Fleet } from './fleet.js'
import { createLists, type TrialList } from './list-kinds.js'
import { ListLoad } from './list-load.js'
import { assertNothingLost } from './nothing-lost.js'
import { trialOf, type Figures } from './trial.js'

interface Size {
  processes: number
  /** that ask the process which is told to end, on a list of their own */
  workers: number
  /** that ask all processes, and again elsewhere where one has ended */
  elsewhere: number
  lists: number
  /** of each process */
  rounds: number
}

/** `shutdownGraceMs` of the default configuration, and what the rest of the end takes on a slow machine. */
const GRACE_MS = 10_000
const SLOW_MACHINE_MS = 5000
/** A request that was sent so long before the signal has been accepted... */
const ACCEPTED_MS = 150
/** ...and is not answered yet, however fast the machine is, as each way of each statement takes so long. */
const LATENCY_MS = 20

const RULE =
  'A process is stopped (SIGTERM) under load. Every request that it accepted gets a response, new ' +
  'connections are refused or get a 503, and it exits with 0 within the grace period. If several processes ' +
  'are restarted in turn, clients that retry elsewhere see no failure at all.'

async function run({ processes, workers, elsewhere, lists: count, rounds }: Size): Promise<Figures> {
  const server = await PostgresServer.shared()
  const proxy = await FaultProxy.inFrontOf(server.port)
  const name = new URL(await emptyInstallation('PostgreSQL')).pathname.slice(1)
  const databaseUrl = server.urlOf(name, proxy.port)
  return withFleet({ processes, databaseUrl }, async (fleet) => {
    const lists = await createLists(fleet.client(), count)
    const [apart = assert.fail()] = await createLists(fleet.client(), 1)
    const calls = new Calls()
    const load = new ListLoad(fleet, lists, calls, { workers: elsewhere, creations: 0.1 }).start()
    await load.progress(elsewhere, 60_000)
    let longest = 0
    let accepted = 0
    for (let n = 0; n < rounds * processes; n++) {
      proxy.impose({ latencyMs: LATENCY_MS })
      const ended = await endUnderLoad(fleet, n, apart, workers)
      proxy.restore()
      longest = Math.max(longest, ended.tookMs)
      accepted += ended.accepted
      await fleet.restart(fleet.member(n))
      await load.progress(elsewhere, 60_000)
    }
    assert.ok(accepted > 0, 'no request was under way')
    await load.stop()
    const versions = await assertNothingLost(fleet.client(), load)
    const odd = [...calls.counts].filter(([kind]) => !/^200$|^cut$|irreversible|^503/.test(kind))
    assert.deepEqual(odd, [])
    return {
      restarts: rounds * processes,
      'answered after the signal': accepted,
      'longest end, ms': Math.round(longest),
      'limit, ms': GRACE_MS,
      updates: load.updates,
      versions,
      answers: calls.summary,
    }
  }).finally(() => proxy.close())
}

/** Load on one process alone, on a list that nobody else changes, and its end in the midst of it. */
async function endUnderLoad(
  fleet: Fleet,
  n: number,
  { did, statusListName, listType }: TrialList,
  workers: number,
): Promise<{ tookMs: number; accepted: number }> {
  const { client, service, port } = fleet.member(n)
  const calls = new Calls()
  let toldAt = Infinity
  let accepted = 0
  const work = Array.from({ length: workers }, async (_, worker) => {
    for (let turn = 0; toldAt === Infinity; turn++) {
      const sentAt = performance.now()
      const outcome = await calls.make(client, 'POST', '/credential-status/update/unencrypted', {
        query: { listType, statusAction: turn % 2 ? 'reinstate' : 'suspend' },
        json: { did, statusListName, indices: [worker] },
      })
      if (sentAt <= toldAt - ACCEPTED_MS && performance.now() > toldAt) accepted += 1
      if (sentAt > toldAt - ACCEPTED_MS) assert.ok(outcome.kind === 'done' || isPassing(outcome))
      else assert.equal(outcome.kind, 'done', `a request of ${toldAt - sentAt} ms before the signal`)
    }
  })
  await setTimeout(ACCEPTED_MS * (2 + Math.random()))
  toldAt = performance.now()
  const stopped = service.stop()
  await assertRefusesSoon(port, () => service.running)
  const code = await stopped
  const tookMs = performance.now() - toldAt
  await Promise.all(work)
  assert.equal(code, 0, service.log)
  assert.ok(tookMs < GRACE_MS + SLOW_MACHINE_MS, `the end took ${tookMs} ms`)
  return { tookMs, accepted }
}

/** New connections are refused, or their requests answered with 503, from soon after the signal on. */
async function assertRefusesSoon(port: number, running: () => boolean): Promise<void> {
  for (const startedAt = performance.now(); running();) {
    const answered = await statusLineOf(port)
    if (answered === undefined || answered.includes(' 503 ')) return
    assert.ok(performance.now() - startedAt < SLOW_MACHINE_MS, `a new connection was answered ${answered}`)
  }
}

/** @returns `undefined` where nothing answers */
const statusLineOf = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let text = ''
    socket.on('error', () => resolve(undefined))
    socket.on('data', (bytes) => (text += bytes.toString()))
    socket.on('close', () => resolve(text === '' ? undefined : text.split('\r\n')[0]))
    socket.write('GET /health/ready HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
  })

export const sigterm = trialOf(
  'sigterm',
  RULE,
  {
    full: { processes: 4, workers: 32, elsewhere: 8, lists: 4, rounds: 4 },
    short: { processes: 2, workers: 8, elsewhere: 4, lists: 1, rounds: 1 },
  },
  run,
)
