import {
  type StatusListName,
  type Did,
  Counter,
  currentAccount,
  currentActor,
  type BrowsedEntries,
  placeText,
  readPlace,
  type AuditRows,
  type CredentialRegister as CredentialRegisterSeam,
  type ImportedRegistration,
  type IssuedQuery,
  type NewRegistration,
  type PageRange,
  type RegisteredEntry,
  type RegisterQuery,
  type SignedCredentials,
  queueName,
} from '@vidimus/core-types'
import {
  joinSql,
  readRows,
  sql,
  type Connection,
  type Database,
  type Listing,
  type Sql,
} from '@vidimus/database'
import { findList, findOrCreateList, ofList, type ListKey, type ListNumber } from './list-row.js'
import { noteExpiry } from './member-rows.js'
import { FORGOTTEN, REGISTERED } from './measurements.js'
import type { RegisterKeys } from './register-keys.js'
import {
  deleteEntries,
  expiredEntries,
  entryColumns,
  insertEntries,
  keyHashOf,
  type EntryPlace,
  type HashedRegistration,
} from './registered-rows.js'

/** Rows per transaction, so that others wait only briefly. */
const TOGETHER = 200

const DAY_MS = 86_400_000

interface EntryRow {
  credential_hash: string
  signing_key_hash: string
  list_id: ListNumber
  list_index: ListNumber
  did: Did
  name: StatusListName
  resource_type: string
  status_purpose: string | null
  issued_at: string
  expires_at: string | null
}

/** Credentials that an account issued with a status list entry, stored by keyed hashes of their ids. */
export class CredentialRegister implements CredentialRegisterSeam {
  readonly registered = new Counter(REGISTERED, [['issued'], ['imported']])
  readonly forgotten = new Counter(FORGOTTEN)

  /** @param keepMs - how long entries are kept after they expire */
  constructor(
    private readonly database: Database,
    private readonly keys: RegisterKeys,
    private readonly keepMs: number,
    private readonly clock: () => Date,
    private readonly audit?: AuditRows,
  ) {}

  /** Registers a credential in the transaction that allocates its indices. */
  async registerWithin(
    connection: Connection,
    account: string,
    { id, ...credential }: NewRegistration,
    places: readonly EntryPlace[],
  ): Promise<void> {
    if (places.length === 0) return
    const [hash = ''] = await this.keys.hashes([id], account, connection)
    connection.send(
      insertEntries(
        account,
        places.map((place) => ({ credential: { hash, ...credential }, place })),
      ),
    )
  }

  async find(query: RegisterQuery, page: PageRange): Promise<{ entries: RegisteredEntry[]; next?: string }> {
    const account = currentAccount().id
    const which = await this.condition(query, account)
    if (!which) return { entries: [] }
    return this.list(account, which, page, 'credentialId' in query ? undefined : browsed(query))
  }

  async entriesOf(
    credentials: { ids: readonly string[] } | { hashes: readonly string[] },
  ): Promise<RegisteredEntry[][]> {
    const account = currentAccount().id
    const hashes =
      'hashes' in credentials ? credentials.hashes : await this.keys.knownHashes(credentials.ids, account)
    if (hashes.length === 0) return []
    const rows = await this.database.query<EntryRow>(
      sql`${entryColumns} WHERE "e"."account_id" = ${account} AND "e"."credential_hash" IN (${joinSql(hashes)})`,
    )
    const found = new Map<string, RegisteredEntry[]>()
    for (const row of rows) {
      const known = found.get(row.credential_hash)
      if (known) known.push(toEntry(row))
      else found.set(row.credential_hash, [toEntry(row)])
    }
    return hashes.map((hash) => found.get(hash) ?? [])
  }

  select(query: IssuedQuery, page: PageRange): Promise<{ entries: RegisteredEntry[]; next?: string }> {
    const filter =
      'signingKey' in query
        ? sql`"signing_key_hash" = ${keyHashOf(query.signingKey)}`
        : sql`"issued_at" >= ${query.issuedFrom} AND "issued_at" < ${query.issuedUntil}`
    return this.list(currentAccount().id, sql``, page, filter)
  }

  private async list(
    account: string,
    which: Sql,
    page: PageRange,
    filter?: Sql,
  ): Promise<{ entries: RegisteredEntry[]; next?: string }> {
    const listing: Listing<EntryRow, RegisteredEntry> = {
      rows: (after) => sql`${entryColumns}
        WHERE "e"."account_id" = ${account} ${which} ${after === undefined ? sql`` : behind(after)}
        ORDER BY "e"."list_id", "e"."list_index", "e"."credential_hash", "e"."signing_key_hash"`,
      filter,
      placeOf: (row) =>
        placeText([String(row.list_id), String(row.list_index), row.credential_hash, row.signing_key_hash]),
      toItem: toEntry,
    }
    const { items: entries, next } = await readRows(this.database, listing, page)
    return { entries, ...(next !== undefined && { next }) }
  }

  async import(registrations: readonly ImportedRegistration[]): Promise<number> {
    const account = currentAccount().id
    let added = 0
    for (let from = 0; from < registrations.length; from += TOGETHER) {
      added += await this.importSome(account, registrations.slice(from, from + TOGETHER))
    }
    this.registered.add(added, 'imported')
    return added
  }

  async signedBy(signingKey: string): Promise<SignedCredentials> {
    const account = currentAccount().id
    const signed = sql`FROM "credential_entry" WHERE "account_id" = ${account} AND "signing_key_hash" = ${keyHashOf(signingKey)}`
    const [endless] = await this.database.query(
      sql`SELECT 1 AS "n" ${signed} AND "expires_at" IS NULL LIMIT 1`,
    )
    const [last] = await this.database.query<{ expires_at: string }>(
      sql`SELECT "expires_at" ${signed} AND "expires_at" IS NOT NULL ORDER BY "expires_at" DESC LIMIT 1`,
    )
    return { isEndless: endless !== undefined, ...(last && { lastExpiry: last.expires_at }) }
  }

  /** Deletes entries past their retention, some at a time. */
  async sweep(): Promise<void> {
    const before = new Date(this.clock().getTime() - this.keepMs).toISOString()
    for (let found = TOGETHER; found === TOGETHER;) {
      const expired = await expiredEntries(this.database, before, TOGETHER)
      found = 0
      for (const [account, rows] of expired) {
        found += rows.length
        const deleted = await this.database.write((connection) =>
          connection.run(deleteEntries(account, rows)),
        )
        this.forgotten.add(deleted)
      }
    }
  }

  private async condition(query: RegisterQuery, account: string): Promise<Sql | undefined> {
    if ('credentialId' in query) {
      const hash = await this.keys.hash(query.credentialId, account)
      return hash === undefined ? undefined : sql`AND "e"."credential_hash" = ${hash}`
    }
    if (query.list === undefined) return sql``
    const list = await findList(this.database, query.list)
    const atIndex = query.index === undefined ? sql`` : sql`AND "e"."list_index" = ${query.index}`
    return list && sql`AND ${ofList(list, 'e')} ${atIndex}`
  }

  private importSome(account: string, some: readonly ImportedRegistration[]): Promise<number> {
    const ids = some.map(({ id }) => id)
    const actor = currentActor()
    return this.database.write(
      async (connection) => {
        const hashes = await this.keys.hashes(ids, account, connection)
        const keys = new Map<string, ListKey>()
        const entries: { credential: HashedRegistration; place: EntryPlace }[] = []
        for (const [list, expiry] of lastExpiries(some)) {
          const note = noteExpiry(list, expiry)
          if (note) connection.send(note)
        }
        for (const [n, { id: _, list, index, ...credential }] of some.entries()) {
          const name = joinedName(list)
          const key = keys.get(name) ?? (await findOrCreateList(connection, list))
          keys.set(name, key)
          entries.push({ credential: { hash: hashes[n] ?? '', ...credential }, place: { list: key, index } })
        }
        const added = await connection.run(insertEntries(account, entries))
        const detail = `${added} entries of credentials, ${some.length - added} already there`
        await this.audit?.recordWithin(connection, { event: 'credentials-registered', detail }, actor)
        return added
      },
      { lane: queueName('register of', account), spans: 'entries of several lists are imported together' },
    )
  }
}

/** Converts the setting, which is in days. */
export const daysToMs = (days: number): number => days * DAY_MS

/** No index has these in the order of the lists, so a limited number of rows is read for a page. */
function browsed({ did, issuedFrom, issuedUntil }: BrowsedEntries): Sql | undefined {
  const conditions = [
    ...(did === undefined ? [] : [sql`"did" = ${did}`]),
    ...(issuedFrom === undefined ? [] : [sql`"issued_at" >= ${issuedFrom}`]),
    ...(issuedUntil === undefined ? [] : [sql`"issued_at" < ${issuedUntil}`]),
  ]
  return conditions.length === 0 ? undefined : joinSql(conditions, ' AND ')
}

const behind = (after: string): Sql => {
  const [listId = '', index = '', ...rest] = readPlace(after, 4)
  return sql`AND ("e"."list_id", "e"."list_index", "e"."credential_hash", "e"."signing_key_hash") >
    (${joinSql([Number(listId) || 0, Number(index) || 0, ...rest])})`
}

/** When the last credential of each list expires; `never` sorts behind every time. */
function lastExpiries(some: readonly ImportedRegistration[]): Map<ImportedRegistration['list'], string> {
  const byName = new Map<string, { list: ImportedRegistration['list']; expiry: string }>()
  for (const { list, expiresAt: expiry = 'never' } of some) {
    const known = byName.get(joinedName(list))
    if (!known || known.expiry < expiry) byName.set(joinedName(list), { list, expiry })
  }
  return new Map([...byName.values()].map(({ list, expiry }) => [list, expiry]))
}

const joinedName = ({ did, statusListName, resourceType }: ImportedRegistration['list']): string =>
  JSON.stringify([did, statusListName, resourceType])

const toEntry = (row: EntryRow): RegisteredEntry => ({
  credentialHash: row.credential_hash,
  list: { did: row.did, statusListName: row.name, resourceType: row.resource_type },
  index: Number(row.list_index),
  ...(row.status_purpose !== null && { purpose: row.status_purpose }),
  issuedAt: row.issued_at,
  ...(row.expires_at !== null && { expiresAt: row.expires_at }),
})
