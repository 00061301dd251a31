import type { IPluginMethodMap, VerifiableCredential, VerifiablePresentation } from '@veramo/core-types'
import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

/** Asks for an entry of a status list of the account; the index is taken before the credential is signed. */
export type CredentialStatusRequest = z.output<typeof schemas.CredentialStatusRequest>

/** A status entry for the credential; its type defines its other members. */
export type CredentialStatusEntry = z.output<typeof schemas.CredentialStatusEntry>

export type CredentialIssueArgs = z.output<typeof schemas.CredentialIssueArgs>

export type CredentialSignArgs = z.output<typeof schemas.CredentialSignArgs>

export type SecuredCredential = z.output<typeof schemas.SecuredCredential>

export type CredentialVerifyArgs = z.output<typeof schemas.CredentialVerifyArgs>

/** The requirements on the status entries of a credential. */
export type StatusPolicy = NonNullable<CredentialVerifyArgs['statusPolicy']>

/** One thing that was looked at while verifying, in the order of looking. */
export type VerificationCheck = z.output<typeof schemas.VerificationCheck>

/** The result for one status entry of a credential. */
export type CredentialStatusFinding = z.output<typeof schemas.CredentialStatusFinding>

/** With the credential in Veramo's type, which owns it. */
export type CredentialVerifyResult = Omit<z.output<typeof schemas.CredentialVerifyResult>, 'credential'> & {
  credential?: VerifiableCredential
}

export type PresentationCreateArgs = z.output<schemas.PresentationCreateArgsSchema>

export type PresentationCreateResult = z.output<typeof schemas.PresentationCreateResult>

export type PresentationVerifyArgs = z.output<typeof schemas.PresentationVerifyArgs>

/** With the presentation in Veramo's type, which owns it. */
export type PresentationVerifyResult = Omit<
  z.output<typeof schemas.PresentationVerifyResult>,
  'presentation' | 'credentials'
> & { presentation?: VerifiablePresentation; credentials: CredentialVerifyResult[] }

/** Credentials, in the formats that are configured. */
export interface ICredentials extends IPluginMethodMap {
  /**
   * @throws AgentError `did_not_found`, `key_not_found`, `invalid_input`, `did_not_resolvable`, `did_deactivated`, and
   * for the status as `statusListAllocate` and `statusListAdoptEntries`
   */
  credentialIssue(args: CredentialIssueArgs): Promise<VerifiableCredential>
  /** @throws AgentError as `credentialIssue`, with details at `credential`, `credentialStatus` and `format` */
  credentialSign(args: CredentialSignArgs): Promise<SecuredCredential>
  /** Never throws for an invalid credential: the result states the reason. */
  credentialVerify(args: CredentialVerifyArgs): Promise<CredentialVerifyResult>
}

/** Presentations of credentials, signed by their holders. */
export interface IPresentation extends IPluginMethodMap {
  /** @throws AgentError with the code of its first problem: `invalid_credential`, or as credentialIssue */
  presentationCreate(args: PresentationCreateArgs): Promise<PresentationCreateResult>
  /** Never throws for an invalid presentation: the result states the reason. */
  presentationVerify(args: PresentationVerifyArgs): Promise<PresentationVerifyResult>
}
