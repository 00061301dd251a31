import { hasMethods, type AnyAgent } from '@vidimus/core-types'
import { loadConfiguration, type LoadOptions } from './configuration.js'
import { ConfigurationError } from './configuration-error.js'
import { fileLabel } from './source-text.js'

/**
 * Builds and starts the agent of a configuration file. If it must be stopped again, use `loadConfiguration`, whose
 * `build('/agent')` gives the same agent.
 *
 * @throws ConfigurationError
 */
export async function createAgentFromConfig(file: string, options: LoadOptions = {}): Promise<AnyAgent> {
  const configuration = await loadConfiguration(file, options)
  const [agent] = await configuration.build('/agent')
  if (!isAgent(agent)) {
    const message = 'this is not an agent: it has no method "execute"'
    throw new ConfigurationError([{ file: fileLabel(configuration.file), path: 'agent', message }])
  }
  await configuration.start()
  return agent
}

const isAgent = (value: unknown): value is AnyAgent => hasMethods(value, 'execute')
