import type { OpenTransaction } from './open-transaction.js'
import type { Did } from './names.js'
import { hasMethods } from './required-methods.js'
import type { StatusListLocation } from './status-list-type.js'

/** Something published at its own addresses, for everyone. */
export type PublishedSubject =
  | ({ kind: 'list' } & StatusListLocation)
  | { kind: 'did'; did: Did }
  /** the addresses of all token status lists, or of those of one publisher */
  | { kind: 'aggregation'; did?: Did }

/** One form of a publication, with a server's metadata. */
export interface PublishedFile {
  /** below the public URL, without a leading slash; percent-encoding of a request is decoded once */
  path: string
  /** indicates its media type to servers that use file extensions, without a dot */
  form: string
  /** whether it is served at the path itself; other forms are only at `<path>.<form>` */
  isUsual: boolean
  contentType: string
  /** of a copy that stays until the next version replaces it */
  cacheControl: string
  body: Uint8Array
  /** the same with gzip; absent if that is not worth it */
  compressed?: Uint8Array
}

/** Where a target has a file. */
export type PublishedPath = Pick<PublishedFile, 'path' | 'form' | 'isUsual'>

/** A file that a target has. */
export interface StoredFile {
  body: Uint8Array
  /** of its document, if that has one */
  version?: NonNullable<PublishedDocument['version']>
}

/** A version that stays at its own address. */
export interface KeptVersion extends Pick<PublishedFile, 'path' | 'form'> {
  /** @returns `undefined` if its content is not kept */
  read(): Promise<PublishedFile | undefined>
}

/** All of one subject, as it is now. */
export interface PublishedDocument {
  /** absent if it has none */
  version?: {
    id: string
    /** RFC 3339 in UTC; never before that of the previous version */
    time: string
  }
  /** whether credentials name the address of the first file */
  isIdentity?: boolean
  files: readonly PublishedFile[]
  /** newest first, including the current one; empty if no history is kept */
  history: readonly KeptVersion[]
  /** what was at the path itself and is no longer, if that is possible */
  gone: readonly Pick<PublishedFile, 'path' | 'form'>[]
}

/**
 * Reads a subject.
 *
 * @returns a state not older than anything committed before the call; `undefined`: there is nothing to publish
 */
export type ReadPublished = () => Promise<PublishedDocument | undefined>

/** The content of publications, from the code that serves it: the same bytes and headers. */
export interface PublicationSource {
  /** of every response, by lower-case name */
  readonly headers: Readonly<Record<string, string>>
  /** additional ones of responses to OPTIONS */
  readonly preflight: Readonly<Record<string, string>>
  /** @returns the DID whose current document is at a path; `undefined`: something else is there */
  didAt(path: string): string | undefined
  /** @param keepVersions - of a list, beside its addresses of now */
  read(subject: PublishedSubject, keepVersions: number): Promise<PublishedDocument | undefined>
}

/** Where the content of a target differs from what it must be. */
export interface PublicationDifference {
  path: string
  found: 'missing' | 'different'
}

/**
 * The interface between the service and a target from which others serve publications. Several processes may write to
 * it at the same time.
 *
 * Methods throw AgentError `unavailable` if the target cannot be used, and `version_conflict` if it has a newer
 * version than the ledger.
 */
export interface Publisher {
  /** for the operator, without secrets */
  readonly place: string
  /** Called once, before anything else: writes the files for servers, and checks whether the target can be used. */
  begin(source: Pick<PublicationSource, 'headers' | 'preflight'>): Promise<void>
  /** Whether the target is marked as complete: not if it is new, or was emptied. */
  isFilled(): Promise<boolean>
  noteFilled(): Promise<void>
  /**
   * Makes the target contain what `read` returns, and never anything older than before. So `read` is called after
   * reading the target, and its result is written only if the target has not changed since. A process publishes one
   * subject once at a time.
   */
  publish(read: ReadPublished): Promise<void>
  /** The number of the newest pass that was noted; 0 if there is none. */
  lastPass(): Promise<number>
  /** Notes a pass that is about to write, unless a later one is noted. */
  notePass(pass: number): Promise<void>
  /** A published file as the target has it now. */
  stored(file: PublishedPath): Promise<StoredFile | undefined>
  /** Every path that has something, apart from those below these top folders and what servers alone need. */
  paths(except: readonly string[]): AsyncIterable<string>
  /** What should be there but is missing or different. */
  compare(document: PublishedDocument): Promise<PublicationDifference[]>
  check(): Promise<void>
}

/** Names subjects that exist already, in an order that stays, page by page. */
export interface PublishedSubjects {
  /** @param after - the last one of the page before */
  page(after: PublishedSubject | undefined, limit: number): Promise<PublishedSubject[]>
}

/** The outbox of publications, for code that changes something published. */
export interface PublicationOutbox {
  /** whose transactions */
  readonly database: object
  /** Records, in the transaction of the change, that something must be published again. */
  mark(transaction: OpenTransaction, subject: PublishedSubject): void
  /** Where all of them are listed. */
  adopt(subjects: PublishedSubjects): void
  /**
   * Resolves once everything marked before the call is published.
   *
   * @returns `false` if that takes too long; it is published later
   */
  published(subject: PublishedSubject): Promise<boolean>
}

export const isPublicationOutbox = (value: unknown): value is PublicationOutbox =>
  hasMethods(value, 'mark', 'adopt', 'published')

export const isPublisher = (value: unknown): value is Publisher =>
  hasMethods(
    value,
    ...['begin', 'isFilled', 'noteFilled', 'publish', 'lastPass', 'notePass', 'stored', 'paths', 'compare'],
    'check',
  )
