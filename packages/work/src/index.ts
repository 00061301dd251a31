export { workBaseline } from './baseline.js'
export type { HeldWork } from './held-work.js'
export type { RunningKind } from './running-kind.js'
export type { WorkActs } from './work-acts.js'
export type { WorkKind, WorkOutcome } from './work-kind.js'
export {
  deleteWork,
  NEVER,
  NEVER_AT,
  type NewWork,
  type Postponed,
  type WorkEnd,
  type WorkItem,
  type WorkKey,
} from './work-rows.js'
export { WorkPlugin, type WorkPluginOptions } from './work-plugin.js'
export { workOn, WorkOfAccounts, type Work } from './work.js'
