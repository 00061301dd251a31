import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

/** The order of an entry's bits in the bytes of a list; see `docs/status-lists.md`. */
export type BitOrder = 'msb' | 'lsb' | 'lsb-in-entry'

export interface StatusMessage {
  /** hex with `0x` */
  status: string
  message: string
}

/** What others must pay before the service unlocks an encrypted list for them. */
export type PaymentCondition = z.output<typeof schemas.PaymentCondition>

/**
 * Encrypts and decrypts for one list; the engine holds the key and binds it to the list.
 */
export interface StatusListCipher {
  encrypt(plaintext: Uint8Array): Uint8Array
  /** @throws AgentError `malformed_list` if it was encrypted with another key, for another list, or changed */
  decrypt(ciphertext: Uint8Array): Uint8Array
}

/** The engine's data about one list. */
export interface StatusListLayout {
  /** bits per entry */
  statusSize: number
  /** `false`: the list does not state its width, so that of an entry counts, and `statusSize` is only the default */
  statesSize?: false
  order: BitOrder
  purposes: readonly string[]
  /** a third party serves it: the values that lists have here mean nothing in it */
  foreign?: true
  statusMessages?: readonly StatusMessage[]
  /** entries, if the document states it; otherwise as many as its bits contain */
  length?: number
  /** milliseconds */
  ttlMs?: number
  /** ISO 8601 */
  validFrom?: string
  /** ISO 8601 */
  validUntil?: string
  encrypted: boolean
  /** of an encrypted list; empty or absent: only the publisher can unlock it */
  paymentConditions?: readonly PaymentCondition[]
}

/** Where a list is published. */
export type StatusListLocation = z.output<typeof schemas.StatusListLocation>

/** A list from the view of its type: where it is published, and how credentials name it. */
export interface NamedStatusList extends StatusListLocation {
  /** its identity in the document and in its entries: its DID URL, or its https address */
  url: string
  /** where the addresses of all lists of the service are listed, for those whose identity is their https address */
  aggregationUrl?: string
}

export interface StatusListCreateParameters {
  /** entries */
  length: number
  /** bits per entry */
  statusSize: number
  purposes: readonly string[]
  statusMessages?: readonly StatusMessage[]
  encoding?: string
  /** milliseconds */
  ttl?: number
  validUntil?: string
  /** initial bits, already checked against length and width; absent: all zero */
  bits?: Uint8Array
  /** every version also gets an embedded proof; only for types with {@link StatusListType.embedsProofs} */
  embeddedProof?: boolean
  /** the list is to be encrypted; only for types that are `encryptable` */
  encryption?: { cipher: StatusListCipher; paymentConditions: readonly PaymentCondition[] }
}

/** From and until when a version of a list is valid. */
export interface StatusListValidity {
  from: Date
  until: Date
}

/** What the engine signs for a type whose lists are secured as a whole. */
export interface StatusListEnvelope {
  /** the `typ` of the JWT header, for example `vc+jwt` */
  typ: string
  /** further header members, for example `cty` */
  header?: Record<string, unknown>
  /** the claims; the engine adds `iat`, which is never before that of the previous version */
  payload: Record<string, unknown>
  /**
   * The same as a CWT, for types that have that form too. It is signed as well; the data needed to rebuild it from
   * the claims is in the member `cwt` of the JWT's protected header: `protected` and `signature`, in base64url.
   */
  cwt?: {
    /** of its header, for example `application/statuslist+cwt` */
    typ: string
    /** The claims as CBOR; the same for the same claims, at any time. */
    payload: (claims: Record<string, unknown>) => Uint8Array
  }
  /**
   * Whether the claims, which are a credential, also get a Data Integrity proof. The engine keeps it in the member
   * `proof` of the JWT's protected header; `null` there means that none could be created for this version.
   */
  embedsProof?: boolean
  /**
   * Whether it may be issued by the https address in a certificate: `iss` is that then, and the certificates stand in `x5c` and
   * `x5chain`.
   */
  takesCertificates?: boolean
}

/** The signed JWT that a published list is secured with. */
export interface StatusListSecuring {
  jwt: string
  /** the issuer in its claims, if they name one; the engine accepts only the publisher */
  issuer?: string
  /** the list that they identify, if they do */
  id?: string
  /** when it was signed, in seconds since 1970 (`iat`), if the claims state it */
  signedAt?: number
}

/** The content of an entry in a credential, whatever its form. */
export interface StatusListEntry {
  /** URL of the list, without fragment */
  listUrl: string
  index: number
  /** absent if entries of this type have none: then every value but 0 counts */
  purpose?: string
  /** bits, if the entry or its specification states it */
  statusSize?: number
  /** what its values mean, if the entry says so */
  statusMessages?: readonly StatusMessage[]
}

/** A published list in another form than the published one, on request. */
export interface StatusListForm {
  /** for example `application/statuslist+cwt` */
  mediaType: string
  content: Uint8Array
}

/** The signed content of a list that others serve, and its signature, in the terms of a JWT. */
export interface DetachedSignature {
  /** the name of the algorithm in JOSE */
  algorithm: string
  /** the verification method, absolute or as a fragment, if it is named */
  kid?: string
  /** the certificates that come with it, the leaf first, in base64 DER (`x5c`, `x5chain`) */
  certificates?: readonly string[]
  signed: Uint8Array
  signature: Uint8Array
}

/** A fact about a list that was created as requested. */
export type StatusListWarning = NonNullable<
  z.output<typeof schemas.StatusListCreateResult>['warnings']
>[number]

/**
 * A list that others serve over https, read and not yet verified: a credential, which is verified in whichever form it has and
 * then read by {@link StatusListType.ofCredential}, or a document that is signed by itself.
 */
export type ForeignStatusList<Doc> =
  | { credential: string | Record<string, unknown> }
  | {
      doc: Doc
      /** the address that it claims */
      id: string
      /** absent: the issuer of the credential that names it */
      issuer?: string
      /** a JWT, or content signed in another way */
      secured: string | DetachedSignature
    }

/** Types that process large lists return later, so that other requests can run meanwhile. */
export type NowOrLater<T> = T | Promise<T>

/**
 * A type of status list: a pure object without I/O, keys, database, locks or clock. The engine owns everything else
 * and checks every index and value before a type sees it.
 *
 * @typeParam Doc - the type's own form of a parsed list document
 */
export interface StatusListType<Doc = unknown> {
  /** the `listType` of the API, unique among the configured types */
  readonly type: string
  /** the `type` of the entries that point into lists of this type, unique among the configured types */
  readonly entryType: string
  /**
   * Which member of a credential holds its entries; default `credentialStatus`. With `status` (IETF Token Status List)
   * the entry is the object there, recognised by a member that is called like {@link entryType}.
   */
  readonly entryMember?: 'credentialStatus' | 'status'
  /** what the `@context` of a credential (VC data model 1.1) must contain in addition, for the terms of an entry */
  readonly entryContexts?: readonly string[]
  /** of the published content, as verifiers request it, for example `application/statuslist+jwt` */
  readonly mediaType?: string
  /** lists of this type can be encrypted */
  readonly encryptable?: boolean
  /** versions of lists of this type can have an embedded proof as well, see {@link StatusListEnvelope.embedsProof} */
  readonly embedsProofs?: boolean
  /** all purposes that lists of this type may have */
  readonly purposes: readonly string[]
  /** entries in a list if the caller names no length, and the smallest allowed length */
  readonly defaultLength: number
  readonly minLength: number
  /** widths in bits that new lists may have */
  readonly statusSizes: readonly number[]

  /** The default width of a new list. */
  defaultStatusSize(purposes: readonly string[]): number
  /** What the publisher of a new list should know, such as that few verifiers read it. */
  creationWarnings?(purposes: readonly string[]): StatusListWarning[]
  /**
   * The possible resource types of a list of this type.
   *
   * @param purpose - if known: the requested purpose
   */
  resourceTypes(purpose?: string): readonly string[]
  /**
   * Where an action looks for its list: the first of these that exists. Types with one list for each purpose let the
   * action choose.
   */
  resourceTypesOfAction(action: string): readonly string[]

  /** A new document. @throws AgentError `invalid_input` naming the parameters */
  create(parameters: StatusListCreateParameters, list: NamedStatusList, now: Date): NowOrLater<Doc>
  /**
   * Reads the bits that a caller gave for a new list.
   *
   * @throws AgentError `malformed_list`, also if the result has more than `maxBytes`
   */
  decode(encodedList: string, encoding: string | undefined, maxBytes: number): NowOrLater<Uint8Array>
  /** Reads a published resource. @throws AgentError `malformed_list` */
  parse(content: Uint8Array): Doc
  /** The bytes to publish. For a secured type the engine passes the signed envelope. */
  serialise(doc: Doc, envelope?: string): Uint8Array
  describe(doc: Doc): StatusListLayout
  /**
   * The decoded bits.
   *
   * @param cipher - for encrypted lists
   * @throws AgentError `malformed_list`, also if the result has more than `maxBytes`; `list_encrypted` if the list is
   *   encrypted in another way than that of the cipher, or there is none
   */
  unpack(doc: Doc, maxBytes: number, cipher?: StatusListCipher): NowOrLater<Uint8Array>
  /**
   * A new document with these bits; everything else of the old one is kept, except that a validity that begins later
   * than `now` begins now: the clock was ahead when the list was created.
   *
   * @param cipher - for encrypted lists
   */
  pack(doc: Doc, bits: Uint8Array, cipher?: StatusListCipher, now?: Date): NowOrLater<Doc>
  /**
   * A new document with another period of validity, if it states an end; absent: lists of the type cannot be renewed
   * before they expire.
   *
   * @returns the same document if its layout cannot be signed again
   */
  renewed?(doc: Doc, validity: StatusListValidity): Doc
  /** A new document of an encrypted list with other conditions; for types that are `encryptable`. */
  withPaymentConditions?(doc: Doc, conditions: readonly PaymentCondition[]): Doc
  /** What must be signed before publishing; `undefined` for layouts that only the ledger protects. */
  secure?(doc: Doc, location: StatusListLocation, now: Date): StatusListEnvelope | undefined
  /** The proof of a parsed document, which the engine verifies before it trusts the bits. */
  securingOf?(doc: Doc): StatusListSecuring | undefined
  /** The media types that hosts of lists of others are asked for, the preferred first. */
  readonly foreignMediaTypes?: readonly string[]
  /** entries in the smallest list of others that is read; default: `minForeignEntries` of the plugin */
  readonly minForeignLength?: number
  /**
   * Reads what others serve over https, in whichever form it is: hosts send lists with any content type.
   *
   * @throws AgentError `malformed_list`
   */
  readForeign?(content: Uint8Array): ForeignStatusList<Doc>
  /** The list in a credential that was verified. @throws AgentError `malformed_list` */
  ofCredential?(credential: Record<string, unknown>): Doc

  /**
   * Further forms of a published document, derived from it alone; they are served at the https address of the list.
   */
  forms?(doc: Doc): readonly StatusListForm[]

  /**
   * The value that an action leads to.
   *
   * @param current - value of the entry now
   * @throws AgentError `irreversible`, `unknown_action` (naming the possible ones), `purpose_mismatch`, `value_too_wide`
   */
  nextValue(layout: StatusListLayout, action: string, current: number): number
  /**
   * The reading of a value under a purpose.
   *
   * @param purpose - absent for entries that have none
   */
  report(layout: StatusListLayout, value: number, purpose?: string): StatusReport
  /** The entry of a credential: the content of its {@link entryMember}. */
  entry(
    layout: StatusListLayout,
    list: NamedStatusList,
    index: number,
    purpose: string,
  ): Record<string, unknown>
  /** Reads such an entry, as strictly as its specification asks. @throws AgentError `invalid_credential` */
  readEntry(entry: Record<string, unknown>): StatusListEntry
  /**
   * The object of the API's `resource` member (section 2.7 of the contract).
   *
   * @param entries - how many the list has
   */
  toResource(doc: Doc, entries: number): Record<string, unknown>
}

export type StatusReport = z.output<typeof schemas.StatusReport>
