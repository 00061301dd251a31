import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PostgresServer } from './postgres-server.js'

let landlord: Server | undefined
let shared: Promise<PostgresServer> | undefined

/**
 * Once for each run of mocha, before the processes that run the files: one PostgreSQL server serves them all. It starts when the
 * first of them asks for it, so a run without it does not wait for it.
 */
export async function mochaGlobalSetup(): Promise<void> {
  const server = createServer((_request, response) => {
    shared ??= PostgresServer.startForAll()
    shared.then(
      ({ port }) => response.end(String(port)),
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
  await (await shared)?.remove()
}
