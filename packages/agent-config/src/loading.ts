// What commands need of this package: the agent itself, with Veramo's core behind it, is half as much again to load.
export {
  Configuration,
  loadConfiguration,
  type LoadOptions,
  type ObjectDescription,
} from './configuration.js'
export { ConfigurationError, type LocatedProblem } from './configuration-error.js'
export type { PartRole } from './configured-parts.js'
export type { InspectedPart, Inspection } from './inspection.js'
