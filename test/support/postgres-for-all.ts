import { PostgresServer } from './postgres-server.js'

let server: PostgresServer | undefined

/** Before the processes are started that run the tests side by side: one server serves them all. */
export async function mochaGlobalSetup(): Promise<void> {
  server = await PostgresServer.start()
  server.announce()
}

export async function mochaGlobalTeardown(): Promise<void> {
  await server?.remove()
}
