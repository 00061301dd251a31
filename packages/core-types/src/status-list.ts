import type { IPluginMethodMap } from '@veramo/core-types'
import type { LinkedResourceMetadata } from './linked-resource.js'

/** How the bits of an entry lie in the bytes of a list; see `docs/status-lists.md`. */
export type BitOrder = 'msb' | 'lsb' | 'lsb-in-entry'

export interface StatusMessage {
  /** hex with `0x` */
  status: string
  message: string
}

/** What somebody else has to pay before the service unlocks an encrypted list for them. */
export interface PaymentCondition {
  /** account on the ledger that the fee goes to, for example `cheqd1...` */
  feePaymentAddress: string
  /** in the smallest unit of the ledger with its name: `<n>ncheq` */
  feePaymentAmount: string
  /** minutes for which a payment unlocks the list */
  feePaymentWindow: number
}

/**
 * Encrypts and decrypts for one list; the engine holds the key and binds it to the list.
 */
export interface StatusListCipher {
  encrypt(plaintext: Uint8Array): Uint8Array
  /** @throws AgentError `malformed_list` where it was encrypted with another key, for another list, or changed */
  decrypt(ciphertext: Uint8Array): Uint8Array
}

/** What the engine has to know of one list. */
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
export interface StatusListLocation {
  did: string
  statusListName: string
  resourceType: string
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

/** What the engine signs for a type whose lists are secured as a whole. */
export interface StatusListEnvelope {
  /** the `typ` of the JWT header, for example `vc+jwt` */
  typ: string
  /** further header members, for example `cty` */
  header?: Record<string, unknown>
  /** the claims; the engine adds nothing */
  payload: Record<string, unknown>
}

/** The signed JWT that a published list is secured with. */
export interface StatusListSecuring {
  jwt: string
  /** whom its claims name as the issuer; the engine accepts the publisher alone */
  issuer: string
  /** which list they say to be, where they do */
  id?: string
}

/** What the `credentialStatus` of a credential says, whatever its form. */
export interface StatusListEntry {
  /** URL of the list, without fragment */
  listUrl: string
  index: number
  /** left out where entries of this type have none: then every value but 0 counts */
  purpose?: string
  /** bits, where the entry or its specification tells */
  statusSize?: number
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
  /** the `type` of `credentialStatus` entries that point into lists of this type */
  readonly entryType: string
  /**
   * Which member of a credential holds its entries; default `credentialStatus`. With `status` (IETF Token Status List)
   * the entry is the object there, recognised by a member that is called like {@link entryType}.
   */
  readonly entryMember?: 'credentialStatus' | 'status'
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
  create(parameters: StatusListCreateParameters, location: StatusListLocation, now: Date): NowOrLater<Doc>
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
   * A new document with these bits; everything else of the old one is kept.
   *
   * @param cipher - for encrypted lists
   */
  pack(doc: Doc, bits: Uint8Array, cipher?: StatusListCipher): NowOrLater<Doc>
  /** A new document of an encrypted list with other conditions; for types that are `encryptable`. */
  withPaymentConditions?(doc: Doc, conditions: readonly PaymentCondition[]): Doc
  /** What has to be signed before publishing; `undefined` for layouts that the ledger alone protects. */
  secure?(doc: Doc, location: StatusListLocation, now: Date): StatusListEnvelope | undefined
  /** What secures a parsed document, which the engine verifies before it trusts the bits. */
  securingOf?(doc: Doc): StatusListSecuring | undefined

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
  /** The `credentialStatus` entry of a credential. */
  entry(
    layout: StatusListLayout,
    location: StatusListLocation,
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

export interface StatusReport {
  /** the value as a number */
  status: number
  /** nothing speaks against the credential under this purpose */
  valid: boolean
  revoked?: boolean
  suspended?: boolean
  message?: string
}

export interface StatusListCreateArgs {
  listType: string
  statusPurpose: string | string[]
  did: string
  statusListName: string
  statusListVersion?: string
  length?: number
  encoding?: string
  statusSize?: number
  statusMessages?: StatusMessage[]
  /** milliseconds */
  ttl?: number
  validUntil?: string
  /** bits to start with, in the encoding of the type */
  encodedList?: string
  alsoKnownAs?: { uri: string; description: string }[]
  /** default: false */
  encrypted?: boolean
  /** for encrypted lists; left out: nobody but the publisher can unlock it */
  paymentConditions?: PaymentCondition[]
}

export interface StatusListPublication {
  resource: Record<string, unknown>
  resourceMetadata: LinkedResourceMetadata
}

export interface StatusListCreateResult extends StatusListPublication {
  created: true
  encrypted: boolean
}

export interface StatusListUpdateArgs {
  listType: string
  statusAction: string
  did: string
  statusListName: string
  /** at least one; repeated ones count once */
  indices: number[]
  statusListVersion?: string
  /** which kind of list the caller means; a list of the other kind is refused; default: false */
  encrypted?: boolean
  /** conditions from now on; for encrypted lists */
  paymentConditions?: PaymentCondition[]
}

export interface StatusListUpdateResult extends StatusListPublication {
  updated: true
  /** the indices that this call changed, ascending; empty: no version was made, unless for new conditions */
  changed: number[]
  revoked?: boolean
  suspended?: boolean
  unsuspended?: boolean
  /** of a custom state */
  status?: number
  message?: string
}

export interface StatusListCheckArgs {
  listType: string
  statusPurpose: string
  did: string
  statusListName: string
  /** what to check: united, at least one of them */
  index?: number
  indices?: number[]
  /** inclusive */
  indexRangeStart?: number
  indexRangeEnd?: number
  statusListCredential?: string
  statusSize?: number
  statusMessage?: StatusMessage[]
  makeFeePayment?: boolean
}

export interface StatusListCheckResult extends Partial<StatusReport> {
  checked: true
  purpose?: string
  /** one for each index, ascending */
  results?: (StatusReport & { index: number })[]
}

export interface StatusListSearchArgs {
  did: string
  statusListName: string
  listType: string
  statusPurpose?: string
}

export interface StatusListAllocateArgs {
  did: string
  statusListName: string
  /** left out: the one configured type that has a list of this name */
  listType?: string
  /** left out: the purpose of the list, where it has one alone */
  statusPurpose?: string
  /** the index to take; left out: a free one that nobody can foretell */
  statusListIndex?: number
}

/** An index that belongs to one credential from now on. */
export interface StatusListAllocation {
  listType: string
  index: number
  /** which member of the credential the entry goes into */
  entryMember: 'credentialStatus' | 'status'
  entry: Record<string, unknown>
}

export interface StatusListUpdateCredentialArgs {
  /** JWT, or the credential as an object with its JWT proof */
  credential: string | Record<string, unknown>
  action: 'revoke' | 'suspend' | 'reinstate'
  /** which of its entries, where several could be meant */
  listType?: string
  statusListVersion?: string
}

export interface StatusListUpdateCredentialResult extends StatusListUpdateResult {
  did: string
  statusListName: string
  listType: string
  index: number
}

/** A fee that the service paid for the account, to unlock an encrypted list of somebody else. */
export interface StatusListPayment {
  /** UUID; the memo of the transfer on the ledger */
  id: string
  network: string
  did: string
  statusListName: string
  feePaymentAddress: string
  /** `<n>ncheq` */
  feePaymentAmount: string
  txHash: string
  /** ISO 8601 */
  paidAt: string
}

/** What a server that hands out a published list tells of it. */
export interface StatusListDelivery {
  /** of the content, where the type has one */
  mediaType?: string
  /** milliseconds for which a copy may be used */
  ttlMs?: number
  /** ISO 8601 */
  validUntil?: string
}

/** Credential status lists, published as DID-Linked Resources. */
export interface IStatusList extends IPluginMethodMap {
  statusListCreate(args: StatusListCreateArgs): Promise<StatusListCreateResult>
  statusListUpdate(args: StatusListUpdateArgs): Promise<StatusListUpdateResult>
  statusListCheck(args: StatusListCheckArgs): Promise<StatusListCheckResult>
  /** @throws AgentError `list_not_found` */
  statusListSearch(args: StatusListSearchArgs): Promise<StatusListPublication & { found: true }>
  /** The configured types. */
  statusListTypes(): Promise<{ type: string; entryType: string; purposes: string[]; statusSizes: number[] }[]>
}

/** Status lists and the credentials that point into them. */
export interface IStatusListCredentials extends IPluginMethodMap {
  /**
   * Takes an index of a list of the account for a credential. What is taken stays taken.
   *
   * @throws AgentError `list_full`, `index_taken`, `index_out_of_range`, `purpose_mismatch`, `list_not_found`,
   * `did_not_found`
   */
  statusListAllocate(args: StatusListAllocateArgs): Promise<StatusListAllocation>
  /**
   * Updates the index that a credential names, in a list of the account.
   *
   * @throws AgentError `invalid_credential` where it names none, and as `statusListUpdate`
   */
  statusListUpdateCredential(args: StatusListUpdateCredentialArgs): Promise<StatusListUpdateCredentialResult>
}

/** Fees for encrypted lists of others. */
export interface IStatusListPayments extends IPluginMethodMap {
  /** What was paid for the account in scope, newest first. */
  statusListPayments(): Promise<StatusListPayment[]>
}

/** Published lists, for whoever serves them to verifiers. */
export interface IStatusListDelivery extends IPluginMethodMap {
  /** How a published resource is to be handed out; `null` where it is no status list of a configured type. */
  statusListDelivery(args: { resourceType: string; data: string }): Promise<StatusListDelivery | null>
}
