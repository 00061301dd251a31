import { AgentError, isAgentError } from './errors.js'
import type { OpenTransaction } from './open-transaction.js'

/** By what a ledger knows a version of a document or a resource. */
export interface NamedVersion {
  kind: 'document' | 'deactivation' | 'resource'
  /** whose document, or whose resource */
  did: string
  /** of the version of the document, or of the resource */
  versionId: string
}

/**
 * What is recorded exactly if a version is made: that the work which asked for it is done. Recorded later, the work would be done again
 * after a crash, over what others have changed since. A version that several callers share records all of theirs, or is not made.
 */
export interface WithVersion {
  /** whose transactions it can be part of */
  readonly database: object
  /**
   * Runs in the transaction of the version, or of the stored change that a later version contains.
   *
   * @param version - absent: of a list that publishes at intervals
   * @throws OverdueWorkError if the work is no longer the caller's, which undoes the transaction
   */
  made(transaction: OpenTransaction, version?: NamedVersion): Promise<void>
  /**
   * Runs where no transaction spans the ledger, before it is asked: from then on the fate of the version decides whether the work is
   * done.
   *
   * @throws OverdueWorkError as `made` does
   */
  handedOver(transaction: OpenTransaction, version: NamedVersion): Promise<void>
}

/**
 * What must still be the case when something is handed over to a ledger: that no other process has taken the work over. Otherwise a
 * process that was frozen would, as soon as it wakes, make what another one has found not to have happened.
 */
export interface HandOver {
  /** whose transactions it can be part of */
  readonly database: object
  /**
   * Runs in the transaction that gives a message to the ledger. Nobody takes the work over before that has ended.
   *
   * @throws AgentError `version_conflict` if another process has, which undoes the transaction
   */
  demand(transaction: OpenTransaction): Promise<void>
}

/**
 * One that an agent's method can return: Veramo writes results as JSON, which a database is not.
 *
 * @param isOurs - as `HandOver.demand`: whether no other process has taken the work over
 */
export function handOverWithin(
  database: object,
  isOurs: (transaction: OpenTransaction) => Promise<boolean>,
): HandOver {
  const demand = async (transaction: OpenTransaction) => {
    if (!(await isOurs(transaction))) throw new AgentError('version_conflict', TAKEN_OVER)
  }
  return Object.defineProperty({ database: {}, demand }, 'database', { value: database, enumerable: false })
}

/** JSON cannot contain this member. */
const HAND_OVER = Symbol.for('vidimus: what must still be the case when a ledger gets this')

/** Arguments of an agent's method that hands something over to a ledger. */
export const withHandOver = <Args extends object>(args: Args, handOver: HandOver): Args =>
  Object.assign({ ...args }, { [HAND_OVER]: handOver })

/** What {@link withHandOver} has added. */
export const handOverOf = (args: object): { handOver?: HandOver } => {
  const handOver = (args as { [HAND_OVER]?: HandOver })[HAND_OVER]
  return handOver ? { handOver } : {}
}

const TAKEN_OVER = 'another process has taken over this work'

/** Work that another process has taken over, or finished: this one was considered dead. */
export class OverdueWorkError extends AgentError {
  constructor(readonly record: WithVersion) {
    super('version_conflict', TAKEN_OVER)
  }
}

/** The work that a version was refused for, if it was. */
export const overdueWork = (error: unknown): WithVersion | undefined =>
  isAgentError(error) && 'record' in error ? (error as OverdueWorkError).record : undefined
