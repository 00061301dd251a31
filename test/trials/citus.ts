import assert from 'node:assert/strict'
import { exec } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { homeOf, homeOfDid } from '@vidimus/database'
import { createDid, createList } from '../behaviour/suite.js'
import type { Client } from '../support/client.js'
import { obstacleWithoutCitus, URL_OF } from '../support/citus-databases.js'
import { Examination } from '../support/doctor.js'
import { RemoteStatements, type RemoteCounts } from '../support/remote-statements.js'
import { runVidimus } from '../support/service.js'
import { ServiceHere } from '../support/service-here.js'
import { Calls } from './calls.js'
import { untilReady, withFleet, type Fleet } from './fleet.js'
import { createLists } from './list-kinds.js'
import { ListLoad } from './list-load.js'
import { assertNothingHalfDone } from './nothing-half-done.js'
import { assertNothingLost } from './nothing-lost.js'
import { trialOf, type Figures } from './trial.js'

interface Size {
  rounds: number
  workers: number
  lists: number
}

/** The port of one of its workers, and commands that end that with `kill -9` and start it again. */
const WORKER = 'VIDIMUS_TRIAL_CITUS_WORKER'
const KILL = 'VIDIMUS_TRIAL_CITUS_KILL'
const START = 'VIDIMUS_TRIAL_CITUS_START'

const RULE =
  'The tables of an empty database on a coordinator of Citus are distributed, and the remote statements of operations are ' +
  'counted: none asks a server about a DID that it does not have. Two processes serve it while one of its workers is killed ' +
  '(`kill -9`) and started again, round after round: changes of lists, checks and public reads of DIDs on other workers are served ' +
  'meanwhile, those on this one are 503, no response is a failure of the service, everything is back with it, and no acknowledged ' +
  'change is lost.'

/** For all services, as they share the database. */
const SECRET = { KMS_SECRET_KEY: 'a5'.repeat(32) }

const setting = (name: string): string => process.env[name] ?? assert.fail(`${name} is not set`)

async function run(size: Size): Promise<Figures> {
  const databaseUrl = setting(URL_OF)
  const dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-citus-'))
  const installation = { dataDirectory, environment: { DATABASE_URL: databaseUrl } }
  const admin = new pg.Client({ connectionString: databaseUrl })
  await admin.connect()
  try {
    await runVidimus(['migrate'], installation)
    await runVidimus(['database', 'distribute', '--yes'], installation)
    assert.match((await Examination.of(installation)).of('distribution'), /^ok: Citus/)
    const rounds = await withFleet({ processes: 2, databaseUrl, environment: SECRET }, (fleet) =>
      killWorker(fleet, admin, size),
    )
    return { ...(await countRemoteStatements(databaseUrl, admin)), ...rounds }
  } finally {
    await admin.end()
    await rm(dataDirectory, { recursive: true, force: true })
  }
}

/** Of each operation, by a service in this process, whose sessions are told what the coordinator sends. */
async function countRemoteStatements(databaseUrl: string, admin: pg.Client): Promise<Figures> {
  const name = new URL(databaseUrl).pathname.slice(1)
  await admin.query(`ALTER DATABASE "${name}" SET citus.log_remote_commands = on`)
  const remote = new RemoteStatements()
  const service = await ServiceHere.start({ url: databaseUrl, listen: true, environment: SECRET })
  try {
    const client = await service.clientOf('counted')
    const did = await createDid(client)
    const list = await createList(client, { did })
    const query = { listType: 'BitstringStatusList' }
    let index = 0
    const operations: Record<string, () => Promise<{ status: number }>> = {
      creation: () => client.post('/did/create', { json: { network: 'testnet' } }),
      update: () =>
        client.post('/credential-status/update/unencrypted', {
          query: { ...query, statusAction: 'revoke' },
          json: { ...list, indices: [index++] },
        }),
      check: () =>
        client.post('/credential-status/check', {
          query: { ...query, statusPurpose: 'revocation' },
          json: { ...list, index: 7 },
        }),
      'public read': () => client.get(`/1.0/identifiers/${did}`),
    }
    const figures: Figures = {}
    for (const [operation, call] of Object.entries(operations)) {
      let least: RemoteCounts | undefined
      // The service has work of its own as well, which comes between now and then.
      for (let times = 0; times < 6; times += 1) {
        remote.take()
        const { status } = await call()
        assert.equal(status, 200, operation)
        const counts = remote.take()
        if (!least || counts.statements < least.statements) least = counts
      }
      const homes = await homesOf(admin, least?.parts ?? new Set())
      // The home of the DID, and that of the account.
      assert.ok(homes <= 2, `${operation} touches ${homes} parts: ${least?.texts.join('\n')}`)
      figures[`remote statements, ${operation}`] = `${least?.statements ?? 0} in ${homes} parts`
    }
    return figures
  } finally {
    remote.end()
    await service.stop()
    await admin.query(`ALTER DATABASE "${name}" RESET citus.log_remote_commands`)
  }
}

/** Parts of tables that are together count as one; those on every server do not count. */
async function homesOf(admin: pg.Client, parts: ReadonlySet<number>): Promise<number> {
  const { rows } = await admin.query<{ n: string }>(
    'SELECT COUNT(DISTINCT shardminvalue) AS n FROM pg_dist_shard WHERE shardid = ANY ($1) AND shardminvalue IS NOT NULL',
    [[...parts]],
  )
  return Number(rows[0]?.n)
}

async function killWorker(fleet: Fleet, admin: pg.Client, size: Size): Promise<Figures> {
  const lists = await createLists(fleet.client(), size.lists)
  const apiKey = await keyElsewhere(fleet, admin)
  const probes = await probedLists(fleet.client().as(apiKey), admin)
  const calls = new Calls()
  const load = new ListLoad(fleet, lists, calls, { workers: size.workers, creations: 0.1 }).start()
  let served = 0
  for (let round = 0; round < size.rounds; round += 1) {
    await load.progress(size.workers, 60_000)
    await shell(setting(KILL))
    for (const probe of probes) served += await requestsServed(fleet.client(round).as(apiKey), probe, round)
    await shell(setting(START))
    await untilReady(fleet, true, 60_000)
  }
  await load.progress(size.workers, 60_000)
  await load.stop()
  const others = [...calls.counts.keys()].filter((kind) => !ANSWERS.has(kind))
  assert.deepEqual(others, [], `${calls.summary}\n${failuresIn(fleet.log)}`)
  await fleet.recover()
  const versions = await assertNothingLost(fleet.client(), load)
  const dids = await assertNothingHalfDone(fleet)
  return {
    rounds: size.rounds,
    'served meanwhile': served,
    updates: load.updates,
    DIDs: dids,
    versions,
    answers: calls.summary,
  }
}

/**
 * Of the load, whatever becomes of a worker: done, known not to be done, or not known; and the refusal of what is revoked, which it
 * asks for.
 */
const ANSWERS: ReadonlySet<string> = new Set([
  '200',
  '400 irreversible',
  '503 unavailable',
  '503 outcome_unknown',
])

const failuresIn = (log: string): string =>
  log
    .split('\n')
    .filter((line) => line.includes('"status":500'))
    .join('\n')

/** @returns how many requests about the DID were served, which are all or none */
async function requestsServed(client: Client, { did, isThere, ...list }: Probe, n: number): Promise<number> {
  const listType = 'BitstringStatusList'
  const answers = [
    await client.post('/credential-status/update/unencrypted', {
      query: { listType, statusAction: 'revoke' },
      json: { ...list, did, indices: [n] },
    }),
    await client.post('/credential-status/check', {
      query: { listType, statusPurpose: 'revocation' },
      json: { ...list, did, index: n },
    }),
    await client.get(`/1.0/identifiers/${did}`),
  ]
  const expected = isThere ? 503 : 200
  for (const { status, body } of answers)
    assert.equal(status, expected, `${did} in round ${n}: ${JSON.stringify(body)}`)
  return isThere ? 0 : answers.length
}

interface Probe {
  did: string
  statusListName: string
  /** on the worker that is killed */
  isThere: boolean
}

const PROBES = 4

/** Lists of DIDs on the worker, and as many on another one. */
async function probedLists(client: Client, admin: pg.Client): Promise<Probe[]> {
  const probes: Probe[] = []
  while (probes.length < PROBES) {
    const did = await createDid(client)
    const isThere = await isOnWorker(admin, homeOfDid(did))
    if (probes.filter((one) => one.isThere === isThere).length === PROBES / 2) continue
    probes.push({ ...(await createList(client, { did })), isThere })
  }
  return probes
}

/** @returns an API key of an account whose own home is on another worker than the one that is killed */
async function keyElsewhere(fleet: Fleet, admin: pg.Client): Promise<string> {
  const { service } = fleet.member(0)
  for (let n = 0; ; n += 1) {
    const { apiKey } = await service.apiKeyOf(`probe-${n}`)
    const accounts = await service.accounts((all) => all.list())
    const id = accounts.find(({ name }) => name === `probe-${n}`)?.id ?? assert.fail('it has no account')
    if (!(await isOnWorker(admin, homeOf(id)))) return apiKey
  }
}

async function isOnWorker(admin: pg.Client, home: number): Promise<boolean> {
  const { rows } = await admin.query<{ port: number }>(
    `SELECT n.nodeport AS port FROM pg_dist_placement p JOIN pg_dist_node n USING (groupid)
      WHERE p.shardid = get_shard_id_for_distribution_column('ledger_did', $1::integer)`,
    [home],
  )
  return rows[0]?.port === Number(setting(WORKER))
}

const execute = promisify(exec)
const shell = async (command: string): Promise<void> => void (await execute(command))

export const citus = trialOf(
  'citus',
  RULE,
  { full: { rounds: 20, workers: 8, lists: 4 }, short: { rounds: 2, workers: 4, lists: 2 } },
  run,
  () => obstacleWithoutCitus(URL_OF, WORKER, KILL, START),
)
