// The part of this package that commands need: loading the agent itself, with Veramo's core behind it, takes half as
// long again.
export {
  Configuration,
  loadConfiguration,
  type DescribedPart,
  type LoadOptions,
  type ObjectDescription,
} from './configuration.js'
export { ConfigurationError, type LocatedProblem } from './configuration-error.js'
export type { PartRole } from './configured-parts.js'
export type { InspectedPart, Inspection } from './inspection.js'
