import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type { DIDHolding } from './did-holding.js'
import type * as schemas from './schemas/index.js'

export type StatusListAllocateArgs = z.output<typeof schemas.StatusListAllocateArgs>

export type StatusListAllocateOneArgs = z.output<typeof schemas.StatusListAllocateOneArgs>

/** An index that belongs to one credential from now on. */
export type StatusListAllocation = z.output<typeof schemas.StatusListAllocation>

/** The requests of one credential. */
export type StatusListAllocateTogetherArgs = z.output<typeof schemas.StatusListAllocateTogetherArgs> & {
  /** of its issuer, where whoever signs it has obtained one. Not for callers of other services. */
  holding?: DIDHolding
}

export type StatusListAllocationsTogether = z.output<typeof schemas.StatusListAllocationsTogether>

export type StatusListUpdateCredentialArgs = z.output<typeof schemas.StatusListUpdateCredentialArgs>

export type CredentialAction = NonNullable<StatusListUpdateCredentialArgs['statusAction']>

export type StatusListUpdateCredentialResult = z.output<typeof schemas.StatusListUpdateCredentialResult>

/** Status lists and the credentials that point into them. */
export interface IStatusListCredentials extends IPluginMethodMap {
  /**
   * Allocates an index of a list of the account for a credential, permanently.
   *
   * @throws AgentError `list_full`, `index_taken`, `index_out_of_range`, `purpose_mismatch`, `list_not_found`,
   *   `did_not_found`, `unknown_list_type`, `invalid_input` if the list or the purpose must be named
   */
  statusListAllocate(args: StatusListAllocateOneArgs): Promise<StatusListAllocation>
  /**
   * Allocates everything that one credential asks for, or nothing if something is refused: an index for each request,
   * and those that ready entries name in lists of the account, which no other credential gets from now on. Entries of
   * configured types must be readable; those of other types, and of lists elsewhere, are not checked.
   *
   * @throws AgentError as `statusListAllocate`, with a detail at or below `requests[n]` or `entries[n]` for each
   *   refusal, and the code of the first; `invalid_input` for a second request whose entry is for the member
   *   `status`, and for requests if the agent keeps no indices
   */
  statusListAllocateTogether(args: StatusListAllocateTogetherArgs): Promise<StatusListAllocationsTogether>
  /**
   * Updates the index that a credential names, in a list of the account: a presented one, or one of the register by
   * its id.
   *
   * @throws AgentError `invalid_credential` if it names none, `not_registered`, and as `statusListUpdate`
   */
  statusListUpdateCredential(args: StatusListUpdateCredentialArgs): Promise<StatusListUpdateCredentialResult>
}
