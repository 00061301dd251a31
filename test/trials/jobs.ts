import assert from 'node:assert/strict'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { createDid, createList } from '../behaviour/suite.js'
import { commandHere } from '../support/command-here.js'
import { decodedByOthers } from '../support/decoded-by-others.js'
import { assertLinear, versionsOf, type ListName } from '../support/list-history.js'
import { installationOf } from '../support/service.js'
import { withAnyFleet, withSqliteFleet, type Fleet } from './fleet.js'
import { trialOf, type Figures, type Wishes } from './trial.js'

interface Size {
  rows: number
  lists: number
  /** rows that name a credential by its id; all others name an index */
  registered: number
  kills: number
}

const ENTRIES = 131_072
const LOOK_MS = 50
/** One row of so many names a credential that nobody has issued. */
const UNKNOWN = 1000
/** Of one job, for each list: a version holds 20,000 rows, and one more where a kill came in between. */
const ROWS_PER_VERSION = 20_000

const RULE =
  'Two processes work on a file of revocations over several lists and are killed (`kill -9`) in turn while its job runs. ' +
  'Every row is applied or refused, exactly once by the counts of the job, which ends by itself; an independent decoder finds ' +
  'in every list what the file says, bit by bit, and the lists have few versions.'

interface Job {
  id: string
  state: string
  rows: number
  applied: number
  refused: number
}

async function run({ rows, lists: count, registered, kills }: Size, { database }: Wishes): Promise<Figures> {
  const onFleet = database === 'sqlite' ? withSqliteFleet : withAnyFleet
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-jobs-trial-'))
  try {
    return await onFleet(2, async (fleet) => {
      const did = await createDid(fleet.client())
      const lists: ListName[] = []
      for (let n = 0; n < count; n += 1) lists.push(await createList(fleet.client(), { did }))
      const plan = new Plan(did, lists, rows, registered)
      const registering = await importRegister(fleet, folder, plan)
      const file = join(folder, 'revoked.csv')
      await pipeline(Readable.from(plan.file()), createWriteStream(file))
      const uploading = await timed(() => upload(fleet, file))
      const applying = await timed(() => followed(fleet, uploading.result, kills))
      const { state, applied, refused } = applying.result
      assert.deepEqual([state, applied, refused], ['done', rows - plan.unknown, plan.unknown], fleet.log)
      let versions = 0
      for (const [n, list] of lists.entries()) {
        const set = await decodedByOthers(fleet.client(), did, list.statusListName)
        assert.ok(isEqual(set, plan.indices(n)), `${list.statusListName} differs from the file`)
        const chain = await versionsOf(fleet.client(), list)
        assertLinear(chain)
        const most = Math.ceil(plan.indices(n).length / ROWS_PER_VERSION) + kills + 2
        assert.ok(chain.length <= most, `${chain.length} versions of ${list.statusListName}`)
        versions += chain.length - 1
      }
      return {
        rows,
        lists: count,
        'file, MB': ((await stat(file)).size / 1e6).toFixed(0),
        ...(registering !== undefined && { 'register, s': registering }),
        'upload, s': uploading.seconds,
        'applying, s': applying.seconds,
        kills,
        versions,
        refused,
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Which index is revoked by which row: all rows are different, in an order that jumps from list to list. */
class Plan {
  readonly unknown: number

  constructor(
    private readonly did: string,
    private readonly lists: readonly ListName[],
    private readonly rows: number,
    private readonly registered: number,
  ) {
    this.unknown = Math.floor(rows / UNKNOWN)
    assert.ok(rows <= lists.length * ENTRIES)
  }

  /** The indices that are set in a list in the end, ascending. */
  indices(list: number): number[] {
    const set: number[] = []
    for (let row = list; row < this.rows; row += this.lists.length)
      if (!isUnknown(row)) set.push(this.index(row))
    return set.sort((a, b) => a - b)
  }

  *file(): Generator<string> {
    yield 'credentialId,list,index,action,reason\n'
    for (let row = 0; row < this.rows; row += 1) {
      const isNamed = isUnknown(row) || row < this.registered
      const named = isNamed ? `${credentialId(row)},,` : `,${this.address(row)},${this.index(row)}`
      yield `${named},revoke,cessation of operation\n`
    }
  }

  *register(): Generator<string> {
    yield 'credentialId,list,index\n'
    for (let row = 0; row < this.registered; row += 1) {
      if (!isUnknown(row)) yield `${credentialId(row)},${this.address(row)},${this.index(row)}\n`
    }
  }

  private address(row: number): string {
    const { statusListName } = this.lists[row % this.lists.length] ?? assert.fail('there are lists')
    return `${this.did}?resourceName=${statusListName}&resourceType=BitstringStatusListCredential`
  }

  /** The factor is odd and the length a power of two: no index comes twice. */
  private index(row: number): number {
    return (Math.floor(row / this.lists.length) * 60_013) % ENTRIES
  }
}

const isUnknown = (row: number): boolean => row % UNKNOWN === UNKNOWN - 1

const credentialId = (row: number): string =>
  `urn:uuid:00000000-0000-4000-8000-${String(row).padStart(12, '0')}`

/** @returns how long it took, in seconds */
async function importRegister(fleet: Fleet, folder: string, plan: Plan): Promise<string | undefined> {
  const file = join(folder, 'issued.csv')
  await pipeline(Readable.from(plan.register()), createWriteStream(file))
  const { dataDirectory, databaseUrl } = fleet.installation
  const { file: config, environment } = await installationOf({
    dataDirectory,
    ...(databaseUrl !== null && { environment: { DATABASE_URL: databaseUrl } }),
  })
  const args = ['register', 'import', file, '--account', 'default', '--config', config, '--quiet']
  const { seconds, result } = await timed(() => commandHere(args, environment))
  assert.equal(result.code, 0, result.complained)
  return seconds
}

async function upload(fleet: Fleet, file: string): Promise<Job> {
  const response = await fetch(`${fleet.client().url}/credential-status/jobs?jobId=trial`, {
    method: 'POST',
    headers: { 'x-api-key': fleet.apiKey, 'content-type': 'text/csv' },
    body: Readable.toWeb(createReadStream(file)) as ReadableStream,
    duplex: 'half',
  })
  const body = (await response.json()) as Job
  assert.equal(response.status, 202, JSON.stringify(body))
  return body
}

/** Looks at the job until it has ended, and kills processes when parts of it are done. */
async function followed(fleet: Fleet, { id, rows }: Job, kills: number): Promise<Job> {
  let killed = 0
  for (;;) {
    const job = (await fleet.client(killed).ok('GET', `/credential-status/jobs/${id}`)) as Job
    if (job.state === 'done' || job.state === 'failed') {
      assert.equal(killed, kills, 'it ended before the kills')
      return job
    }
    if (killed < kills && (job.applied + job.refused) * (kills + 1) > rows * (killed + 1)) {
      const member = fleet.member(killed)
      await fleet.kill(member)
      killed += 1
      await fleet.restart(member)
    }
    await setTimeout(LOOK_MS)
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; seconds: string }> {
  const startedAt = performance.now()
  const result = await work()
  return { result, seconds: ((performance.now() - startedAt) / 1000).toFixed(1) }
}

const isEqual = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((value, n) => value === other[n])

export const jobs = trialOf(
  'jobs',
  RULE,
  {
    full: { rows: 3_000_000, lists: 25, registered: 200_000, kills: 2 },
    short: { rows: 5000, lists: 25, registered: 2500, kills: 1 },
  },
  run,
)
