import assert from 'node:assert/strict'
import { access, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql, type Database } from '@vidimus/database'
import { valueOf } from '../../support/prometheus-text.js'
import { scrape } from '../../support/scrape.js'
import type { Service } from '../../support/service.js'
import type { Fleet } from '../fleet.js'

/** What a process has when nobody asks it for anything, after a garbage collection. */
export interface Sample {
  minutes: number
  requests: number
  heapMb: number
  arrayBuffersMb: number
  /** what caches say that they take */
  cachesMb: number
  /** of heap and array buffers */
  uncountedMb: number
  rssMb: number
  handles: number
  files: number
  /** slots of requests under way, streams and bodies that are waited for: nothing is to be left of them */
  slots: number
  connections: number
  walMb: number
  logKb: number
}

const MB = 1048576
/** All that counts something under way. */
const SLOTS = [
  'vidimus_requests_under_way',
  'vidimus_http_requests_in_progress',
  'vidimus_event_streams_open',
  'vidimus_http_bodies_awaited',
  'vidimus_status_list_waiting_updates',
  'vidimus_database_write_queue_length',
]

/** Samples of the only process of a fleet, which was started with `memory-probe.mjs`. */
export class Sampling {
  private readonly startedAt = performance.now()

  constructor(
    private readonly fleet: Fleet,
    private readonly file: string,
    /** `undefined` for SQLite, whose files are asked instead */
    private readonly postgres: Database | undefined,
  ) {}

  async take(requests: number): Promise<Sample> {
    const slots = await this.slotsLeft()
    const { heapUsed, arrayBuffers, rss, handles } = await this.probed()
    const { service } = this.fleet.member(0)
    const caches = await cachesOf(service)
    return {
      minutes: (performance.now() - this.startedAt) / 60_000,
      requests,
      heapMb: heapUsed / MB,
      arrayBuffersMb: arrayBuffers / MB,
      cachesMb: caches / MB,
      uncountedMb: (heapUsed + arrayBuffers - caches) / MB,
      rssMb: rss / MB,
      handles,
      files: await filesOf(service.pid),
      slots,
      ...(await this.ofDatabase()),
      logKb: Buffer.byteLength(service.log) / 1024,
    }
  }

  /** Those who left are noticed with the next packet: what is still there after a while is not given back. */
  private async slotsLeft(): Promise<number> {
    for (let look = 0; ; look += 1) {
      const metrics = await scrape(this.fleet.member(0).service)
      const left = SLOTS.reduce((sum, name) => sum + valueOf(metrics, name), 0)
      if (left === 0 || look === 100) return left
      await setTimeout(50)
    }
  }

  private async probed(): Promise<NodeJS.MemoryUsage & { handles: number }> {
    await rm(this.file, { force: true })
    process.kill(this.fleet.member(0).service.pid, 'SIGUSR2')
    while (!(await exists(this.file))) await setTimeout(20)
    return JSON.parse(await readFile(this.file, 'utf8')) as NodeJS.MemoryUsage & { handles: number }
  }

  private async ofDatabase(): Promise<Pick<Sample, 'connections' | 'walMb'>> {
    if (!this.postgres) {
      const wal = join(this.fleet.dataDirectory, 'agent.sqlite-wal')
      const size = await stat(wal).then(
        (found) => found.size,
        () => 0,
      )
      return { connections: 0, walMb: size / MB }
    }
    const [row] = await this.postgres.query<{ connections: string; wal: string }>(
      sql`SELECT (SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections,
        (SELECT SUM(size) FROM pg_ls_waldir()) AS wal`,
    )
    return { connections: Number(row?.connections ?? 0), walMb: Number(row?.wal ?? 0) / MB }
  }
}

/** @throws AssertionError where it is more than their budget */
async function cachesOf(service: Service): Promise<number> {
  const metrics = await scrape(service)
  const caches = valueOf(metrics, 'vidimus_cache_bytes')
  assert.ok(caches <= valueOf(metrics, 'vidimus_cache_budget_bytes'), `caches have ${caches} bytes`)
  return caches
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

const filesOf = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length

/** For a table or a drawing. */
export function asCsv(samples: readonly Sample[]): string {
  const [first] = samples
  if (!first) return ''
  const columns = Object.keys(first) as (keyof Sample)[]
  const lines = samples.map((sample) => columns.map((column) => Number(sample[column].toFixed(2))).join(','))
  return `${[columns.join(','), ...lines].join('\n')}\n`
}
