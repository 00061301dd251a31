import type { CheckResult, Network, OpenTransaction } from '@vidimus/core-types'
import type { LedgerBank } from './ledger-bank.js'
import type {
  DidDocMetadata,
  DidDocWithMetadata,
  LedgerMessage,
  LedgerReceipt,
  ResourceSummary,
  ResourceWithMetadata,
} from './messages.js'

/** Which versions of which resources of a collection are looked for; what is left out may be anything. */
export interface ResourceQuery {
  name?: string
  resourceType?: string
  version?: string
  /** hex SHA-256 of the data, in lower case */
  checksum?: string
  /** made before this time */
  before?: Date
  /** those behind this name and type alone */
  after?: { name: string; resourceType: string }
  /** how many may be found at most, from 1 on */
  limit: number
}

/** A version with the number of versions that there are of its name and type. */
export interface FoundResource extends ResourceSummary {
  versions: number
}

/** Which part of a history. */
export interface VersionPage {
  /** id of a version: those that come behind it */
  after?: string
  /** versions to leave out, in place of `after` */
  offset?: number
  /** how many at most, from 1 on */
  limit: number
}

/** What a resource is for its account: `statusList` where the engine of status lists writes it. */
export type ResourceKind = 'resource' | 'statusList'

/**
 * Whether a message changes what is there, which quotas and budgets have a reserve for: whoever is full must still be able to
 * revoke, to deactivate and to replace keys.
 *
 * @param isFirst - of a resource: the first of its name and type
 */
export const isChange = (
  type: LedgerMessage['type'],
  kind: ResourceKind | undefined,
  isFirst: boolean,
): boolean => (type === 'createResource' ? kind === 'statusList' && !isFirst : type !== 'createDidDoc')

/** What accounts spend on what they write. */
export interface LedgerSpending {
  /** In ncheq, today (UTC); `most` is left out where there is no limit. */
  today(account: string): Promise<{ spent: bigint; most?: bigint | undefined }>
}

export interface SubmitOptions {
  signal?: AbortSignal
  /** of `createResource`; default `resource` */
  resourceKind?: ResourceKind
  /**
   * Optimistic lock. For `createResource`: the id that must be the newest version of that name and type, `null` where
   * there must be none. For `updateDidDoc` and `deactivateDidDoc`: the `versionId` that must be the newest one of the
   * document. A `createDidDoc` needs none, and takes none.
   *
   * A ledger with blocks may find out only afterwards that another writer came between. It then refuses a version that
   * is there nevertheless: who has chosen its id can look for it, and finds there what it has followed.
   */
  expectedPrevious?: string | null
}

/** A step of a running transaction, which may be run again from the beginning. */
export type LedgerStep = (transaction: OpenTransaction) => Promise<LedgerReceipt>

/** What a ledger can do whose tables are in the database of the service: be part of the transactions of others. */
export interface LedgerParticipation {
  /** whose transactions: whoever has another one cannot take it along */
  readonly database: object
  /**
   * Works out all that a transaction does not have to wait for. The step then applies the message as {@link Ledger.submit}
   * does; what it has promised holds once the transaction is committed.
   *
   * @throws LedgerError where a rule refuses the message, now or in the step; the end of the transaction may throw one as well
   */
  prepare(message: LedgerMessage, options?: SubmitOptions): Promise<LedgerStep>
}

/**
 * One network's ledger of DID documents and DID-Linked Resources. Not found is `undefined`, never an error.
 */
export interface Ledger {
  readonly network: Network
  /** `embedded`, `cheqd` or a third party's own word */
  readonly kind: string
  /** Whether DIDs on it mean anything outside of this installation. */
  readonly local: boolean
  /** left out by ledgers elsewhere: what they are asked for is noted before, as no transaction spans both */
  readonly participation?: LedgerParticipation
  /** left out by ledgers without money */
  readonly bank?: LedgerBank
  /** left out by ledgers where writing costs nothing */
  readonly spending?: LedgerSpending

  /**
   * Resolves after the message is committed for good.
   *
   * @throws LedgerError where a rule refuses the message or the ledger cannot be reached
   */
  submit(message: LedgerMessage, options?: SubmitOptions): Promise<LedgerReceipt>
  /**
   * What `read` finds here of one DID, remembered until anything of that DID changes; left out by ledgers that cannot tell.
   *
   * @param uniqueId - of the DID
   * @param key - what is looked for, unlike anything else
   * @returns what several callers share: nobody may change it
   */
  remember?<T>(uniqueId: string, key: string, read: () => Promise<T>): Promise<T>
  /**
   * The newest version, or the one named.
   *
   * @throws LedgerError where the ledger cannot be reached; see {@link isOnItsWay} for a DID that is being created
   */
  getDidDoc(did: string, versionId?: string): Promise<DidDocWithMetadata | undefined>
  /** oldest first */
  listDidDocVersions(did: string, page: VersionPage): Promise<DidDocMetadata[]>
  /** The newest version that was made before a time. */
  findDidDocVersion(did: string, before: Date): Promise<DidDocMetadata | undefined>
  getResource(collectionId: string, id: string): Promise<ResourceWithMetadata | undefined>
  getResourceMetadata(collectionId: string, id: string): Promise<ResourceSummary | undefined>
  getLatestResource(
    collectionId: string,
    name: string,
    type: string,
  ): Promise<ResourceWithMetadata | undefined>
  getLatestResourceMetadata(
    collectionId: string,
    name: string,
    type: string,
  ): Promise<ResourceSummary | undefined>
  /** Of each name and type the newest version that fits the query, ordered by name and type. */
  findResources(collectionId: string, query: ResourceQuery): Promise<FoundResource[]>
  /** versions of all resources, oldest first */
  listResources(collectionId: string, page: VersionPage): Promise<ResourceSummary[]>
  /** versions of one resource, newest first */
  listResourceVersions(
    collectionId: string,
    name: string,
    type: string,
    page: VersionPage,
  ): Promise<ResourceSummary[]>
  /**
   * Counts names and types.
   *
   * @param types - those that fit; left out: all
   * @param most - as many are looked at
   */
  countResources(
    collectionId: string,
    types: readonly string[] | undefined,
    most: number,
  ): Promise<{ seen: number; fitting: number }>
  /** How many versions there are of one resource. */
  countVersions(collectionId: string, name: string, type: string): Promise<number>
  check(): Promise<CheckResult[]>
}
