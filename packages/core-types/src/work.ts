import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

/** An item of work as its account sees it. */
export type ListedWork = z.output<typeof schemas.ListedWork>

/** The same for operators. */
export type OperatedWork = z.output<typeof schemas.OperatedWork>

type Methods = typeof schemas.workMethods
type Arguments<Method extends keyof Methods> = z.input<Methods[Method]['arguments']>
type Returned<Method extends keyof Methods> = Promise<z.output<Methods[Method]['returns']>>

/**
 * What waits: of the account in scope, and for operators of all accounts.
 *
 * Methods throw AgentError `invalid_input`, `work_not_found`, `not_possible` if the item or its kind does not allow it, and
 * `forbidden` without a right of the kind, or the scope `operator`.
 */
export interface IWork extends IPluginMethodMap {
  /** A page may be short, or empty, without being the last. */
  workList(args?: Arguments<'workList'>): Returned<'workList'>
  workChange(args: Arguments<'workChange'>): Returned<'workChange'>
  operatorWorkList(args?: Arguments<'operatorWorkList'>): Returned<'operatorWorkList'>
  operatorWorkChange(args: Arguments<'operatorWorkChange'>): Returned<'operatorWorkChange'>
}
