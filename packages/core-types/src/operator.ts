import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type { AccountRows } from './account-rows.js'
import type { Finding, FindingLevel } from './diagnosis.js'
import type { Measurement } from './measurements.js'
import type { OperatedSessions } from './operated-sessions.js'
import { hasMethods } from './required-methods.js'
import type * as schemas from './schemas/index.js'

type Methods = typeof schemas.operatorMethods
type Returned<Method extends keyof Methods> = Promise<z.output<Methods[Method]['returns']>>
type Arguments<Method extends keyof Methods> = z.input<Methods[Method]['arguments']>

/** An account as operators see it. */
export type OperatedAccount = z.output<typeof schemas.OperatedAccount>

/** How the service is, as one process of it sees it. */
export type ServiceHealth = z.output<typeof schemas.ServiceHealth>

/**
 * What operators do beyond their own account. Each method checks the scope `operator` itself, whoever calls it; without a
 * caller, as for the service's own work, nothing is refused.
 *
 * Methods throw AgentError `forbidden`, `account_not_found`, `invalid_input` with every problem.
 */
export interface IOperator extends IPluginMethodMap {
  operatorAccountList(args?: Arguments<'operatorAccountList'>): Returned<'operatorAccountList'>
  /** The key in clear is returned this once. */
  operatorAccountCreate(args: Arguments<'operatorAccountCreate'>): Returned<'operatorAccountCreate'>
  /** Disabling again changes nothing. The caller's own account cannot be disabled. */
  operatorAccountDisable(args: { name: string }): Promise<OperatedAccount>
  operatorAccountEnable(args: { name: string }): Promise<OperatedAccount>
  operatorAccountContents(args: { name: string }): Returned<'operatorAccountContents'>
  /** May be repeated, which continues it. The caller's own account cannot be deleted. */
  operatorAccountDelete(args: { name: string }): Returned<'operatorAccountDelete'>
  operatorDeletionsContinue(args?: object): Promise<object>
  operatorSessionList(args?: Arguments<'operatorSessionList'>): Returned<'operatorSessionList'>
  /** Recorded in the trails of the operator and of the account of the session. Throws AgentError `session_not_found`. */
  operatorSessionEnd(args: { id: string }): Returned<'operatorSessionEnd'>
  operatorHealth(args?: object): Promise<ServiceHealth>
}

const SEVERITY: Readonly<Record<FindingLevel, number>> = { ok: 0, warn: 1, fail: 2 }

/** How bad it is altogether. */
export const worstLevel = (findings: readonly Finding[]): FindingLevel =>
  findings.reduce<FindingLevel>(
    (worst, { level }) => (SEVERITY[level] > SEVERITY[worst] ? level : worst),
    'ok',
  )

/** What a running service knows of itself as a whole, beyond what its parts know. */
export interface Installation {
  /** of every part of the service */
  readonly accountRows: readonly AccountRows[]
  readonly measurements: readonly Measurement[]
  /** absent: nobody can sign in to the console */
  readonly sessions: OperatedSessions | undefined
  readonly database: {
    readonly dialect: 'sqlite' | 'postgres'
    readonly isReadOnly: boolean
    readonly migrationNames: readonly string[]
    pendingMigrations(): Promise<readonly string[]>
  }
  readonly versions: ServiceHealth['versions']
  /** those of `vidimus doctor`; expensive */
  findings(): Promise<Finding[]>
}

/** An object of `agent.yml` that is told about the whole, before the service serves. */
export interface KnowsInstallation {
  useInstallation(installation: Installation): void
}

export const knowsInstallation = (value: unknown): value is KnowsInstallation =>
  hasMethods(value, 'useInstallation')
