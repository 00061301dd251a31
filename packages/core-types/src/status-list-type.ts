import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

/** How the bits of an entry lie in the bytes of a list; see `docs/status-lists.md`. */
export type BitOrder = 'msb' | 'lsb' | 'lsb-in-entry'

export interface StatusMessage {
  /** hex with `0x` */
  status: string
  message: string
}

/** What somebody else must pay before the service unlocks an encrypted list for them. */
export type PaymentCondition = z.output<typeof schemas.PaymentCondition>

/**
 * Encrypts and decrypts for one list; the engine holds the key and binds it to the list.
 */
export interface StatusListCipher {
  encrypt(plaintext: Uint8Array): Uint8Array
  /** @throws AgentError `malformed_list` where it was encrypted with another key, for another list, or changed */
  decrypt(ciphertext: Uint8Array): Uint8Array
}

/** What the engine must know of one list. */
export interface StatusListLayout {
  /** bits per entry */
  statusSize: number
  order: BitOrder
  purposes: readonly string[]
  statusMessages?: readonly StatusMessage[]
  /** entries, where the document tells; otherwise as many as its bits hold */
  length?: number
  /** milliseconds */
  ttlMs?: number
  /** ISO 8601 */
  validFrom?: string
  /** ISO 8601 */
  validUntil?: string
  encrypted: boolean
  /** of an encrypted list; empty or left out: nobody but the publisher can unlock it */
  paymentConditions?: readonly PaymentCondition[]
}

/** Where a list is published. */
export type StatusListLocation = z.output<typeof schemas.StatusListLocation>

/** A list as its type must know it: where it is published, and what credentials call it. */
export interface NamedStatusList extends StatusListLocation {
  /** what its document says to be and its entries name: its DID URL, or its https address */
  url: string
  /** where the addresses of all lists of the service are told, for those whose identity is their https address */
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
  /** initial bits, already checked against length and width; left out: all zero */
  bits?: Uint8Array
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
  /** the claims; the engine adds `iat`, which is never before that of the version before */
  payload: Record<string, unknown>
  /**
   * The same as a CWT, for types that have that form too. It is signed as well, and what it takes beside the claims to make it
   * stands in the member `cwt` of the JWT's protected header: `protected` and `signature`, in base64url.
   */
  cwt?: {
    /** of its header, for example `application/statuslist+cwt` */
    typ: string
    /** The claims as CBOR; the same for the same claims, at any time. */
    payload: (iat: number) => Uint8Array
  }
}

/** The signed JWT that a published list is secured with. */
export interface StatusListSecuring {
  jwt: string
  /** whom its claims name as the issuer, where they name one; the engine accepts the publisher alone */
  issuer?: string
  /** which list they say to be, where they do */
  id?: string
  /** when it was signed, in seconds since 1970 (`iat`), where the claims say */
  signedAt?: number
}

/** What an entry in a credential says, whatever its form. */
export interface StatusListEntry {
  /** URL of the list, without fragment */
  listUrl: string
  index: number
  /** left out where entries of this type have none: then every value but 0 counts */
  purpose?: string
  /** bits, where the entry or its specification tells */
  statusSize?: number
}

/** A published list in another form than the published one, for who asks for that. */
export interface StatusListForm {
  /** for example `application/statuslist+cwt` */
  mediaType: string
  content: Uint8Array
}

/** What was signed of a list that others serve, and how, in the words of a JWT. */
export interface DetachedSignature {
  /** the name of the algorithm in JOSE */
  algorithm: string
  /** the verification method, absolute or as a fragment, where it is named */
  kid?: string
  signed: Uint8Array
  signature: Uint8Array
}

/**
 * A list that others serve over https, read and not yet verified: a credential, which is verified in whichever form it has and
 * then read by {@link StatusListType.ofCredential}, or a document that is signed by itself.
 */
export type ForeignStatusList<Doc> =
  | { credential: string | Record<string, unknown> }
  | {
      doc: Doc
      /** the address that it says to have */
      id: string
      /** left out: whoever has issued the credential that names it */
      issuer?: string
      /** a JWT, or what is signed in another way */
      secured: string | DetachedSignature
    }

/** Types that work on large lists answer later, so that others can be served meanwhile. */
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
  /** what the `@context` of a credential (VC data model 1.1) must hold beside its own, for the terms of an entry */
  readonly entryContexts?: readonly string[]
  /** of what is published, as verifiers ask for it, for example `application/statuslist+jwt` */
  readonly mediaType?: string
  /** lists of this type can be encrypted */
  readonly encryptable?: boolean
  /** all purposes that lists of this type may have */
  readonly purposes: readonly string[]
  /** entries in a list where the caller names no length, and the smallest allowed length */
  readonly defaultLength: number
  readonly minLength: number
  /** widths in bits that new lists may have */
  readonly statusSizes: readonly number[]

  /** The width of a new list where the caller names none. */
  defaultStatusSize(purposes: readonly string[]): number
  /**
   * The resource types under which a list of this type may be found.
   *
   * @param purpose - where known: the purpose asked for
   */
  resourceTypes(purpose?: string): readonly string[]
  /**
   * Where an action looks for its list: the first of these that exists is meant. Types with one list for each purpose
   * let the action choose.
   */
  resourceTypesOfAction(action: string): readonly string[]

  /** A new document. @throws AgentError `invalid_input` naming the parameters */
  create(parameters: StatusListCreateParameters, list: NamedStatusList, now: Date): NowOrLater<Doc>
  /**
   * Reads bits that a caller gave for a new list.
   *
   * @throws AgentError `malformed_list`, also where more than `maxBytes` would come out
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
   * @throws AgentError `malformed_list`, also where more than `maxBytes` would come out; `list_encrypted` where the
   * list is encrypted by other means than those of the cipher, or there is none
   */
  unpack(doc: Doc, maxBytes: number, cipher?: StatusListCipher): NowOrLater<Uint8Array>
  /**
   * A new document with these bits; everything else of the old one is kept, except that what begins to be valid later
   * than `now` does so now: the clock was ahead when the list was made.
   *
   * @param cipher - for encrypted lists
   */
  pack(doc: Doc, bits: Uint8Array, cipher?: StatusListCipher, now?: Date): NowOrLater<Doc>
  /**
   * A new document that is valid from and until other times, where it says until when; left out: lists of the type cannot be
   * renewed before they lapse.
   *
   * @returns the same document where its layout cannot be signed anew
   */
  renewed?(doc: Doc, validity: StatusListValidity): Doc
  /** A new document of an encrypted list with other conditions; for types that are `encryptable`. */
  withPaymentConditions?(doc: Doc, conditions: readonly PaymentCondition[]): Doc
  /** What must be signed before publishing; `undefined` for layouts that the ledger alone protects. */
  secure?(doc: Doc, location: StatusListLocation, now: Date): StatusListEnvelope | undefined
  /** What secures a parsed document, which the engine verifies before it trusts the bits. */
  securingOf?(doc: Doc): StatusListSecuring | undefined
  /** What lists of others are served as, the preferred first; left out: lists on ledgers alone are read. */
  readonly foreignMediaTypes?: readonly string[]
  /** entries in the smallest list of others that is read; default {@link minLength} */
  readonly minForeignLength?: number
  /**
   * Reads what others serve over https as one of {@link foreignMediaTypes}.
   *
   * @throws AgentError `malformed_list`
   */
  readForeign?(content: Uint8Array, mediaType: string): ForeignStatusList<Doc>
  /** The list in a credential that was verified. @throws AgentError `malformed_list` */
  ofCredential?(credential: Record<string, unknown>): Doc

  /** Further forms of a published document, made from it alone; they are served where the list has its https address. */
  forms?(doc: Doc): readonly StatusListForm[]

  /**
   * The value that an action leads to.
   *
   * @param current - value of the entry now
   * @throws AgentError `irreversible`, `unknown_action` (naming the possible ones), `purpose_mismatch`, `value_too_wide`
   */
  nextValue(layout: StatusListLayout, action: string, current: number): number
  /**
   * How a value reads under a purpose.
   *
   * @param purpose - left out for entries that have none
   */
  report(layout: StatusListLayout, value: number, purpose?: string): StatusReport
  /** The entry of a credential: what stands in its {@link entryMember}. */
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
