import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client } from '../support/client.js'
import { emptyInstallation } from '../support/fresh-database.js'
import { Service, type ServiceOptions } from '../support/service.js'

export interface FleetOptions extends Omit<ServiceOptions, 'dataDirectory'> {
  processes: number
  /** of a new database; left out: SQLite in the data directory of the fleet */
  databaseUrl?: string
  /** kept after the end, as it is somebody else's */
  dataDirectory?: string
}

/** One process of a {@link Fleet}; it keeps its address when it is started again. */
export interface Member {
  readonly port: number
  readonly client: Client
  service: Service
}

/** Several processes of the service on one database. */
export class Fleet {
  private constructor(
    readonly members: Member[],
    readonly dataDirectory: string,
    /** of account `default` */
    readonly apiKey: string,
    private readonly options: FleetOptions,
  ) {}

  static async start(options: FleetOptions): Promise<Fleet> {
    const dataDirectory = options.dataDirectory ?? (await mkdtemp(join(tmpdir(), 'vidimus-trials-')))
    const ports = await Promise.all(Array.from({ length: options.processes }, freePort))
    const [first = assert.fail('a fleet has processes'), ...others] = ports
    // The first one makes the tables, the secret and the API key.
    const service = await startOn(first, dataDirectory, options)
    const apiKey = service.apiKey ?? assert.fail('the database is not a new one')
    const client = await Client.of(service.url, apiKey)
    const fleet = new Fleet([{ port: first, client, service }], dataDirectory, apiKey, options)
    fleet.members.push(...(await Promise.all(others.map((port) => fleet.startAnother(port)))))
    return fleet
  }

  private async startAnother(port: number): Promise<Member> {
    const service = await startOn(port, this.dataDirectory, this.options)
    return { port, client: await Client.of(service.url, this.apiKey), service }
  }

  /** So many of its processes, all of which run. */
  async part(processes: number): Promise<Fleet> {
    const missing = Array.from({ length: Math.max(0, processes - this.size) }, freePort)
    const ended = this.members.filter(({ service }) => !service.running)
    await Promise.all(ended.map((member) => this.restart(member)))
    this.members.push(...(await Promise.all(missing.map(async (port) => this.startAnother(await port)))))
    return new Fleet(this.members.slice(0, processes), this.dataDirectory, this.apiKey, this.options)
  }

  get size(): number {
    return this.members.length
  }

  /** Turns around: every number has a process. */
  member(n: number): Member {
    return this.members[n % this.size] ?? assert.fail('a fleet has processes')
  }

  client(n = 0): Client {
    return this.member(n).client
  }

  /** Starts a process that has ended, at its old address. */
  async restart(member: Member): Promise<void> {
    member.service = await startOn(member.port, this.dataDirectory, this.options)
  }

  async kill(member: Member): Promise<void> {
    await member.service.kill()
  }

  /** Ends them all at once, and starts one: what any of them had left half-done is nobody's work any more. */
  async recover(): Promise<void> {
    await Promise.all(this.members.map(({ service }) => service.kill()))
    await this.restart(this.member(0))
  }

  /** What `openDatabase` opens. */
  get installation(): { dataDirectory: string; databaseUrl: string | null } {
    return { dataDirectory: this.dataDirectory, databaseUrl: this.options.databaseUrl ?? null }
  }

  /** Everything that the processes wrote, for a message about what went wrong. */
  get log(): string {
    return this.members.map(({ service }) => service.log).join('\n')
  }

  /** @returns the exit codes */
  async stop(): Promise<(number | null)[]> {
    const codes = await Promise.all(this.members.map(({ service }) => service.stop()))
    if (this.options.dataDirectory === undefined)
      await rm(this.dataDirectory, { recursive: true, force: true })
    return codes
  }
}

/** Gives a fleet to the work, and stops it whatever comes of that; one that failed may not be able to stop by itself. */
export async function withFleet<T>(options: FleetOptions, work: (fleet: Fleet) => Promise<T>): Promise<T> {
  return withStarted(await Fleet.start(options), work)
}

let shared: { fleet?: Fleet } | undefined

/** From now on trials that need PostgreSQL and nothing else take over the processes of each other, with what they left. */
export function shareFleet(): void {
  shared = {}
}

export async function endSharedFleet(): Promise<void> {
  await shared?.fleet?.stop()
  shared = undefined
}

/** As {@link withFleet}, of the default configuration on PostgreSQL; others may have been at it before. */
export async function withAnyFleet<T>(processes: number, work: (fleet: Fleet) => Promise<T>): Promise<T> {
  const fleet =
    shared?.fleet ?? (await Fleet.start({ processes, databaseUrl: await emptyInstallation('PostgreSQL') }))
  if (!shared) return withStarted(fleet, work)
  // One that fails leaves nothing to the next.
  delete shared.fleet
  const part = await fleet.part(processes)
  try {
    const result = await work(part)
    shared.fleet = fleet
    return result
  } catch (error) {
    await Promise.all(fleet.members.map((member) => fleet.kill(member)))
    await fleet.stop()
    throw error
  }
}

/** As {@link withAnyFleet}, on SQLite, where processes are not shared. */
export const withSqliteFleet: typeof withAnyFleet = (processes, work) => withFleet({ processes }, work)

/** As {@link withFleet}, with one that runs. */
export async function withStarted<T>(fleet: Fleet, work: (fleet: Fleet) => Promise<T>): Promise<T> {
  try {
    return await work(fleet)
  } catch (error) {
    await Promise.all(fleet.members.map((member) => fleet.kill(member)))
    throw error
  } finally {
    await fleet.stop()
  }
}

/** @returns how long it took until every process said so, in milliseconds */
export async function untilReady(fleet: Fleet, ready: boolean, mostMs: number): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const states = await Promise.all(fleet.members.map(({ service }) => isReady(service.url)))
    const took = performance.now() - startedAt
    if (states.every((state) => state === ready)) return Math.round(took)
    assert.ok(took < mostMs, `readiness did not turn ${ready} within ${mostMs} ms: ${states.join(', ')}`)
    await setTimeout(100)
  }
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/health/ready`)
  await response.arrayBuffer()
  return response.status === 200
}

const startOn = (port: number, dataDirectory: string, options: FleetOptions): Promise<Service> =>
  Service.start({
    ...options,
    dataDirectory,
    environment: {
      LOG_LEVEL: 'error',
      ...options.environment,
      ...(options.databaseUrl !== undefined && { DATABASE_URL: options.databaseUrl }),
      PORT: String(port),
    },
  })

/** Below those that the system gives to connections, so that it is still free when the process is started again. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const server = createServer()
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      server.close()
      await once(server, 'close')
      return port
    } catch {
      // somebody else's
    }
  }
}
