import type {
  DIDDocument,
  IAgentContext,
  IDIDManager,
  IKeyManager,
  IResolver,
  VerifiableCredential,
  VerifiablePresentation,
} from '@veramo/core-types'
import type { IDIDHolding } from './did-holding.js'
import type { CredentialIssueArgs, CredentialStatusEntry, PresentationCreateResult } from './presentation.js'

/** When a credential or presentation is valid, in milliseconds since 1970; all of the limits count. */
export interface Validity {
  notBefore: number[]
  notAfter: number[]
}

/** Where the status of a new credential is. */
export interface NewCredentialStatus {
  credentialStatus?: CredentialStatusEntry | CredentialStatusEntry[]
  /** the claim of the IETF Token Status List */
  status?: Record<string, unknown>
  /** what `@context` must hold for them */
  contexts: string[]
}

/** A credential as it describes itself, not yet verified. */
export interface ReadCredential {
  issuer: string
  /** ids of the subjects; empty for a bearer credential */
  subjects: string[]
  validity: Validity
  /** in the shape of the data model, with its proof */
  credential: VerifiableCredential
  /** what was signed, as a presentation carries it */
  secured: string | Record<string, unknown>
}

/** A presentation as it describes itself, not yet verified. */
export interface ReadPresentation {
  holder: string
  /** whom it is for; empty: anybody */
  audience: string[]
  nonce?: unknown
  validity: Validity
  /** in the shape of the data model, with its proof */
  presentation: VerifiablePresentation
  /** as they appear in it, in any form */
  credentials: readonly unknown[]
}

/** What an agent needs for signing as one of its DIDs. */
export type SigningContext = IAgentContext<IDIDManager & IResolver & IKeyManager & IDIDHolding>

/** The dependencies of verifying, the same for everything within one call. */
export interface VerifyingContext {
  context: IAgentContext<IResolver>
  /**
   * Resolves each DID once.
   *
   * @throws AgentError `did_not_resolvable`, `did_deactivated`
   */
  documentOf: (did: string) => Promise<DIDDocument>
  now: Date
}

/** What a new credential is made of. */
export interface NewCredentialArgs extends CredentialIssueArgs {
  /** the whole credential as its issuer wrote it, without its status; then `attributes` are empty */
  document?: Readonly<Record<string, unknown>>
}

/** Signs a credential with the key that was chosen for it; nothing of the result is shared with the arguments. */
export type CredentialSigner = (status: NewCredentialStatus) => Promise<VerifiableCredential>

/** A presentation that is to be made; everything about it was checked. */
export interface PresentationRequest {
  holderDid: string
  /** their signatures fit */
  credentials: readonly ReadCredential[]
  audience: readonly string[]
  nonce?: string | undefined
  /** which claims are shown, of forms that disclose some of them */
  presentationFrame?: Record<string, unknown> | undefined
  now: Date
  ends: Date
}

/** The common part of credential and presentation formats. */
interface SecuredForm<Read> {
  /** as `format` names it: `jwt_vc` */
  readonly id: string
  /** what documents of this form are served and read as */
  readonly mediaTypes: readonly string[]
  /** arguments that only some forms have a meaning for, and this one has; given to any other, they are refused */
  readonly ownArguments?: readonly string[]
  /**
   * Whether something looks like this form, at a glance; never throws. The first format that recognises something
   * reads it.
   */
  recognises(shown: unknown): boolean
  /** @throws AgentError `invalid_credential` or `invalid_presentation` with every problem; no I/O */
  read(shown: unknown): Read
  /**
   * Verifies the signature: that of the issuer's assertion method, or of the holder's authentication method.
   *
   * @returns the id of the verification method that signed
   * @throws AgentError `invalid_credential`, `did_not_resolvable`, `did_deactivated`
   */
  verify(read: Read, verifying: VerifyingContext): Promise<string>
}

/** A form of presentations. */
export interface PresentationFormat<
  Read extends ReadPresentation = ReadPresentation,
> extends SecuredForm<Read> {
  /** @throws AgentError as signing does, with a detail at the path `did` for problems of the holder */
  present(request: PresentationRequest, context: SigningContext): Promise<PresentationCreateResult>
  /**
   * For forms whose objects repeat what was signed: checks that the object says nothing else.
   *
   * @returns the credentials as the object shows them
   * @throws AgentError `invalid_credential`
   */
  checkShown?(shown: Record<string, unknown>, read: Read): readonly unknown[]
}

/**
 * A credential format, named in `agent.yml`. It only reads, signs and verifies one form: permissions, the time of
 * validity, status and the verdict belong to the engine.
 */
export interface CredentialFormat<Read extends ReadCredential = ReadCredential> extends SecuredForm<Read> {
  /**
   * Chooses the key of the issuer, and finds all problems of issuing: only then are indices of status lists
   * allocated.
   *
   * @throws AgentError `did_not_found`, `key_not_found`, `did_not_resolvable`, `did_deactivated`, with a detail at
   *   the path `did` for problems of the issuer; `invalid_input` for arguments that this form cannot express
   */
  prepareIssue(args: NewCredentialArgs, now: Date, context: SigningContext): Promise<CredentialSigner>
  /**
   * the only member that can express its status, so that no index of another list is allocated; absent: wherever
   * lists need it
   */
  readonly statusMember?: 'credentialStatus' | 'status'
  /** whether a `document` can be one of the data model 1.1 as well; default: of 2.0 only */
  readonly signsModel1?: boolean
  /**
   * For forms whose objects repeat what was signed: checks that the object says nothing else.
   *
   * @throws AgentError `invalid_credential`
   */
  checkShown?(shown: Record<string, unknown>, read: Read): void
  /** the form in which a holder presents credentials; absent: none of its own */
  readonly presentations?: PresentationFormat
}
