import { CheqdSetup } from '../support/cheqd-setup.js'
import { Client } from '../support/client.js'
import { emptyInstallation } from '../support/fresh-database.js'
import { Service, type ServiceOptions } from '../support/service.js'
import { everySuite } from './service-suites.js'
import type { Setup, TestNetworks } from './suite.js'

type SetupOptions = ServiceOptions & { copies?: number; networks?: TestNetworks }

/** The differences are in `agent.yml` and in the environment; {@link BEHAVIOURS} says what runs on which. */
export const SET_UPS = {
  SQLite: async () => ({}),
  PostgreSQL: () => onPostgres(),
  'SQLite, kms-local, cheqd networks': async () => {
    const { configure, ...others } = await onCheqd()
    return { ...others, configure: (text: string) => withLocalKms(configure(text)) }
  },
  'PostgreSQL, two processes that take turns': async () => ({ ...(await onPostgres()), copies: 1 }),
  'PostgreSQL, cheqd networks, three processes that take turns': async () => ({
    ...(await onCheqd(await onPostgres())),
    copies: 2,
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
  environment: { DATABASE_URL: await emptyInstallation('PostgreSQL') },
})

/** Describes the service on a set-up, with the tests that `suites` registers; with SET_UPS=all with all there are. */
export function describeService(name: keyof typeof SET_UPS, suites: (setup: Setup) => void): void {
  describeOn(name, SET_UPS[name], process.env.SET_UPS === 'all' ? (setup) => everySuite(setup) : suites)
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
