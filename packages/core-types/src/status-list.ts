import type { IPluginMethodMap } from '@veramo/core-types'
import type { LinkedResourceMetadata } from './linked-resource.js'

/** How the bits of an entry lie in the bytes of a list; see `docs/status-lists.md`. */
export type BitOrder = 'msb' | 'lsb' | 'lsb-in-entry'

export interface StatusMessage {
  /** hex with `0x` */
  status: string
  message: string
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
  purpose: string
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
  /** The decoded bits. @throws AgentError `malformed_list`, also where more than `maxBytes` would come out */
  unpack(doc: Doc, maxBytes: number): NowOrLater<Uint8Array>
  /** A new document with these bits; everything else of the old one is kept. */
  pack(doc: Doc, bits: Uint8Array): NowOrLater<Doc>
  /** What has to be signed before publishing; `undefined` for layouts that the ledger alone protects. */
  secure?(doc: Doc, location: StatusListLocation): StatusListEnvelope | undefined
  /** What secures a parsed document, which the engine verifies before it trusts the bits. */
  securingOf?(doc: Doc): StatusListSecuring | undefined

  /**
   * The value that an action leads to.
   *
   * @param current - value of the entry now
   * @throws AgentError `irreversible`, `unknown_action` (naming the possible ones), `purpose_mismatch`, `value_too_wide`
   */
  nextValue(layout: StatusListLayout, action: string, current: number): number
  /** How a value reads under a purpose. */
  report(layout: StatusListLayout, value: number, purpose: string): StatusReport
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
}

export interface StatusListUpdateResult extends StatusListPublication {
  updated: true
  /** the indices that this call changed, ascending; empty: no version was made */
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
