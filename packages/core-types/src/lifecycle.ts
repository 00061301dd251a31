import type { TAgent } from '@veramo/core-types'
import type { Finding } from './diagnosis.js'

/** The result of a health check. */
export interface CheckResult {
  /** short and stable, for example `database` or `ledger:testnet` */
  name: string
  ok: boolean
  /** one sentence for the operator, without secrets and internal addresses */
  message?: string
  /** the problem does not prevent reads: the service stays ready */
  warning?: true
  /** of a ledger: its content exists only in this installation */
  local?: true
}

/**
 * Optional hooks of an object of `agent.yml`. `agent-config` looks for the property `lifecycle` on every object that
 * it built: `start` runs in the order of building, `stop` in the opposite one.
 */
export interface Lifecycle {
  /** Opens what is needed; a failure aborts the start of the whole agent. */
  start?(): Promise<void>
  /** Finishes accepted work and closes what `start` opened. Called once. */
  stop?(): Promise<void>
  /** Cheap check whether it can work now. Never throws for a failing check. */
  check?(): Promise<CheckResult[]>
  /** Its check only warns, also when it does not answer. */
  checkWarns?: true
  /**
   * Thorough check for an operator, by `vidimus doctor`; without it the findings are those of `check`. Only the
   * database is open then, nothing else was started, and nothing may be changed.
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
