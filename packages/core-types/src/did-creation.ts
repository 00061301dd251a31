import type { IIdentifier, IPluginMethodMap } from '@veramo/core-types'

/**
 * The seam between a provider of DIDs that writes to a ledger and the stores of the account: no transaction spans
 * both, so the intent is made durable before the ledger is touched.
 */
export interface IDIDCreation extends IPluginMethodMap {
  /**
   * Makes the keys of the DID and the intent to create it durable. A provider calls it right before it submits a new
   * DID to a ledger. When the creation fails, the keys go with it; when the process dies, another one asks the resolver
   * whether the DID exists, and completes or undoes the creation.
   *
   * @throws AgentError `alias_taken`, `did_taken`, `unavailable`
   */
  didCreationRecord(args: { identifier: Omit<IIdentifier, 'provider'> }): Promise<void>
}
