import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { CheqdSetup } from '../../support/cheqd-setup.js'
import { FaultProxy } from '../../support/fault-proxy.js'
import { PostgresServer } from '../../support/postgres-server.js'
import { SmallDisk } from '../../support/small-disk.js'
import { withFleet, type Fleet, type FleetOptions } from '../fleet.js'
import type { FaultyGround } from './faults.js'
import { PublishedFolder } from './published.js'

export type Engine = 'sqlite' | 'postgres'

/** Of the disk of SQLite, which is filled at times. */
const MEGABYTES = 256
/** Much less than that of the networks, so that callers do more in the same time. */
const BLOCK_MS = 200

export interface EngineOptions {
  processes: number
  configure: (text: string) => string
  /** DIDs and resources are written to a network, not to the embedded ledger */
  onNetwork: boolean
}

/** A fleet on a new database, whose disk, server, connections, clocks and network can fail. */
export async function withEngine<T>(
  engine: Engine,
  { processes, configure, onNetwork }: EngineOptions,
  work: (fleet: Fleet, ground: FaultyGround) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-model-'))
  const clock = join(folder, 'offset')
  const setClock = (offset: number) => writeFile(clock, String(offset))
  await setClock(0)
  const preloaded = join(import.meta.dirname, '../../support/shifted-clock.mjs')
  const published = new PublishedFolder(join(folder, 'published'))
  const network = onNetwork ? await CheqdSetup.start({}, BLOCK_MS) : undefined
  const environment = {
    ...network?.environment,
    NODE_OPTIONS: `--import=${preloaded}`,
    CLOCK_OFFSET_FILE: clock,
    VIDIMUS_PUBLISH_DIRECTORY: published.folder,
  }
  const options = { processes, configure: (text: string) => configure(network?.configure(text) ?? text) }
  const on = engine === 'sqlite' ? onSmallDisk : onServer
  try {
    return await on((place, ground) =>
      withFleet({ ...options, ...place, environment }, (fleet) =>
        work(fleet, { ...ground, published, setClock }),
      ),
    )
  } finally {
    await network?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

type Place = Pick<FleetOptions, 'databaseUrl' | 'dataDirectory'>
type On = <T>(
  work: (place: Place, ground: Omit<FaultyGround, 'node' | 'published' | 'setClock'>) => Promise<T>,
) => Promise<T>

/** Where this machine lets nobody mount one, SQLite has a folder like any other. */
const onSmallDisk: On = async (work) => {
  if ((await SmallDisk.obstacle()) !== undefined) return work({}, {})
  const disk = await SmallDisk.mount(MEGABYTES)
  try {
    return await work({ dataDirectory: disk.folder }, { disk })
  } finally {
    await disk.unmount()
  }
}

/** PostgreSQL on a server of its own, behind a proxy. */
const onServer: On = async (work) => {
  const server = await PostgresServer.start()
  const proxy = await FaultProxy.inFrontOf(server.port)
  try {
    const name = new URL(await server.createDatabase()).pathname.slice(1)
    const database = {
      proxy,
      terminate: () => server.terminateSessions(name),
      restart: async (awayMs: number) => {
        await server.stop()
        await setTimeout(awayMs)
        await server.restart()
      },
    }
    return await work({ databaseUrl: server.urlOf(name, proxy.port) }, { database })
  } finally {
    await proxy.close()
    await server.remove()
  }
}
