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

/** Work that another process has taken over, or finished: this one was considered dead. */
export class OverdueWorkError extends AgentError {
  constructor(readonly record: WithVersion) {
    super('version_conflict', 'another process has taken over this work')
  }
}

/** The work that a version was refused for, if it was. */
export const overdueWork = (error: unknown): WithVersion | undefined =>
  isAgentError(error) && 'record' in error ? (error as OverdueWorkError).record : undefined
