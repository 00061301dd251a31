export {
  Configuration,
  loadConfiguration,
  type LoadOptions,
  type ObjectDescription,
} from './configuration.js'
export { ConfigurationError, type LocatedProblem } from './configuration-error.js'
export type { PartRole } from './configured-parts.js'
export { createAgentFromConfig } from './create-agent.js'
export type { InspectedPart, Inspection } from './inspection.js'
export { ServiceAgent } from './service-agent.js'
