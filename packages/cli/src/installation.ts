import { loadConfiguration, type Configuration } from '@vidimus/agent-config'
import type { Accounts, AuditLog } from '@vidimus/account-manager'
import { AgentError } from '@vidimus/core-types'
import { Option } from 'commander'
import { shellWord } from './shell-word.js'

const DEFAULT_FILE = 'agent.yml'

/** The option that every command has. */
export const configurationOption = () =>
  new Option('-c, --config <file>', 'configuration file').default(DEFAULT_FILE)

/** What a further command needs for the same installation: nothing for the default file. */
export const configurationArgument = (file: string): string =>
  file === DEFAULT_FILE ? '' : ` --config ${shellWord(file)}`

/**
 * Loads a configuration file; packages that it names are also found where this command line is installed.
 *
 * @throws ConfigurationError
 */
export const openConfiguration = (file: string): Promise<Configuration> =>
  loadConfiguration(file, { resolveFrom: [import.meta.url] })

/** Gives `work` the accounts of an installation, whether its service runs or not, and closes them again. */
export const withAccounts = <T>(file: string, work: (accounts: Accounts) => Promise<T>): Promise<T> =>
  withSection(file, { name: 'accounts', holds: 'where the accounts of the service are kept' }, work)

/** Gives `work` the audit trail of an installation, as {@link withAccounts} does. */
export const withAuditLog = <T>(file: string, work: (audit: AuditLog) => Promise<T>): Promise<T> =>
  withSection(file, { name: 'audit', holds: 'where what matters for security is written down' }, work)

async function withSection<Section, T>(
  file: string,
  { name, holds }: { name: string; holds: string },
  work: (section: Section) => Promise<T>,
): Promise<T> {
  const configuration = await openConfiguration(file)
  if (!configuration.has(`/${name}`)) {
    throw new AgentError('invalid_configuration', `${file} has no section "${name}", ${holds}`)
  }
  const [section] = await configuration.build(`/${name}`)
  try {
    await configuration.start()
    return await work(section as Section)
  } finally {
    await configuration.stop()
  }
}
