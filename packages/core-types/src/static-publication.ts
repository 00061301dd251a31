import type { OpenTransaction } from './open-transaction.js'
import { hasMethods } from './required-methods.js'
import type { StatusListLocation } from './status-list-type.js'

/** Something that is published at addresses of its own, for everybody. */
export type PublishedSubject =
  | ({ kind: 'list' } & StatusListLocation)
  | { kind: 'did'; did: string }
  /** the addresses of all lists of tokens, or of those of one publisher */
  | { kind: 'aggregation'; did?: string }

/** One form of what is published, with what a server says of it. */
export interface PublishedFile {
  /** below the public URL, without a slash at the beginning; what a request percent-encodes is decoded once */
  path: string
  /** what tells its media type to servers that know types by the end of a name, without a dot */
  form: string
  /** whether it is what is found at the path itself; other forms are behind it alone, as `<path>.<form>` */
  isUsual: boolean
  contentType: string
  /** of a copy that stays until the next version takes its place */
  cacheControl: string
  body: Uint8Array
  /** the same with gzip; left out where that is not worth it */
  compressed?: Uint8Array
}

/** A version that stays at an address of its own. */
export interface KeptVersion extends Pick<PublishedFile, 'path' | 'form'> {
  /** @returns `undefined` where its content is not kept */
  read(): Promise<PublishedFile | undefined>
}

/** All of one subject, as it is now. */
export interface PublishedDocument {
  /** left out for what has none */
  version?: {
    id: string
    /** RFC 3339 in UTC; never before that of the version before */
    time: string
  }
  /** whether the first file's address is one that credentials name */
  isIdentity?: boolean
  files: readonly PublishedFile[]
  /** newest first, the one of now included; empty where no history is kept */
  history: readonly KeptVersion[]
  /** what was found at the path itself and is no longer, as far as there may be something */
  gone: readonly Pick<PublishedFile, 'path' | 'form'>[]
}

/**
 * Reads a subject.
 *
 * @returns what is not older than anything that was committed before the call; `undefined`: there is nothing to publish
 */
export type ReadPublished = () => Promise<PublishedDocument | undefined>

/** What is published, from where it is served otherwise: the same bytes and headers. */
export interface PublicationSource {
  /** that every answer has, by lower-case name */
  readonly headers: Readonly<Record<string, string>>
  /** that answers to OPTIONS have besides */
  readonly preflight: Readonly<Record<string, string>>
  /** @param keepVersions - of a list, beside its addresses of now */
  read(subject: PublishedSubject, keepVersions: number): Promise<PublishedDocument | undefined>
}

/** Where something there does not agree with what it is to be. */
export interface PublicationDifference {
  path: string
  found: 'missing' | 'different'
}

/**
 * The seam between the service and a place from which others serve what is published. Several processes may write to it at
 * the same time.
 *
 * Methods throw AgentError `unavailable` where the place cannot be used, and `version_conflict` where it has a newer version
 * than the ledger.
 */
export interface Publisher {
  /** for the operator, without secrets */
  readonly place: string
  /** Called once, before anything else: writes what is there for servers, and looks whether the place can be used. */
  begin(source: Pick<PublicationSource, 'headers' | 'preflight'>): Promise<void>
  /** Whether it was noted there that it got everything: not in a place that is new, or was emptied. */
  isFilled(): Promise<boolean>
  noteFilled(): Promise<void>
  /**
   * Makes the place hold what is read, and never anything older than it had before. So `read` is called after it was looked
   * at what is there, and what was read is written only if that has not changed since. A process publishes one subject once at
   * a time.
   */
  publish(read: ReadPublished): Promise<void>
  /** What is to be there and is not, or not so. */
  compare(document: PublishedDocument): Promise<PublicationDifference[]>
  check(): Promise<void>
}

/** Names subjects that exist already, in an order that stays, page by page. */
export interface PublishedSubjects {
  /** @param after - the last one of the page before */
  page(after: PublishedSubject | undefined, limit: number): Promise<PublishedSubject[]>
}

/** The outbox of what is to be published, for whoever changes something that is. */
export interface PublicationOutbox {
  /** whose transactions */
  readonly database: object
  /** Notes, in the transaction of the change, that something is to be published anew. */
  mark(transaction: OpenTransaction, subject: PublishedSubject): void
  /** Where all of them can be found. */
  adopt(subjects: PublishedSubjects): void
  /**
   * Resolves once everything is published that was marked before the call.
   *
   * @returns `false` where that takes too long; it is published later
   */
  published(subject: PublishedSubject): Promise<boolean>
}

export const isPublicationOutbox = (value: unknown): value is PublicationOutbox =>
  hasMethods(value, 'mark', 'adopt', 'published')

export const isPublisher = (value: unknown): value is Publisher =>
  hasMethods(value, 'begin', 'isFilled', 'noteFilled', 'publish', 'compare', 'check')
