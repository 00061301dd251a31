import { CheqdSetup } from '../support/cheqd-setup.js'
import { Client } from '../support/client.js'
import { PostgresServer } from '../support/postgres-server.js'
import { Service, type ServiceOptions } from '../support/service.js'
import type { Setup, TestNetworks } from './suite.js'

type SetupOptions = ServiceOptions & { copies?: number; networks?: TestNetworks }

/**
 * The same behaviour in every set-up: the differences are in `agent.yml` and in the environment. They cover each database with each
 * kind of ledger; one has another KMS, and those with a server have several processes.
 */
export const SET_UPS = {
  'SQLite, kms-node': async () => ({}),
  'SQLite, kms-local, cheqd networks': async () => {
    const { configure, ...others } = await onCheqd()
    return { ...others, configure: (text: string) => withLocalKms(configure(text)) }
  },
  'PostgreSQL, three processes that take turns': async () => ({ ...(await onPostgres()), copies: 2 }),
  'PostgreSQL, cheqd networks, two processes that take turns': async () => ({
    ...(await onCheqd(await onPostgres())),
    copies: 1,
  }),
} satisfies Record<string, () => Promise<SetupOptions>>

const withLocalKms = (text: string) =>
  text.replace("'@vidimus/kms-node#NodeKeyManagementSystem'", "'@veramo/kms-local#KeyManagementSystem'")

/** The ledgers are networks with nodes, as the public ones are. */
async function onCheqd({ environment }: ServiceOptions = {}) {
  const networks = await CheqdSetup.start()
  return {
    configure: networks.configure,
    environment: { ...environment, ...networks.environment },
    networks,
  }
}

const onPostgres = async (): Promise<ServiceOptions> => ({
  environment: { DATABASE_URL: await (await PostgresServer.shared()).createDatabase() },
})

/** Describes the service on a set-up, with the tests that `suites` registers. */
export function describeService(name: keyof typeof SET_UPS, suites: (setup: Setup) => void): void {
  describeOn(name, SET_UPS[name], suites)
}

/** The same on another set-up. */
export function describeOn(
  name: string,
  setUp: () => Promise<SetupOptions>,
  suites: (setup: Setup) => void,
): void {
  describe(`the service (${name})`, () => {
    let service: Service
    let client: Client
    let stranger: Client
    let copies: Service[]
    let networks: TestNetworks | undefined
    before(async () => {
      const { copies: more = 0, networks: started, ...one } = await setUp()
      networks = started
      service = await Service.start(one)
      // The secret lies in the data directory of the first.
      const { dataDirectory } = service
      copies = await Promise.all(Array.from({ length: more }, () => Service.start({ ...one, dataDirectory })))
      const urls = copies.map(({ url }) => url)
      client = await Client.of(service.url, service.apiKey, urls)
      stranger = client.as((await service.apiKeyOf('stranger')).apiKey)
    })
    after(async () => {
      await Promise.all(copies.map((copy) => copy.stop()))
      await service.stop()
      await networks?.stop()
    })

    suites({
      service: () => service,
      client: () => client,
      stranger: () => stranger,
      networks: () => networks,
    })
  })
}
