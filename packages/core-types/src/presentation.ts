import type { IPluginMethodMap, VerifiableCredential, VerifiablePresentation } from '@veramo/core-types'
import type { Problem } from './errors.js'

/** Asks for an entry of a status list of the account; the index is taken before the credential is signed. */
export interface CredentialStatusRequest {
  statusListName: string
  /** who publishes the list; default: the issuer */
  did?: string
  /** left out: the one configured type that has a list of this name */
  listType?: string
  /** another name of `listType` */
  statusListType?: string
  /** left out: the purpose of the list, where it has one alone; several share one index */
  statusPurpose?: string | string[]
  /** left out: a free one that nobody can foretell; also as decimal text */
  statusListIndex?: number | string
}

/** A status entry as the credential is to carry it; its type says what else is in it. */
export interface CredentialStatusEntry {
  id?: string
  type: string
  [member: string]: unknown
}

export interface CredentialIssueArgs {
  /** the id of a configured format; default: the first */
  format?: string
  /** a DID that the account in scope holds */
  issuerDid: string
  subjectDid?: string
  /** claims about the subject */
  attributes: Record<string, unknown>
  /** beside the contexts that the data model demands */
  '@context'?: string[]
  /** beside `VerifiableCredential` */
  type?: string[]
  /** ISO 8601; default: now */
  validFrom?: string
  /** ISO 8601, in the future and after {@link validFrom} */
  validUntil?: string
  /** the name that the data model 1.1 has for {@link validUntil} */
  expirationDate?: string
  /** in one language or, as the data model 2.0 has it, in several */
  name?: unknown
  description?: unknown
  /** one or several, each with `id` and `type` */
  credentialSchema?: unknown
  /**
   * Where the status of the credential will stand: ready entries, as they are, and requests for new ones. What has a
   * `statusListName` is a request.
   */
  credentialStatus?:
    CredentialStatusRequest | CredentialStatusEntry | (CredentialStatusRequest | CredentialStatusEntry)[]
  termsOfUse?: unknown
  refreshService?: unknown
  evidence?: unknown
}

export interface PresentationCreateArgs {
  /** JWT strings, or JSON credentials with a JWT proof; at least one */
  credentials: (string | Record<string, unknown>)[]
  /** the id of a configured form of presentations; default: the first */
  format?: string
  /** a DID that the account in scope holds; left out: the subject of the credentials */
  holderDid?: string
  /** becomes `aud` */
  verifierDid?: string
  /** becomes `aud` as well: a verifier that has no DID, such as `https://verifier.example` */
  audience?: string
  /** what the verifier asked for, so that nobody can show it the same presentation again */
  nonce?: string
  /** how long the presentation is valid, as ISO 8601 has it; default `PT1H` */
  expiresIn?: string
}

/** Section 2.10 of the API contract, with the signed presentation beside it. */
export interface PresentationCreateResult {
  vp: {
    '@context': string[]
    type: string[]
    holder?: string
    /** texts, or, in the data model 2.0, objects */
    verifiableCredential: (string | Record<string, unknown>)[]
  }
  /** Unix time in seconds */
  nbf: number
  /** Unix time in seconds */
  exp: number
  iss: string
  aud: string[]
  nonce?: string
  proof: { type: 'JwtProof2020'; jwt: string }
}

/** One thing that was looked at while verifying, in the order of looking. */
export interface VerificationCheck {
  /** `format`, `document`, `signature`, `validity`, `status`; of presentations `audience`, `nonce`, `credentials`, `holder` */
  check: string
  ok: boolean
  message?: string
}

/** What one status entry of a credential says. */
export interface CredentialStatusFinding {
  /** type of the entry */
  type?: string
  /** left out for entries of types without purposes */
  purpose?: string
  /** DID URL or https address of the list */
  list?: string
  index?: number
  /** value of the entry */
  status?: number
  /** nothing speaks against the credential under this purpose */
  valid?: boolean
  revoked?: boolean
  suspended?: boolean
  message?: string
  /** why it could not be read */
  error?: string
}

/**
 * What the status entries of a credential must be: `default`, every one that there is must be good; `required`, there must also
 * be one for revocation; `skip`, none is read.
 */
export type StatusPolicy = 'default' | 'required' | 'skip'

export interface CredentialVerifyResult {
  verified: boolean
  issuer?: string
  subject?: string
  /** id of the verification method that signed */
  signer?: string
  /** in a presentation: whether it is about the holder; left out where it names no subject */
  holderIsSubject?: boolean
  /** the credential as its JWT says, never as the caller presented it */
  credential?: VerifiableCredential
  /** when it ends, by whichever of its members is the earliest; left out: never */
  validUntil?: string
  checks: VerificationCheck[]
  /** one for each of its status entries, in their order */
  statuses?: CredentialStatusFinding[]
  /** why it does not verify; absent when it does */
  problems?: Problem[]
}

export interface PresentationVerifyResult {
  verified: boolean
  holder?: string
  signer?: string
  presentation?: VerifiablePresentation
  checks: VerificationCheck[]
  /** one for each credential in the presentation, in its order */
  credentials: CredentialVerifyResult[]
  problems?: Problem[]
}

export interface CredentialVerifyArgs {
  /** JWT, or the credential as an object with its JWT proof */
  credential: string | Record<string, unknown>
  statusPolicy?: StatusPolicy
  /** pays to read encrypted status lists of others; default false, and then such a credential does not verify */
  makeFeePayment?: boolean
  /** the most that the call pays, in CHEQ; default: what the configuration allows */
  maxFee?: number
}

export interface PresentationVerifyArgs {
  presentation: string | Record<string, unknown>
  /**
   * must be in `aud`, as must be {@link audience}. Without either a presentation with an `aud` verifies only where
   * that is a DID which the account in scope holds
   */
  verifierDid?: string
  audience?: string
  /** must be the `nonce` of the presentation */
  nonce?: string
  /** a credential about somebody else than the holder makes it not verify; default false */
  requireHolderIsSubject?: boolean
  /** as for a credential */
  statusPolicy?: StatusPolicy
  makeFeePayment?: boolean
  /** of all credentials together */
  maxFee?: number
}

/** Credentials, in the formats that are configured. */
export interface ICredentials extends IPluginMethodMap {
  /**
   * @throws AgentError `did_not_found`, `key_not_found`, `invalid_input`, `did_not_resolvable`, `did_deactivated`, and
   * for the status as `statusListAllocate` and `statusListAdoptEntries`
   */
  credentialIssue(args: CredentialIssueArgs): Promise<VerifiableCredential>
  /** Never throws for a bad credential: the answer says what is wrong. */
  credentialVerify(args: CredentialVerifyArgs): Promise<CredentialVerifyResult>
}

/** Presentations of credentials, signed by their holders. */
export interface IPresentation extends IPluginMethodMap {
  /** @throws AgentError with the code of its first problem: `invalid_credential`, or as credentialIssue */
  presentationCreate(args: PresentationCreateArgs): Promise<PresentationCreateResult>
  /** Never throws for a bad presentation: the answer says what is wrong. */
  presentationVerify(args: PresentationVerifyArgs): Promise<PresentationVerifyResult>
}
