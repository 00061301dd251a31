import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Place } from './fresh-database.js'
import { PostgresServer } from './postgres-server.js'
import type { SharedConsole } from './shared-console.js'

let landlord: Server | undefined
let shared: Promise<PostgresServer> | undefined
let sharedConsole: Promise<SharedConsole> | undefined

/** Each is made when the first process asks for it, so a run without it does not wait for it. */
const KEPT: Readonly<Record<string, () => Promise<string>>> = {
  '/server': once(async () => String((await (shared = PostgresServer.startForAll())).port)),
  '/SQLite': once(() => installation('SQLite')),
  '/PostgreSQL': once(() => installation('PostgreSQL')),
  '/console': once(async () => {
    sharedConsole = import('./shared-console.js').then(({ SharedConsole }) => SharedConsole.start())
    return (await sharedConsole).facts
  }),
}

/** Loaded by whoever makes one alone. */
const installation = async (place: Place) => (await import('./fresh-database.js')).migratedInstallation(place)

function once(make: () => Promise<string>): () => Promise<string> {
  let made: Promise<string> | undefined
  return () => (made ??= make())
}

/**
 * Once for each run of mocha, before the processes that run the files: one PostgreSQL server serves them all, and a run that one
 * of their tests starts as well.
 */
export async function mochaGlobalSetup(): Promise<void> {
  if (PostgresServer.isAnnounced) return
  const server = createServer(({ url = '' }, response) => {
    const asked = KEPT[url]?.() ?? Promise.reject(new Error(`nobody keeps ${url}`))
    asked.then(
      (kept) => response.end(kept),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  landlord = server
  PostgresServer.announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

export async function mochaGlobalTeardown(): Promise<void> {
  landlord?.closeAllConnections()
  landlord?.close()
  await (await sharedConsole)?.stop()
  await (await shared)?.remove()
}
