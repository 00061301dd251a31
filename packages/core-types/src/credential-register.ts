import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type { PageRange } from './paging.js'
import type * as schemas from './schemas/index.js'
import type { StatusListLocation } from './status-list-type.js'

/** The registered data of a credential, beside its entries. The id is only kept as a keyed hash. */
export type RegisteredCredential = z.output<typeof schemas.RegisteredCredential>

/** A credential that is about to be issued. */
export interface NewRegistration extends RegisteredCredential {
  /** ISO 8601 in UTC */
  issuedAt: string
}

/** One that was issued before, or elsewhere. */
export interface ImportedRegistration extends NewRegistration {
  list: StatusListLocation
  index: number
}

/** An entry that a credential was issued with. */
export interface RegisteredEntry {
  /** base64url; the same for the same id in the same account */
  credentialHash: string
  list: StatusListLocation
  index: number
  /** of the entry, if it was issued here for one purpose */
  purpose?: string
  issuedAt: string
  /** absent: never */
  expiresAt?: string
}

/** The entries of a credential, or all, of which each member leaves some out. */
export type RegisterQuery = { credentialId: string } | BrowsedEntries

export interface BrowsedEntries {
  list?: StatusListLocation
  /** of the list */
  index?: number
  /** publisher of the lists */
  did?: string
  /** ISO 8601 in UTC */
  issuedFrom?: string
  /** ISO 8601 in UTC; exclusive */
  issuedUntil?: string
}

/** Which registered entries: of credentials that a key signed, or that were issued from a time until before another. */
export type IssuedQuery = { signingKey: string } | { issuedFrom: string; issuedUntil: string }

/** The register's data about the credentials that a key has signed. */
export interface SignedCredentials {
  /** one of them never expires */
  isEndless: boolean
  /** when the last of the others does; absent: there is none */
  lastExpiry?: string
}

/** The credentials that the account in scope has issued with an entry of a status list. */
export interface CredentialRegister {
  /** In the order of lists and indices. A page may be empty without being the last. */
  find(query: RegisterQuery, page: PageRange): Promise<{ entries: RegisteredEntry[]; next?: string }>
  /**
   * The entries of several credentials, in the order of these; few enough for one statement.
   *
   * @param credentials - their ids, or their hashes in the register
   */
  entriesOf(
    credentials: { ids: readonly string[] } | { hashes: readonly string[] },
  ): Promise<RegisteredEntry[][]>
  /** Entries in the order of their lists and indices. A page may be empty without being the last. */
  select(query: IssuedQuery, page: PageRange): Promise<{ entries: RegisteredEntry[]; next?: string }>
  /**
   * Registers credentials, and skips those that are registered already.
   *
   * @returns how many are new
   */
  import(registrations: readonly ImportedRegistration[]): Promise<number>
  /** @param signingKey - public key, in hex */
  signedBy(signingKey: string): Promise<SignedCredentials>
}

export type CredentialEntriesArgs = z.output<typeof schemas.CredentialEntriesArgs>
export type CredentialEntriesResult = z.output<typeof schemas.CredentialEntriesResult>
export type CredentialRegisterImportArgs = z.output<typeof schemas.CredentialRegisterImportArgs>
export type CredentialRegisterImportResult = z.output<typeof schemas.CredentialRegisterImportResult>
export type CredentialSignedByResult = z.output<typeof schemas.CredentialSignedByResult>

/** The register of the credentials that an account has issued with an entry of a status list. */
export interface ICredentialRegister extends IPluginMethodMap {
  /**
   * Browses the register, finds the holder of an index of a list, by hash, or the entries of a credential.
   *
   * @throws AgentError `invalid_input`
   */
  credentialEntries(args: CredentialEntriesArgs): Promise<CredentialEntriesResult>
  /**
   * Registers credentials issued before or elsewhere, in lists of the account; registered ones are skipped. A row
   * that cannot be registered is refused individually.
   *
   * @throws AgentError `invalid_input`
   */
  credentialRegisterImport(args: CredentialRegisterImportArgs): Promise<CredentialRegisterImportResult>
  /** When the last credential expires that is known to be signed by a key. */
  credentialSignedBy(args: { signingKey: string }): Promise<CredentialSignedByResult>
}
