import type { TAgent } from '@veramo/core-types'
import type { Finding } from './diagnosis.js'

/** What a health check found. */
export interface CheckResult {
  /** short and stable, for example `database` or `ledger:testnet` */
  name: string
  ok: boolean
  /** one sentence for the operator, without secrets and internal addresses */
  message?: string
  /** what is wrong keeps nothing that reads from working: the service is ready all the same */
  warning?: true
  /** of a ledger: what is on it exists in this installation alone */
  local?: true
}

/**
 * What an object of `agent.yml` may do beside its work. `agent-config` looks for the property `lifecycle` on every
 * object that it built: `start` runs in the order of building, `stop` in the opposite one.
 */
export interface Lifecycle {
  /** Opens what is needed; a failure ends the start of the whole agent. */
  start?(): Promise<void>
  /** Finishes accepted work and closes what `start` opened. Called once. */
  stop?(): Promise<void>
  /** Cheap look at whether it can do its work now. Never throws for a failing check. */
  check?(): Promise<CheckResult[]>
  /**
   * Thorough look for an operator, by `vidimus doctor`; without it the findings are those of `check`. Only the database is
   * open then, nothing else was started, and nothing may be changed.
   */
  diagnose?(): Promise<Finding[]>
}

/** An object that takes part in starting, stopping and health checks. */
export interface HasLifecycle {
  readonly lifecycle: Lifecycle
}

/** Any configured agent, seen without the types of its plugins. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- Veramo's own constraint for "some plugin map"
export type AnyAgent = TAgent<any>
