import { FaultProxy } from '../../support/fault-proxy.js'
import { PostgresServer } from '../../support/postgres-server.js'
import { setTimeout } from 'node:timers/promises'
import type { FaultyDatabase } from './faults.js'

export type Engine = 'sqlite' | 'postgres'

/** A new database; one on PostgreSQL is on a server of its own, behind a proxy. */
export async function withDatabase<T>(
  engine: Engine,
  work: (url: string | undefined, database: FaultyDatabase | undefined) => Promise<T>,
): Promise<T> {
  if (engine === 'sqlite') return work(undefined, undefined)
  const server = await PostgresServer.start()
  const proxy = await FaultProxy.inFrontOf(server.port)
  try {
    const name = new URL(await server.createDatabase()).pathname.slice(1)
    return await work(server.urlOf(name, proxy.port), {
      proxy,
      terminate: () => server.terminateSessions(name),
      restart: async (awayMs) => {
        await server.stop()
        await setTimeout(awayMs)
        await server.restart()
      },
    })
  } finally {
    await proxy.close()
    await server.remove()
  }
}
