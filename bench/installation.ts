import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Dialect } from '@vidimus/database'
import { createList } from '../test/behaviour/suite.js'
import { Client } from '../test/support/client.js'
import type { PostgresServer } from '../test/support/postgres-server.js'
import { Service } from '../test/support/service.js'

export interface InstallationSize {
  server: PostgresServer
  dialect: Dialect
  processes: number
  accounts: number
}

/** Processes of the service on one database. */
export interface Installation {
  dialect: Dialect
  services: Service[]
  client: Client
  /** API keys of accounts, each with lists of its own */
  callers: { apiKey: string; lists: { did: string; statusListName: string }[] }[]
}

/** Starts one for `work`, with a list in each of its accounts, and removes it afterwards. */
export async function onInstallation(
  { server, dialect, processes, accounts }: InstallationSize,
  work: (installation: Installation) => Promise<unknown>,
): Promise<void> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'vidimus-scale-'))
  const environment: Record<string, string> = {
    LOG_LEVEL: 'warn',
    ...(dialect === 'postgres' && { DATABASE_URL: await server.createDatabase() }),
  }
  const start = () =>
    Service.start({
      dataDirectory,
      environment,
      configure: (text) => text.replace(/requests: 600000/g, 'requests: 100000000'),
    })
  const first = await start()
  const services = [first]
  while (services.length < processes) services.push(await start())
  const client = await Client.of(first.url, first.apiKey)
  try {
    await work({ dialect, services, client, callers: await accountsWithLists(first, client, accounts) })
  } finally {
    await Promise.all(services.map((service) => service.stop()))
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

async function accountsWithLists(
  service: Service,
  client: Client,
  accounts: number,
): Promise<Installation['callers']> {
  const callers: Installation['callers'] = []
  for (let n = 0; n < accounts; n++) {
    const { apiKey } = await service.apiKeyOf(`account-${n}`)
    callers.push({ apiKey, lists: [await createList(client.as(apiKey))] })
  }
  return callers
}
