import { CheqdSetup } from './support/cheqd-setup.js'
import { Client } from './support/client.js'
import { PostgresServer } from './support/postgres-server.js'
import { Service, type ServiceOptions } from './support/service.js'
import { apiKeySuite } from './shared/api-keys.js'
import { authenticationSuite } from './shared/authentication.js'
import { credentialStatusSuite } from './shared/credential-status.js'
import { encryptedListSuite } from './shared/encrypted-list.js'
import { deliveredListSuite } from './shared/delivered-list.js'
import { didCreateSuite } from './shared/did-create.js'
import { eventSuite } from './shared/events.js'
import { idempotencySuite } from './shared/idempotency.js'
import { identifierSuite } from './shared/identifiers.js'
import { isolationSuite } from './shared/isolation.js'
import { keySuite } from './shared/keys-and-import.js'
import { listingSuite } from './shared/listing.js'
import { lossSuite } from './shared/loss.js'
import { presentationSuite } from './shared/presentation.js'
import { publishedListSuite } from './shared/published-list.js'
import { rateLimitSuite } from './shared/rate-limits.js'
import { registrarSuite } from './shared/registrar.js'
import { requestSuite } from './shared/requests.js'
import { statusListSuite } from './shared/status-list.js'
import type { Setup } from './shared/suite.js'
import { tokenStatusListSuite } from './shared/token-status-list.js'

type SetupOptions = ServiceOptions & { copies?: number; networks?: CheqdSetup }

/**
 * The same behaviour on every set-up: what differs is in `agent.yml` and in the environment. They are each database with each
 * kind of ledger; one has another KMS, and those with a server have several processes.
 */
const SETUPS: Record<string, () => Promise<SetupOptions>> = {
  'SQLite, kms-node': async () => ({}),
  'SQLite, kms-local, cheqd networks': async () => {
    const { configure, ...others } = await onCheqd()
    return { ...others, configure: (text) => withLocalKms(configure(text)) }
  },
  'PostgreSQL, three processes that take turns': async () => ({ ...(await onPostgres()), copies: 2 }),
  'PostgreSQL, cheqd networks, two processes that take turns': async () => ({
    ...(await onCheqd(await onPostgres())),
    copies: 1,
  }),
}

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

for (const [name, options] of Object.entries(SETUPS)) {
  describe(`the service (${name})`, () => {
    let service: Service
    let client: Client
    let stranger: Client
    let copies: Service[]
    let networks: CheqdSetup | undefined
    before(async () => {
      const { copies: more = 0, networks: started, ...one } = await options()
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

    const setup: Setup = {
      service: () => service,
      client: () => client,
      stranger: () => stranger,
      networks: () => networks,
    }
    didCreateSuite(setup)
    keySuite(setup)
    statusListSuite(setup)
    presentationSuite(setup)
    requestSuite(setup)
    credentialStatusSuite(setup)
    describe('API keys', () => apiKeySuite(setup))
    describe('authentication', () => authenticationSuite(setup))
    describe('encrypted status lists', () => encryptedListSuite(setup))
    describe('a published list', () => publishedListSuite(setup))
    describe('a token status list', () => tokenStatusListSuite(setup))
    describe('resolution', () => identifierSuite(setup))
    describe('a delivered list', () => deliveredListSuite(setup))
    describe('listing', () => listingSuite(setup))
    describe('events', () => eventSuite(setup))
    describe('idempotency', () => idempotencySuite(setup))
    describe('the registrar', () => registrarSuite(setup))
    describe('isolation', () => isolationSuite(setup))
    describe('loss', () => lossSuite(setup))
  })
}

describe('the service with low limits', rateLimitSuite)
