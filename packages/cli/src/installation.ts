import type { Configuration, LoadOptions } from '@vidimus/agent-config/loading'
import type { Events } from '@vidimus/account-events'
import type { Accounts, AuditLog } from '@vidimus/accounts'
import {
  AgentError,
  type AccountRows,
  type AnyAgent,
  type AuditTrail,
  type HasAccountRows,
  type HasSealedStores,
  isAuditTrail,
  type OperatedSessions,
  type SealedStore,
} from '@vidimus/core-types'
import type { CountsStored, Database, HasCountsStored } from '@vidimus/database'
import type { Publication } from '@vidimus/publication'
import { Option } from 'commander'
import { expectDatabase } from './lost-database.js'
import { shellWord } from './shell-word.js'

const DEFAULT_FILE = 'agent.yml'

type Environment = LoadOptions['environment']

/** The option that every command has. */
export const configurationOption = () =>
  new Option('-c, --config <file>', 'configuration file').default(DEFAULT_FILE)

/** Of the commands that a standby serves as well. */
export const readOnlyOption = () =>
  new Option('--read-only', 'change nothing; allows a PostgreSQL standby as the database')

/** Of the commands that begin a database. */
export const newDatabaseOption = () =>
  new Option('--new-database', 'start with an empty database although a secret of an earlier one exists')

/** Whether it is the file that commands use unless they are told otherwise. */
export const isDefaultFile = (file: string): boolean => file === DEFAULT_FILE

/** The options that a further command needs for the same installation: none for the default file. */
export const configurationArgument = (file: string): string =>
  isDefaultFile(file) ? '' : ` --config ${shellWord(file)}`

/**
 * Loads a configuration file; packages that it names are also resolved where this command line is installed.
 *
 * @throws ConfigurationError
 */
export async function openConfiguration(file: string, environment?: Environment): Promise<Configuration> {
  // Loaded here: help and command-line errors do not wait for it.
  const { loadConfiguration } = await import('@vidimus/agent-config/loading')
  return loadConfiguration(file, { resolveFrom: [import.meta.url], ...(environment && { environment }) })
}

/** Explanations of sections, shown if one is missing. */
const PURPOSES = {
  accounts: 'where the accounts of the service are kept',
  audit: 'where what matters for security is written down',
  events: 'where the events of accounts are kept',
  login: 'which names identity providers',
}

/**
 * Passes the accounts of an installation to `work`, whether its service runs or not, and closes them again.
 *
 * @param environment - default: that of the process
 */
export const withAccounts = <T>(
  file: string,
  work: (accounts: Accounts) => Promise<T>,
  environment?: Environment,
): Promise<T> => withSection('accounts', file, work, environment)

/** Gives `work` the audit trail of an installation, as {@link withAccounts} does. */
export const withAuditLog = <T>(
  file: string,
  work: (audit: AuditLog) => Promise<T>,
  environment?: Environment,
): Promise<T> => withSection('audit', file, work, environment)

/** Gives `work` the events and webhooks of an installation, as {@link withAccounts} does. */
export const withEvents = <T>(file: string, work: (events: Events) => Promise<T>): Promise<T> =>
  withSection('events', file, work)

/** Gives `work` the sessions of the console of an installation, as {@link withAccounts} does. */
export const withSessions = <T>(file: string, work: (sessions: OperatedSessions) => Promise<T>): Promise<T> =>
  withSection('login', file, (login: { operatedSessions?: OperatedSessions }) => {
    if (login.operatedSessions) return work(login.operatedSessions)
    throw new AgentError(
      'invalid_configuration',
      'nobody can sign in to the console: no provider has a clientId',
    )
  })

/**
 * Passes the publication of an installation to `work`, whether its service runs or not. Nothing else of the service
 * is started.
 */
export async function withPublication<T>(
  file: string,
  work: (publication: Publication) => Promise<T>,
): Promise<T> {
  const configuration = await openConfiguration(file)
  if (!configuration.has('/publication')) {
    const purpose = 'where what is published is written for others to serve'
    throw new AgentError('invalid_configuration', `${file} has no section "publication", ${purpose}`)
  }
  const sections = ['/publication', '/database', '/server']
  const [publication, database] = (await configuration.build(...sections)) as [Publication, Database]
  await expectDatabase(configuration, () => openConfiguration(file))
  try {
    await configuration.start([database])
    return await work(publication)
  } finally {
    await configuration.stop()
  }
}

async function withSection<Section, T>(
  name: keyof typeof PURPOSES,
  file: string,
  work: (section: Section) => Promise<T>,
  environment?: Environment,
): Promise<T> {
  const configuration = await openConfiguration(file, environment)
  if (!configuration.has(`/${name}`)) {
    throw new AgentError('invalid_configuration', `${file} has no section "${name}", ${PURPOSES[name]}`)
  }
  const again = () => openConfiguration(file, environment)
  return whileStarted<[Section], T>(configuration, [name], ([section]) => work(section), again)
}

/**
 * Passes sections of a configuration to `work`, started with everything that they need, and stops it all again.
 *
 * @param again - opens the same configuration, to tell whether its database was lost; `undefined`: it may be empty
 */
export async function whileStarted<Sections extends unknown[], T>(
  configuration: Configuration,
  sections: readonly string[],
  work: (sections: Sections) => Promise<T>,
  again: (() => Promise<Configuration>) | undefined,
): Promise<T> {
  const built = (await configuration.build(...sections.map((name) => `/${name}`))) as Sections
  if (again) await expectDatabase(configuration, again)
  try {
    await configuration.start()
    return await work(built)
  } finally {
    await configuration.stop()
  }
}

/**
 * Passes the agent of an installation with everything it needs to `work`, whether its service runs or not, and closes
 * it again.
 */
export async function withAgent<T>(
  file: string,
  work: (parts: { agent: AnyAgent; accounts: Accounts }) => Promise<T>,
): Promise<T> {
  const configuration = await openConfiguration(file)
  mustHaveDatabase(configuration, file)
  return whileStarted<[AnyAgent, Accounts], T>(
    configuration,
    ['agent', 'accounts'],
    ([agent, accounts]) => work({ agent, accounts }),
    () => openConfiguration(file),
  )
}

/**
 * Gives `work` the database of an installation, not yet started, and closes it again.
 *
 * @param options - `newDatabase`: it may be empty, whatever the secret says about an earlier one
 */
export async function withDatabase<T>(
  file: string,
  work: (database: Database) => Promise<T>,
  { newDatabase = false }: { newDatabase?: boolean } = {},
): Promise<T> {
  const configuration = await openConfiguration(file)
  mustHaveDatabase(configuration, file)
  const [database] = (await configuration.build('/database')) as [Database]
  if (!newDatabase) await expectDatabase(configuration, () => openConfiguration(file))
  try {
    return await work(database)
  } finally {
    await database.lifecycle.stop()
  }
}

function mustHaveDatabase(configuration: Configuration, file: string): void {
  if (configuration.has('/database')) return
  throw new AgentError('invalid_configuration', `${file} has no section "database"`)
}

/** The objects that keep sealed texts in an installation. */
export interface SealedInstallation {
  database: Database
  stores: readonly SealedStore[]
  /** absent if the configuration has none */
  audit?: AuditTrail | undefined
}

/**
 * Passes everything that keeps sealed texts in an installation to `work`, whether its service runs or not, and closes
 * it again. Nothing else of the service is started.
 */
export const withSealedStores = <T>(
  file: string,
  work: (installation: SealedInstallation) => Promise<T>,
): Promise<T> =>
  withParts(file, async ({ configuration, database, holders }) => {
    await expectDatabase(configuration, () => openConfiguration(file))
    await configuration.start([database, ...holders])
    return work({
      database,
      stores: sealedStores(holders),
      audit: configuration.objects.find(isAuditTrail),
    })
  })

/** What deleting an account needs. */
export interface AccountHolders {
  accounts: Accounts
  /** without those of the accounts themselves */
  rows: readonly AccountRows[]
  /** absent if the configuration has none; its parts are not started */
  agent: AnyAgent | undefined
}

/** Passes everything that keeps rows of accounts to `work`, whether the service runs or not, and closes it again. */
export const withAccountRows = <T>(
  file: string,
  work: (holders: AccountHolders) => Promise<T>,
  environment?: Environment,
): Promise<T> =>
  withParts(
    file,
    async ({ configuration, database }) => {
      await expectDatabase(configuration, () => openConfiguration(file, environment))
      const [accounts] = (await configuration.build('/accounts')) as [Accounts]
      const [agent] = configuration.has('/agent') ? ((await configuration.build('/agent')) as [AnyAgent]) : []
      await configuration.start([database])
      const others = configuration.objects.filter((holder) => holder !== accounts)
      return work({ accounts, agent, rows: accountRowsOf(others) })
    },
    environment,
  )

/** The rows of accounts that some objects of a configuration keep. */
export const accountRowsOf = (objects: readonly unknown[]): AccountRows[] =>
  objects.filter(hasAccountRows).flatMap(({ accountRows }) => accountRows)

const hasAccountRows = (value: unknown): value is HasAccountRows =>
  typeof value === 'object' && value !== null && 'accountRows' in value && Array.isArray(value.accountRows)

/** As {@link withSealedStores}, but nothing is started: `work` starts the database, and nothing else may be. */
export const withClosedDatabase = <T>(
  file: string,
  work: (installation: SealedInstallation) => Promise<T>,
): Promise<T> =>
  withParts(file, async ({ database, holders }) => {
    try {
      return await work({ database, stores: sealedStores(holders) })
    } finally {
      await database.lifecycle.stop()
    }
  })

/** Passes all that a configuration names to `work`, which starts of it what it needs, and closes it again. */
export async function withParts<T>(
  file: string,
  work: (parts: {
    configuration: Configuration
    database: Database
    holders: readonly HasSealedStores[]
  }) => Promise<T>,
  environment?: Environment,
): Promise<T> {
  const configuration = await openConfiguration(file, environment)
  mustHaveDatabase(configuration, file)
  const [database] = (await configuration.build('/database', ...configuration.sections)) as [Database]
  try {
    return await work({ configuration, database, holders: configuration.objects.filter(hasSealedStores) })
  } finally {
    await configuration.stop()
  }
}

export const sealedStores = (holders: readonly HasSealedStores[]) =>
  holders.flatMap(({ sealedStores }) => sealedStores)

export const hasSealedStores = (value: unknown): value is HasSealedStores =>
  typeof value === 'object' && value !== null && 'sealedStores' in value && Array.isArray(value.sealedStores)

/** Everything that can recount its tallies. */
export const findCounters = (objects: readonly unknown[]): CountsStored[] =>
  objects.filter(hasCountsStored).flatMap(({ countsStored }) => countsStored ?? [])

const hasCountsStored = (value: unknown): value is HasCountsStored =>
  typeof value === 'object' && value !== null && 'countsStored' in value

/** Gives `work` the database of an installation, and what counts its rows, as {@link withSealedStores} does. */
export const withCounters = <T>(
  file: string,
  work: (database: Database, counters: readonly CountsStored[]) => Promise<T>,
): Promise<T> =>
  withParts(file, async ({ configuration, database }) => {
    await configuration.start([database])
    return work(database, findCounters(configuration.objects))
  })
