import type { ICheckCredentialStatusArgs, IPluginMethodMap } from '@veramo/core-types'
import type { CredentialStatusAnswer } from './credential-status.js'

/** Veramo's interface for the status of credentials, with a complete result. */
export interface ICredentialStatusCheck extends IPluginMethodMap {
  checkCredentialStatus(args: CredentialStatusCheckArgs): Promise<CredentialStatusAnswer>
}

export interface CredentialStatusCheckArgs extends ICheckCredentialStatusArgs {
  /** pays the fees of encrypted lists; default false: verifying costs nothing unless requested */
  makeFeePayment?: boolean
  /** the most that this call pays, in CHEQ */
  maxFee?: number
}
