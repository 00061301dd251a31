export {
  Configuration,
  loadConfiguration,
  type LoadOptions,
  type ObjectDescription,
} from './configuration.js'
export { ConfigurationError, type LocatedProblem } from './configuration-error.js'
export { createAgentFromConfig } from './create-agent.js'
export { ServiceAgent } from './service-agent.js'
