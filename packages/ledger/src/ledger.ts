import type { CheckResult, HandOver, Network, OpenTransaction } from '@vidimus/core-types'
import type { LedgerBank } from './ledger-bank.js'
import type {
  DidDocMetadata,
  DidDocWithMetadata,
  LedgerMessage,
  LedgerReceipt,
  ResourceSummary,
  ResourceWithMetadata,
} from './messages.js'

/** Selects versions of resources of a collection; omitted members match all. */
export interface ResourceQuery {
  name?: string
  resourceType?: string
  version?: string
  /** hex SHA-256 of the data, in lower case */
  checksum?: string
  /** made before this time */
  before?: Date
  /** only those after this name and type */
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

/** The kind of a resource for its account: `statusList` if the engine of status lists writes it. */
export type ResourceKind = 'resource' | 'statusList'

/**
 * Whether a message changes existing objects, for which quotas and budgets have a reserve: a full account must still
 * be able to revoke, to deactivate and to replace keys.
 *
 * @param isFirst - of a resource: the first of its name and type
 */
export const isChange = (
  type: LedgerMessage['type'],
  kind: ResourceKind | undefined,
  isFirst: boolean,
): boolean => (type === 'createResource' ? kind === 'statusList' && !isFirst : type !== 'createDidDoc')

/** The spending of accounts on their writes. */
export interface LedgerSpending {
  /** In ncheq, today (UTC); `most` is absent if there is no limit. */
  today(account: string): Promise<{ spent: bigint; most?: bigint | undefined }>
}

export interface SubmitOptions {
  signal?: AbortSignal
  /** of `createResource`; default `resource` */
  resourceKind?: ResourceKind
  /**
   * Optimistic lock. For `createResource`: the id that must be the newest version of that name and type, `null` if
   * there must be none. For `updateDidDoc` and `deactivateDidDoc`: the `versionId` that must be the newest one of the
   * document. `createDidDoc` neither needs nor accepts one.
   *
   * A ledger with blocks may only find out afterwards that another writer came between. It then refuses a version
   * that exists nevertheless: a caller that chose its id can look for it, and see which version it has followed.
   */
  expectedPrevious?: string | null
  /**
   * The version that the document of the subject must have when the message is applied, for ledgers that participate in
   * transactions: others are asked for the document before they get the message.
   */
  documentVersion?: string
  /** demanded in the transaction that stores the message, if it is one of the same database */
  handOver?: HandOver
}

/** The {@link SubmitOptions.handOver} of a message, in the transaction that stores it. */
export async function demandHandOver(
  { handOver }: { handOver?: HandOver | undefined },
  database: object,
  transaction: OpenTransaction,
): Promise<void> {
  if (handOver?.database === database) await handOver.demand(transaction)
}

/** A step of a running transaction, which may be run again from the beginning. */
export type LedgerStep = (transaction: OpenTransaction) => Promise<LedgerReceipt>

/**
 * The ability of a ledger whose tables are in the database of the service: it can take part in the transactions of
 * others. On PostgreSQL these are REPEATABLE READ, so its step changes or locks the rows that its rules have read.
 */
export interface LedgerParticipation {
  /** whose transactions: those of another database cannot include it */
  readonly database: object
  /**
   * Computes everything that does not need the transaction. The step then applies the message as {@link
   * Ledger.submit} does; its result is valid once the transaction is committed.
   *
   * @throws LedgerError if a rule refuses the message, now or in the step; the end of the transaction may throw one
   *   as well
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
  /** absent for ledgers elsewhere: their changes are recorded beforehand, as no transaction spans both */
  readonly participation?: LedgerParticipation
  /** absent for ledgers without money */
  readonly bank?: LedgerBank
  /** absent for ledgers without costs */
  readonly spending?: LedgerSpending

  /**
   * Resolves after the message is finally committed.
   *
   * @throws LedgerError if a rule refuses the message or the ledger cannot be reached
   */
  submit(message: LedgerMessage, options?: SubmitOptions): Promise<LedgerReceipt>
  /**
   * The result of `read` for one DID, cached until anything of that DID changes; absent for ledgers that cannot tell.
   *
   * @param uniqueId - of the DID
   * @param key - of the look-up, unique
   * @returns a value shared by several callers, which must not modify it
   */
  remember?<T>(uniqueId: string, key: string, read: () => Promise<T>): Promise<T>
  /**
   * The newest version, or the named one.
   *
   * @throws LedgerError if the ledger cannot be reached; see {@link isOnItsWay} for what is being created
   */
  getDidDoc(did: string, versionId?: string): Promise<DidDocWithMetadata | undefined>
  /** oldest first */
  listDidDocVersions(did: string, page: VersionPage): Promise<DidDocMetadata[]>
  /** The newest version that was made before a time. */
  findDidDocVersion(did: string, before: Date): Promise<DidDocMetadata | undefined>
  /** @throws LedgerError as {@link Ledger.getDidDoc} does, for a resource that is being created */
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
   * @param types - to count; default: all
   * @param most - the most that are read
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
