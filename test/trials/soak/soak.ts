import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openDatabase } from '../../support/open-database.js'
import { emptyInstallation } from '../../support/fresh-database.js'
import { withFleet, type Fleet } from '../fleet.js'
import { trialOf, type Figures, type Wishes } from '../trial.js'
import { kindsOf, type Kind } from './kinds.js'
import { RudeClients } from './rude-clients.js'
import { asCsv, Sampling, type Sample } from './samples.js'
import { REQUESTS_PER_SECOND, verdictOn } from './verdict.js'

interface Size {
  minutes: number
  /** between two samples */
  seconds: number
  callers: number
  /** of all callers together; unless the machine is too busy for them */
  requestsPerSecond: number
  rude: number
}

/** The least that is chosen without configuration; caches are full soon, so that what grows then is something else. */
const CACHE_BYTES = 16 * 1_048_576

const RULE =
  'Clients call every operation, again and again, while others disconnect midway, read slowly and open ' +
  'streams that they do not use. Between samples there are no requests: no slot, stream or body is still in ' +
  'use then, and by least squares neither memory (apart from what caches count within their budget) nor ' +
  'handles, files, connections or the log grow; every response has the expected status.'

async function run(
  size: Size,
  { minutes = size.minutes, database, samples: file }: Wishes,
): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-soak-'))
  const probe = join(import.meta.dirname, '../../support/memory-probe.mjs')
  const memory = join(folder, 'memory.json')
  const environment = {
    NODE_OPTIONS: `--import=${probe}`,
    MEMORY_PROBE_FILE: memory,
    METRICS_PORT: '0',
    CACHE_BYTES: String(CACHE_BYTES),
  }
  const databaseUrl = database === 'postgresql' ? await emptyInstallation('PostgreSQL') : undefined
  const options = { processes: 1, environment, configure, ...(databaseUrl !== undefined && { databaseUrl }) }
  try {
    return await withFleet(options, async (fleet) => {
      const postgres = databaseUrl === undefined ? undefined : await openDatabase(fleet.installation)
      try {
        const taken = await soaked(fleet, new Sampling(fleet, memory, postgres), { ...size, minutes })
        if (file !== undefined) await writeFile(file, asCsv(taken))
        return judged(taken)
      } finally {
        await postgres?.lifecycle.stop()
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** One caller from one address, who asks as fast as he can. */
const configure = (text: string) => text.replace(/requests: 600000/g, 'requests: 100000000')

async function soaked(fleet: Fleet, sampling: Sampling, size: Size): Promise<Sample[]> {
  const kinds = await kindsOf(fleet.client())
  const taken: Sample[] = []
  const until = performance.now() + size.minutes * 60_000
  const load = new Load(fleet, kinds, (size.callers * 1000) / size.requestsPerSecond)
  while (performance.now() < until || taken.length < 6) {
    const rude = new RudeClients(fleet.client().url, fleet.apiKey).start(size.rude)
    await load.run(size.callers, size.seconds * 1000)
    await rude.stop()
    taken.push(await sampling.take(load.requests))
  }
  return taken
}

function judged(taken: readonly Sample[]): Figures {
  const { figures, problems } = verdictOn(taken)
  const last = taken.at(-1)
  const perSecond = (last?.requests ?? 0) / ((last?.minutes ?? 0) * 60)
  assert.deepEqual(problems, [], asCsv(taken))
  return { requests: last?.requests ?? 0, 'a second': perSecond.toFixed(0), ...figures }
}

/** Callers that take the kinds in turn, each at one pace: what Node.js keeps for what is short-lived grows with the load. */
class Load {
  requests = 0

  constructor(
    private readonly fleet: Fleet,
    private readonly kinds: readonly Kind[],
    private readonly msBetween: number,
  ) {}

  async run(callers: number, ms: number): Promise<void> {
    const end = new AbortController()
    const loops = Array.from({ length: callers }, () => this.loop(end.signal))
    // One that is refused ends it at once.
    await Promise.race([setTimeout(ms), Promise.all(loops)])
    end.abort()
    await Promise.all(loops)
  }

  private async loop(end: AbortSignal): Promise<void> {
    for (let next = performance.now(); !end.aborted; next += this.msBetween) {
      await setTimeout(Math.max(0, next - performance.now()))
      const n = (this.requests += 1)
      const kind = this.kinds[n % this.kinds.length] ?? assert.fail('there are kinds')
      try {
        await kind.run(this.fleet.client(), n)
      } catch (error) {
        throw new Error(`${kind.name}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        })
      }
    }
  }
}

export const soak = trialOf(
  'soak',
  RULE,
  {
    full: { minutes: 10, seconds: 15, callers: 16, requestsPerSecond: REQUESTS_PER_SECOND, rude: 8 },
    short: { minutes: 0, seconds: 0.8, callers: 8, requestsPerSecond: 200, rude: 4 },
  },
  run,
)
